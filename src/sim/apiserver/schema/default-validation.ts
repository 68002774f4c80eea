import { deepEqual, type JsonValue } from '../../etcd/object.js';
import { DecodeFault } from '../decode-fault.js';
import { inKeyOrder, invalidValue } from '../field-errors.js';
import type { StatusCause } from '../request.js';
import { compileSchema, type SchemaNode } from './compile.js';
import { coerceEmbedded, embeddedFaults } from './embedded-resources.js';
import type { JsonSchema } from './json-schema.js';
import { prune } from './prune.js';
import { ruleFaults } from './rules.js';
import { schemaFaults } from './validate.js';

/** Puts a value into the resource that it would stand in. */
type Surround = (value: JsonValue) => JsonValue;

const typeMeta = { kind: 'Validation', apiVersion: 'validation/v1' };

/** What is wrong with the defaults in a schema (CD-5). */
export function defaultFaults(schema: JsonSchema, path: string, requirePruned: boolean): StatusCause[] {
  const root = asResource(compileSchema(schema));
  return faultsBelow(root, root, path, (value) => ({ ...typeMeta, ...(value as object) }), false, requirePruned);
}

function asResource(node: SchemaNode): SchemaNode {
  return node.embedded ? node : { ...node, embedded: true, contains: { ...node.contains, embedded: true } };
}

function faultsBelow(
  node: SchemaNode,
  resource: SchemaNode,
  path: string,
  surround: Surround,
  insideMeta: boolean,
  requirePruned: boolean,
): StatusCause[] {
  if (!node.contains.defaults) return [];
  if (node.embedded && node !== resource) {
    return faultsBelow(node, node, path, (value) => ({ ...typeMeta, ...(value as object) }), false, requirePruned);
  }
  const faults: StatusCause[] = [];
  const { defaultValue } = node;
  if (defaultValue !== undefined) {
    const at = `${path}.default`;
    faults.push(
      ...(insideMeta
        ? metaFaults(defaultValue, node, resource, at, surround)
        : [...(requirePruned ? unprunedFaults(defaultValue, node, at) : []), ...valueFaults(defaultValue, node, at)]),
    );
  }
  if (node.items !== undefined) {
    faults.push(...faultsBelow(node.items, resource, `${path}.items`, (value) => surround([value]), insideMeta, requirePruned));
  }
  for (const [name, property] of node.properties) {
    const meta = insideMeta || (node.embedded && (name === 'metadata' || name === 'apiVersion' || name === 'kind'));
    const inside: Surround = (value) => surround({ [name]: value });
    faults.push(...faultsBelow(property, resource, `${path}.properties[${name}]`, inside, meta, requirePruned));
  }
  return faults;
}

function unprunedFaults(value: JsonValue, node: SchemaNode, at: string): StatusCause[] {
  const pruned = prune(value, node, node.embedded);
  return deepEqual(pruned, value) ? [] : [invalidValue(at, inKeyOrder(value), 'must not have unknown fields')];
}

function valueFaults(value: JsonValue, node: SchemaNode, at: string): StatusCause[] {
  try {
    coerceEmbedded(value, node, 'strict', [], at);
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error;
    const [field = at, ...message] = error.message.split(': ');
    return [{ reason: 'FieldValueInvalid', field, message: message.join(': ') }];
  }
  const embedded = embeddedFaults(value, node, at);
  return embedded.length > 0 ? embedded : ownFaults(value, node, at);
}

/** A default inside metadata must make a good resource of one that has nothing else. */
function metaFaults(value: JsonValue, node: SchemaNode, resource: SchemaNode, at: string, surround: Surround): StatusCause[] {
  const whole = surround(value);
  const fault = (reason: string) => [invalidValue(at, inKeyOrder(value), `must result in valid metadata: ${reason}`)];
  try {
    coerceEmbedded(whole, resource, 'strict', []);
  } catch (error) {
    if (error instanceof DecodeFault) return fault(error.message);
    throw error;
  }
  const texts = embeddedFaults(whole, resource).map(({ field, message }) => `${field}: ${message}`);
  if (texts.length > 0) return fault(texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`);
  return ownFaults(value, node, at);
}

function ownFaults(value: JsonValue, node: SchemaNode, at: string): StatusCause[] {
  const faults = schemaFaults(value, node, at);
  if (faults.length > 0) return [...faults];
  // Once as if nothing had changed, and once as if the value were new.
  const rules = ruleFaults(value, node, { place: at, old: value });
  return rules.length > 0 ? rules : ruleFaults(value, node, { place: at });
}
