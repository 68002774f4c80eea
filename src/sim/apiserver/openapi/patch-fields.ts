import { setMember } from '../json.js';
import type { PatchField } from '../strategic-merge-patch.js';
import { builtInDefinition, definitionName } from './built-in.js';
import { type OpenApiSchema, referredName } from './schema.js';

const known = new Map<string, Readonly<Record<string, PatchField>> | undefined>();

/** How each field of a built-in type is merged by a strategic patch (PA-39); undefined for what has no declared fields. */
export function patchFieldsOf(type: string): Readonly<Record<string, PatchField>> | undefined {
  if (!known.has(type)) known.set(type, read(builtInDefinition(type)));
  return known.get(type);
}

/** The type of a built-in kind's objects. */
export function patchRoot(apiVersion: string, kind: string): string | undefined {
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
  return definitionName(group, version, kind);
}

function read(definition: OpenApiSchema | undefined): Readonly<Record<string, PatchField>> | undefined {
  if (definition?.properties === undefined) return undefined;
  const fields: Record<string, PatchField> = {};
  for (const [name, property] of Object.entries(definition.properties)) {
    const type = referredName(property.items ?? property);
    const strategy = property['x-kubernetes-patch-strategy'];
    const mergeKey = property['x-kubernetes-patch-merge-key'];
    setMember<PatchField>(fields, name, {
      ...(type !== undefined && { type }),
      ...(strategy !== undefined && { strategy }),
      ...(mergeKey !== undefined && { mergeKey }),
    });
  }
  return fields;
}
