import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch, decodeOperations } from '../../../src/sim/apiserver/json-patch.js';
import { deepFreeze, type JsonValue } from '../../../src/sim/etcd/object.js';

interface Row {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: JsonValue;
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

const rowsOf = (file: string): readonly Row[] =>
  JSON.parse(readFileSync(new URL(`../../conformance/data/json-patch/${file}`, import.meta.url), 'utf8'));

const patched = (document: JsonValue, patch: JsonValue): JsonValue =>
  applyJsonPatch(deepFreeze(document), decodeOperations(deepFreeze(patch), true));

/** Rows that the server's library answers otherwise than the standard; what it does is tested below (PA-30, PA-31). */
const departures: ReadonlySet<string> = new Set([
  'replace object document with array document?',
  'replace array document with object document?',
  'replacing the root of the document is possible with add',
  '[{"op":"add","path":"/bar/-1","value":"5"}]',
  "missing 'value' parameter to add",
  "missing 'value' parameter to replace",
  "missing 'value' parameter to test",
  'missing from location to copy',
  'test with bad array number that has leading zeros',
]);

describe("the standard's own tables of JSON patch", () => {
  const rows = [...rowsOf('spec_tests.json'), ...rowsOf('tests.json')]
    .map((row) => ({ ...row, comment: row.comment || JSON.stringify(row.patch) }))
    .filter(({ disabled, comment }) => !disabled && !departures.has(comment));
  for (const [index, { comment, doc, patch, expected, error }] of rows.entries()) {
    if (expected !== undefined) it(`applies ${index}: ${comment}`, () => expect(patched(doc, patch)).toEqual(expected));
    else if (error !== undefined) it(`refuses ${index}: ${comment}`, () => expect(() => patched(doc, patch)).toThrow());
  }
});

describe("the dialect of the server's library (PA-29 to PA-31)", () => {
  const list = { l: ['a', 'b', 'c'] };
  it('counts negative indices from the end', () => {
    expect(patched(list, [{ op: 'remove', path: '/l/-1' }])).toEqual({ l: ['a', 'b'] });
    expect(patched(list, [{ op: 'add', path: '/l/-1', value: 'x' }])).toEqual({ l: ['a', 'b', 'c', 'x'] });
    expect(patched(list, [{ op: 'add', path: '/l/-2', value: 'x' }])).toEqual({ l: ['a', 'b', 'x', 'c'] });
    expect(() => patched(list, [{ op: 'remove', path: '/l/-4' }])).toThrow();
  });
  it('reads 00 as index 0', () => expect(patched(list, [{ op: 'replace', path: '/l/00', value: 'x' }])).toEqual({ l: ['x', 'b', 'c'] }));
  it('adds null where a value is left out, and where what is copied is missing', () => {
    expect(patched({}, [{ op: 'add', path: '/a' }])).toEqual({ a: null });
    expect(patched({}, [{ op: 'copy', path: '/a', from: '/none' }])).toEqual({ a: null });
  });
  it('adds a missing member by replace, but removes none that is missing', () => {
    expect(patched({}, [{ op: 'replace', path: '/a', value: 1 }])).toEqual({ a: 1 });
    expect(() => patched({}, [{ op: 'remove', path: '/a' }])).toThrow();
  });
  it('takes no notice of what stands before the first slash', () => {
    expect(patched({}, [{ op: 'add', path: 'x/a', value: 1 }])).toEqual({ a: 1 });
    expect(() => patched({}, [{ op: 'add', path: 'a', value: 1 }])).toThrow();
  });
  it('takes the empty path for test and replace alone', () => {
    expect(patched({ a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }])).toEqual({ b: 1 });
    expect(() => patched({ a: 1 }, [{ op: 'add', path: '', value: {} }])).toThrow();
    expect(() => patched({ a: 1 }, [{ op: 'remove', path: '' }])).toThrow();
  });
  it('finds a missing member equal to null', () => {
    expect(patched({}, [{ op: 'test', path: '/a', value: null }])).toEqual({});
    expect(() => patched({ a: 1 }, [{ op: 'test', path: '/a' }])).toThrow();
  });
});

describe('what a patch must never do', () => {
  it('changes neither the document nor the patch, and shares what it does not touch', () => {
    const document = deepFreeze({ a: { b: 1 }, c: { d: [1] } });
    const result = patched(document, [
      { op: 'add', path: '/a/x', value: { y: 1 } },
      { op: 'add', path: '/a/x/z', value: 2 },
    ]) as typeof document;
    expect(document).toEqual({ a: { b: 1 }, c: { d: [1] } });
    expect(result).toEqual({ a: { b: 1, x: { y: 1, z: 2 } }, c: { d: [1] } });
    expect(result.c).toBe(document.c);
  });
  it('gives a copy a life of its own', () => {
    const patch = [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/x', value: 1 },
    ];
    expect(patched({ a: {} }, patch)).toEqual({ a: {}, b: { x: 1 } });
  });
  it('treats __proto__ as an ordinary member', () => {
    const result = patched(
      {},
      JSON.parse('[{"op":"add","path":"/__proto__","value":{"polluted":1}},{"op":"add","path":"/__proto__/x","value":2}]'),
    );
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1,"x":2}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(() => patched({}, [{ op: 'add', path: '/constructor/prototype/x', value: 1 }])).toThrow();
  });
  it('grows without bound by copies of copies', () => {
    const doubling = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '', path: `/${index}` }));
    expect(() =>
      patched(
        { a: 'x'.repeat(100) },
        doubling.map((operation) => ({ ...operation, from: '/a' })),
      ),
    ).not.toThrow();
    const nested = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(() => patched({ a: ['x'.repeat(100)] }, nested)).toThrow(/copy/);
  });
  it('takes long for ten thousand operations', () => {
    const operations = Array.from({ length: 10_000 }, (_, index) => ({ op: 'add', path: '/l/-', value: index }));
    const started = performance.now();
    expect((patched({ l: [] }, operations) as { l: readonly number[] }).l).toHaveLength(10_000);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('a patch that is none', () => {
  it.each([
    [{ op: 'add' }, false, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [{ op: 'add' }, true, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    [[{ op: 1, path: '/a' }], false, 'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
    [['x'], true, 'json: cannot unmarshal string into Go value of type jsonpatch.Operation'],
  ])("%j is refused in Go's words (PA-7)", (patch, lenient, text) => {
    expect(() => decodeOperations(patch as JsonValue, lenient)).toThrow(text);
  });
  it('is null: nothing to do', () => expect(decodeOperations(null, false)).toEqual([]));
});
