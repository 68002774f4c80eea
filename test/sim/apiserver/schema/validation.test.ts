import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../../src/sim/apiserver/schema/compile.js';
import type { JsonSchema } from '../../../../src/sim/apiserver/schema/json-schema.js';
import { listTypeFaults } from '../../../../src/sim/apiserver/schema/list-types.js';
import { schemaFaults } from '../../../../src/sim/apiserver/schema/validate.js';
import { deepFreeze, type JsonValue } from '../../../../src/sim/etcd/object.js';

const node = (field: JsonSchema) => compileSchema(deepFreeze({ type: 'object', properties: { f: field } }) as JsonSchema);
const inWords = ({ field, message }: { field?: string; message?: string }) => `${field}: ${message}`;
const faults = (field: JsonSchema, value: JsonValue) => schemaFaults({ f: value }, node(field)).map(inWords);

describe('validation', () => {
  it('names the type that a value has and the one that it should have', () => {
    expect(faults({ type: 'string' }, 1)).toEqual(['f: Invalid value: "integer": f in body must be of type string: "integer"']);
    expect(faults({ type: 'integer' }, 1.5)).toContain('f: Invalid value: "number": f in body must be of type integer: "number"');
  });

  it('takes integers and texts for int-or-string, and nothing else', () => {
    const either: JsonSchema = { 'x-kubernetes-int-or-string': true };
    expect([1, '1', true].map((value) => faults(either, value).length)).toEqual([0, 0, 1]);
  });

  it('reads patterns as Go does', () => {
    expect(faults({ type: 'string', pattern: '(?i)^a+$' }, 'AA')).toEqual([]);
    expect(faults({ type: 'string', pattern: '^a+$' }, 'b')).toEqual(['f: Invalid value: "b": f in body should match \'^a+$\'']);
  });

  it('counts characters, items and members', () => {
    expect(faults({ type: 'string', maxLength: 2 }, 'äöü')).toEqual(['f: Too long: may not be more than 2 bytes']);
    expect(faults({ type: 'array', maxItems: 1, items: { type: 'integer' } }, [1, 2])).toEqual([
      'f: Too many: 2: must have at most 1 item',
    ]);
  });

  it('lists the values of an enum, and checks the known formats only', () => {
    expect(faults({ type: 'string', enum: ['a', 'b'] }, 'c')).toEqual(['f: Unsupported value: "c": supported values: "a", "b"']);
    expect(faults({ type: 'string', format: 'date' }, 'x')).toEqual(['f: Invalid value: "x": f in body must be of type date: "x"']);
    expect(faults({ type: 'string', format: 'house-number' }, 'x')).toEqual([]);
  });

  it('lets through what was wrong before and has not changed', () => {
    const schema = node({ type: 'string', pattern: '^a$' });
    const ratchet = (f: string, old: string) => schemaFaults({ f }, schema, '', { value: { f }, old: { f: old }, node: schema });
    expect([ratchet('b', 'b').length, ratchet('b', 'c').length]).toEqual([0, 1]);
  });

  it('finds what a set or a keyed list has twice', () => {
    const set: JsonSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } };
    expect(listTypeFaults({ f: [1, 2, 1] }, node(set)).map(inWords)).toEqual(['f[2]: Duplicate value: 1']);
    const item: JsonSchema = { type: 'object', properties: { k: { type: 'string' } } };
    const keyed: JsonSchema = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: item };
    expect(listTypeFaults({ f: [{ k: 'a' }, { k: 'a' }] }, node(keyed)).map(inWords)).toEqual(['f[1]: Duplicate value: {"k":"a"}']);
  });
});
