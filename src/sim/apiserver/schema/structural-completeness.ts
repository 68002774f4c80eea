import { requiredValue } from '../field-errors.js';
import { ownMember } from '../json.js';
import type { StatusCause } from '../request.js';
import { itemsOf, type JsonSchema } from './json-schema.js';

/** What branches of allOf, anyOf, oneOf and not mention must also be in the schema itself. */
export function completenessFaults(schema: JsonSchema, path: string): StatusCause[] {
  return branchFaults(schema, schema, path, path);
}

/** @param shape the schema proper at the place that the branch is about; undefined: it has none. */
function branchFaults(branch: JsonSchema, shape: JsonSchema | undefined, shapePath: string, branchPath: string): StatusCause[] {
  if (shape === undefined) return [requiredValue(shapePath, `because it is defined in ${branchPath}`)];
  const nested = (each: JsonSchema, name: string) => nestedFaults(each, shape, shapePath, `${branchPath}.${name}`);
  return [
    ...(branch.not === undefined ? [] : nested(branch.not, 'not')),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (branch[name] ?? []).flatMap((each, index) => nested(each, `${name}[${index}]`)),
    ),
  ];
}

function nestedFaults(branch: JsonSchema, shape: JsonSchema | undefined, shapePath: string, branchPath: string): StatusCause[] {
  if (shape === undefined) return [requiredValue(shapePath, `because it is defined in ${branchPath}`)];
  const faults = branchFaults(branch, shape, shapePath, branchPath);
  const items = itemsOf(branch);
  if (items !== undefined) faults.push(...nestedFaults(items, itemsOf(shape), `${shapePath}.items`, `${branchPath}.items`));
  for (const [name, property] of Object.entries(branch.properties ?? {})) {
    const below = `properties[${name}]`;
    faults.push(...nestedFaults(property, ownMember(shape.properties, name), `${shapePath}.${below}`, `${branchPath}.${below}`));
  }
  return faults;
}
