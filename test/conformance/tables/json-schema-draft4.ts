import { compileSchema } from '../../../src/sim/apiserver/schema/compile.js';
import type { JsonSchema } from '../../../src/sim/apiserver/schema/json-schema.js';
import { schemaFaults } from '../../../src/sim/apiserver/schema/validate.js';
import { deepFreeze, type JsonValue } from '../../../src/sim/etcd/object.js';
import { text } from './data.js';
import { difference, type LeftOut, leftOutFor, type Row, row } from './row.js';

interface Group {
  readonly description: string;
  readonly schema: JsonSchema & { readonly type?: unknown };
  readonly tests: readonly { readonly description: string; readonly data: JsonValue; readonly valid: boolean }[];
}

const keywords = [
  'additionalProperties',
  'allOf',
  'anyOf',
  'enum',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'properties',
  'required',
  'type',
  'uniqueItems',
];

export function jsonSchemaRows(): readonly Row[] {
  return all()
    .filter(({ why }) => why === undefined)
    .map(({ id, schema, data, valid }) =>
      row(id, () => {
        const faults = schemaFaults(data, compileSchema(deepFreeze(schema)));
        return difference(valid, faults.length === 0) && `${valid ? 'valid' : 'not valid'}: ${JSON.stringify(faults)}`;
      }),
    );
}

export function jsonSchemaLeftOut(): readonly LeftOut[] {
  return leftOutFor(all().flatMap(({ why }) => why ?? []));
}

function all() {
  return keywords.flatMap((keyword) =>
    (JSON.parse(text(`json-schema-draft4/${keyword}.json`)) as readonly Group[]).flatMap(({ description, schema, tests }) =>
      tests.map(({ description: test, data, valid }) => ({
        id: `${keyword}/${description}/${test}`,
        schema,
        data,
        valid,
        why: leftOutBecause(schema, data),
      })),
    ),
  );
}

/** A definition with such a schema is refused, so that nothing is ever validated by it. */
function leftOutBecause(schema: Group['schema'], data: JsonValue): string | undefined {
  const words = JSON.stringify(schema);
  if (/"(patternProperties|additionalItems|definitions|\$ref|dependencies)":/.test(words)) return 'the server refuses the keyword';
  if (/"type":\[/.test(words)) return 'the server refuses several types';
  if (/"items":\[/.test(words)) return 'the server refuses a list of item schemas';
  if (/"uniqueItems":true/.test(words)) return 'the server refuses uniqueItems';
  if (/"type":"null"/.test(words)) return 'the server refuses the type null';
  if (schema.multipleOf !== undefined && !Number.isInteger(schema.multipleOf) && Number.isInteger(data)) {
    return 'the server compares integers with the whole part of a limit';
  }
  if (data === null) return 'null is a matter of nullable in the server';
  return undefined;
}
