import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../../src/sim/apiserver/schema/compile.js';
import { withDefaults } from '../../../../src/sim/apiserver/schema/defaulting.js';
import type { JsonSchema } from '../../../../src/sim/apiserver/schema/json-schema.js';
import { prune } from '../../../../src/sim/apiserver/schema/prune.js';
import { deepFreeze, type JsonValue } from '../../../../src/sim/etcd/object.js';

const object = (properties: JsonSchema['properties'], more: object = {}): JsonSchema =>
  deepFreeze({ type: 'object', properties, ...more }) as JsonSchema;
const text: JsonSchema = { type: 'string' };

describe('a schema', () => {
  it('is compiled once', () => {
    const schema = object({ a: text });
    expect(compileSchema(schema)).toBe(compileSchema(schema));
  });
});

describe('pruning', () => {
  const pruned = (schema: JsonSchema, value: JsonValue, isResource = false) => {
    const unknown: string[] = [];
    return { kept: prune(value, compileSchema(schema), isResource, unknown), unknown };
  };

  it('takes what the schema does not name, and tells where it was', () => {
    const schema = object({ list: { type: 'array', items: object({ a: text }) } });
    expect(pruned(schema, { list: [{ a: 'x', b: 1 }], c: 1 })).toEqual({ kept: { list: [{ a: 'x' }] }, unknown: ['list[0].b', 'c'] });
  });

  it('gives back the same object when there is nothing to take', () => {
    const value = { a: 'x' };
    expect(pruned(object({ a: text }), value).kept).toBe(value);
  });

  it('stops where unknown fields are preserved, and goes on in what is described there', () => {
    const schema = object({ open: object({ shut: object({}) }, { 'x-kubernetes-preserve-unknown-fields': true }) });
    expect(pruned(schema, { open: { any: 1, shut: { gone: 1 } } }).kept).toEqual({ open: { any: 1, shut: {} } });
  });

  it('leaves kind, version and metadata to every resource, embedded ones too', () => {
    const embedded = object({}, { 'x-kubernetes-embedded-resource': true });
    const inner = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    const outer = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'b' }, inner: { ...inner, spec: {} } };
    expect(pruned(object({ inner: embedded }), outer, true)).toEqual({ kept: { ...outer, inner }, unknown: ['inner.spec'] });
  });
});

describe('defaulting', () => {
  const defaulted = (schema: JsonSchema, value: JsonValue) => withDefaults(value, compileSchema(schema));
  const schema = object({ spec: object({ a: { ...text, default: 'A' }, b: { ...text, nullable: true } }, { default: {} }) });

  it('goes on in a default that it has just put in', () => {
    expect(defaulted(schema, {})).toEqual({ spec: { a: 'A' } });
  });

  it('replaces a null that may not be by the default, and drops it where there is none', () => {
    expect(defaulted(schema, { spec: { a: null, b: null } })).toEqual({ spec: { a: 'A', b: null } });
    expect(defaulted(object({ c: text }), { c: null })).toEqual({});
  });

  it('reaches the items of lists and the values of maps', () => {
    const item = object({ a: { ...text, default: 'A' } });
    const both = object({ list: { type: 'array', items: item }, map: { type: 'object', additionalProperties: item } });
    expect(defaulted(both, { list: [{}], map: { x: {} } })).toEqual({ list: [{ a: 'A' }], map: { x: { a: 'A' } } });
  });

  it('gives back the same object when nothing is missing', () => {
    const value = { spec: { a: 'x' } };
    expect(defaulted(schema, value)).toBe(value);
  });
});
