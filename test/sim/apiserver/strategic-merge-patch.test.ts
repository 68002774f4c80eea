import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { patchFieldsOf, patchRoot } from '../../../src/sim/apiserver/openapi/patch-fields.js';
import { applyStrategicMergePatch, type PatchField, StrategicPatchError } from '../../../src/sim/apiserver/strategic-merge-patch.js';
import { deepFreeze, type JsonValue } from '../../../src/sim/etcd/object.js';

type Fields = Readonly<Record<string, JsonValue>>;

/** apimachinery's `MergeItem`: a type made for these tables. */
const mergeItems: Readonly<Record<string, Readonly<Record<string, PatchField>>>> = {
  MergeItem: {
    mergingList: { type: 'MergeItem', strategy: 'merge', mergeKey: 'name' },
    nonMergingList: { type: 'MergeItem' },
    mergingIntList: { strategy: 'merge' },
    mergeItemPtr: { type: 'MergeItem', strategy: 'merge', mergeKey: 'name' },
    simpleMap: {},
    replacingItem: { strategy: 'replace' },
    retainKeysMap: { type: 'RetainKeysMergeItem', strategy: 'retainKeys' },
    retainKeysMergingList: { type: 'MergeItem', strategy: 'merge,retainKeys', mergeKey: 'name' },
  },
  RetainKeysMergeItem: {
    simpleMap: {},
    mergingIntList: { strategy: 'merge' },
    mergingList: { type: 'MergeItem', strategy: 'merge', mergeKey: 'name' },
    nonMergingList: { type: 'MergeItem' },
  },
};

interface Case {
  readonly name: string;
  readonly original: Fields;
  readonly patch: Fields;
  readonly result: Fields;
}

interface YamlCase {
  readonly description: string;
  readonly original?: Fields;
  readonly twoWay?: Fields;
  readonly modified?: Fields;
  readonly current?: Fields;
  readonly threeWay?: Fields;
  readonly result?: Fields;
}

interface RawRow {
  readonly Description: string;
  readonly StrategicMergePatchRawTestCaseData: Readonly<
    Record<'Original' | 'TwoWay' | 'TwoWayResult' | 'Modified' | 'Current' | 'ThreeWay' | 'Result', string | undefined>
  >;
}

const file = new URL('../../conformance/data/strategic-merge-patch/tables.json', import.meta.url);
const data = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly tables: readonly { readonly var: string; readonly rows: readonly RawRow[] }[];
  readonly yaml: Readonly<Record<string, string>>;
};

/** Each case is two patches: the two-way one makes the modified of the original, the three-way one the result of the current. */
function casesOf({ description, original, twoWay, modified, current, threeWay, result }: YamlCase): readonly Case[] {
  const cases: Case[] = [];
  if (twoWay && modified) cases.push({ name: `${description} (two-way)`, original: original ?? {}, patch: twoWay, result: modified });
  if (threeWay && result) cases.push({ name: `${description} (three-way)`, original: current ?? {}, patch: threeWay, result });
  return cases;
}

const fromYaml = ['customStrategicMergePatchTestCaseData', 'createStrategicMergePatchTestCaseData']
  .flatMap((name) => (parse(data.yaml[name] as string) as { readonly testCases: readonly YamlCase[] }).testCases)
  .flatMap(casesOf);

const fromTables = data.tables
  .filter(({ var: name }) => name.includes('RawTestCases'))
  .flatMap(({ rows }) => rows)
  .flatMap(({ Description, StrategicMergePatchRawTestCaseData: row }) => {
    const read = (text: string | undefined) => (text === undefined ? undefined : ((parse(text) ?? {}) as Fields));
    const { Original, TwoWay, TwoWayResult, Modified, Current, ThreeWay, Result } = row;
    const [original, twoWay, modified] = [read(Original), read(TwoWay), read(TwoWayResult ?? Modified)];
    const [current, threeWay, result] = [read(Current), read(ThreeWay), read(Result)];
    return casesOf({
      description: Description,
      ...(original && { original }),
      ...(twoWay && { twoWay }),
      ...(modified && { modified }),
      ...(current && { current }),
      ...(threeWay && { threeWay }),
      ...(result && { result }),
    });
  });

/** The server never applies a patch in this manner (nulls kept), or drops what the table keeps (PA-42). */
const departures = /^(defined null values should propagate|nested patch merge with empty list)/;

/** The YAML tables say nothing of the order of lists. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutOrder(member)]));
}

describe("apimachinery's own tables of strategic merge patch", () => {
  const apply = ({ original, patch }: Case) =>
    applyStrategicMergePatch(deepFreeze(original), deepFreeze(patch), 'MergeItem', (type) => mergeItems[type]);
  it.each(fromYaml.filter(({ name }) => !departures.test(name)))('$name', (each) => {
    expect(withoutOrder(apply(each))).toEqual(withoutOrder(each.result));
  });
  it.each(fromTables.filter(({ name }) => !departures.test(name)))('$name, in this order', (each) => {
    expect(apply(each)).toEqual(each.result);
  });
});

describe('a Deployment under strategic patches', () => {
  const type = patchRoot('apps/v1', 'Deployment');
  const containers = (...list: readonly Fields[]): Fields => ({ spec: { template: { spec: { containers: list } } } });
  const apply = (document: Fields, patch: Fields) => applyStrategicMergePatch(deepFreeze(document), deepFreeze(patch), type, patchFieldsOf);

  it('merges containers by name and puts new ones first (PA-36)', () => {
    const stored = containers({ name: 'a', image: 'a:1' }, { name: 'b', image: 'b:1' });
    expect(apply(stored, containers({ name: 'b', image: 'b:2' }))).toEqual(
      containers({ name: 'a', image: 'a:1' }, { name: 'b', image: 'b:2' }),
    );
    expect(apply(stored, containers({ name: 'n', image: 'n:1' }))).toEqual(
      containers({ name: 'n', image: 'n:1' }, { name: 'a', image: 'a:1' }, { name: 'b', image: 'b:1' }),
    );
  });
  it('deletes an entry by its key', () => {
    const stored = containers({ name: 'a' }, { name: 'b' });
    expect(apply(stored, containers({ name: 'a', $patch: 'delete' }))).toEqual(containers({ name: 'b' }));
  });
  it('treats finalizers as a set and ownerReferences as a list by uid', () => {
    const stored = { metadata: { finalizers: ['x/a', 'x/b'], ownerReferences: [{ uid: '1', name: 'o' }] } };
    const patch = { metadata: { finalizers: ['x/c'], ownerReferences: [{ uid: '1', controller: true }] } };
    expect(apply(stored, patch)).toEqual({
      metadata: { finalizers: ['x/c', 'x/a', 'x/b'], ownerReferences: [{ uid: '1', name: 'o', controller: true }] },
    });
  });
  it.each([
    [containers({ image: 'a:2' }), 500, 'map: map[image:a:2] does not contain declared merge key: name'],
    [containers({ name: 'a', $patch: 'frob' }), 500, 'unknown patch type: frob in map: map[$patch:frob name:a]'],
    [{ spec: { strategy: { $retainKeys: 'type', type: 'Recreate' } } }, 400, 'invalid patch format of retainKeys'],
    [{ spec: { template: { spec: { $setElementOrder: [] } } } }, 400, 'invalid patch format of setElementOrder list'],
    [{ spec: { template: { spec: { '$setElementOrder/containers': 'a' } } } }, 500, 'expected a []interface {}, but received a string'],
  ])('refuses %j with %i (PA-46)', (patch, code, message) => {
    const { spec } = containers({ name: 'a', image: 'a:1' }) as { readonly spec: Fields };
    const refused = () => apply({ spec: { ...spec, strategy: { type: 'RollingUpdate' } } }, patch as Fields);
    expect(refused).toThrow(StrategicPatchError);
    expect(refused).toThrow(expect.objectContaining({ code, message }));
  });
});
