import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyMergePatch } from '../../../src/sim/apiserver/merge-patch.js';
import { deepFreeze, type JsonValue } from '../../../src/sim/etcd/object.js';

interface Row {
  readonly original: JsonValue;
  readonly patch: JsonValue;
  readonly result: JsonValue;
}

const file = new URL('../../conformance/data/json-merge-patch/rfc7396-appendix-a.json', import.meta.url);
const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly Row[];

describe('JSON merge patch', () => {
  // The server drops nulls of objects inside new lists, which the standard keeps (PA-8); no row of the appendix shows it.
  it.each(rows)('makes $result of $original and $patch, as the standard says', ({ original, patch, result }) => {
    expect(applyMergePatch(deepFreeze(original), deepFreeze(patch))).toEqual(result);
  });

  it('keeps null elements of lists and drops null members of objects in them (PA-8)', () => {
    expect(applyMergePatch({}, { q: [1, null, { r: null }] })).toEqual({ q: [1, null, {}] });
    expect(applyMergePatch({ q: [] }, { q: [{ r: null, s: 1 }] })).toEqual({ q: [{ s: 1 }] });
  });

  it('shares what it does not touch', () => {
    const target = deepFreeze({ a: { b: 1 }, c: { d: 1 } });
    const result = applyMergePatch(target, { a: { b: 2 } }) as typeof target;
    expect(result).toEqual({ a: { b: 2 }, c: { d: 1 } });
    expect(result.c).toBe(target.c);
  });

  it('treats __proto__ as an ordinary member', () => {
    const result = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":1}}'));
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1}}');
    expect(applyMergePatch(result, JSON.parse('{"__proto__":{"more":2}}'))).toEqual(JSON.parse('{"__proto__":{"polluted":1,"more":2}}'));
    expect(applyMergePatch(result, JSON.parse('{"__proto__":null}'))).toEqual({});
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
