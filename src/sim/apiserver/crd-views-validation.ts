import { deepEqual } from '../etcd/object.js';
import type { PrinterColumn, SentVersion } from './crd-spec.js';
import { duplicateValue, invalidValue, requiredValue, tooMany } from './field-errors.js';
import type { StatusCause } from './request.js';
import { fieldPath } from './schema/field-path.js';
import type { JsonSchema } from './schema/json-schema.js';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
/** CD-32 */
const maximumSelectable = 8;

export function columnFaults(column: PrinterColumn, path: string): StatusCause[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  const faults: StatusCause[] = [];
  const oneOf = (values: readonly string[]) => `must be one of ${values.join(',')}`;
  if (name === '') faults.push(requiredValue(`${path}.name`));
  if (type === '') faults.push(requiredValue(`${path}.type`, oneOf(columnTypes)));
  else if (!columnTypes.includes(type)) faults.push(invalidValue(`${path}.type`, type, oneOf(columnTypes)));
  if (format !== '' && !columnFormats.includes(format)) faults.push(invalidValue(`${path}.format`, format, oneOf(columnFormats)));
  if (jsonPath === '') faults.push(requiredValue(`${path}.JSONPath`));
  else faults.push(...simplePathFaults(jsonPath, `${path}.JSONPath`));
  return faults;
}

export function subresourceFaults({ scale }: NonNullable<SentVersion['subresources']>, path: string): StatusCause[] {
  if (scale === undefined) return [];
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  const faults: StatusCause[] = [];
  const check = (name: string, value: string, starts: readonly string[], text: string) => {
    const field = `${path}.scale.${name}`;
    const wrong = simplePathFaults(value, field);
    if (wrong.length > 0) faults.push(...wrong);
    else if (!starts.some((start) => value.startsWith(start)))
      faults.push(invalidValue(field, value, `should be a json path under ${text}`));
  };
  for (const [name, value, start] of [
    ['specReplicasPath', specReplicasPath, '.spec'],
    ['statusReplicasPath', statusReplicasPath, '.status'],
  ] as const) {
    if (value === '') faults.push(requiredValue(`${path}.scale.${name}`));
    else check(name, value, [`${start}.`], start);
  }
  if (labelSelectorPath !== '') check('labelSelectorPath', labelSelectorPath, ['.spec.', '.status.'], 'either .spec or .status');
  return faults;
}

function simplePathFaults(path: string, field: string): StatusCause[] {
  return path.startsWith('.') ? [] : [invalidValue(field, path, 'must be a simple json path starting with .')];
}

/** Whether there may be more fields than eight: there were, and they are the same. */
export function tooManySelectable(fields: SentVersion['selectableFields'], before: SentVersion['selectableFields']): boolean {
  return (before?.length ?? 0) > maximumSelectable && deepEqual(fields, before);
}

export function selectableFieldFaults(
  fields: NonNullable<SentVersion['selectableFields']>,
  schema: JsonSchema | undefined,
  path: string,
  allowTooMany: boolean,
): StatusCause[] {
  if (schema === undefined) return [];
  const faults: StatusCause[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    if (jsonPath === '') {
      faults.push(requiredValue(at));
      continue;
    }
    const found = fieldPath(jsonPath, schema, false);
    if (typeof found === 'string') {
      faults.push(invalidValue(at, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (found.root === 'metadata') faults.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      const text = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      faults.push(invalidValue(at, jsonPath, text));
    }
    if (seen.has(found.text)) faults.push(duplicateValue(at, jsonPath));
    seen.add(found.text);
  }
  if (seen.size > maximumSelectable && !allowTooMany) faults.push(tooMany(path, seen.size, maximumSelectable));
  return faults;
}
