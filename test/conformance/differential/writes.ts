import * as fc from 'fast-check';
import { fragmentsOf, optionalPlaces, statusFragmentsOf } from './fragments.js';
import { fullName, isObject, type Json, type JsonObject, pathOf, type TalkedKind } from './kinds.js';
import type { ScriptWriter } from './script.js';

/** Moves of writers who know what they do: several of them, each with a part of the object at heart. */
type WriteMove = (writer: ScriptWriter) => void;
type Making = (kind: TalkedKind) => fc.Arbitrary<WriteMove>;

const name = fc.constantFrom('a', 'a', 'a', 'b');
const manager = fc.constantFrom('m1', 'm1', 'm2', 'operator', 'kubectl');
const often = <T>(value: T, others: T) => fc.constantFrom(value, value, value, value, value, value, value, others);
const query = fc
  .tuple(often(undefined, 'All'), fc.option(manager, { freq: 2, nil: undefined }))
  .map(([dryRun, fieldManager]) => ({ ...(dryRun !== undefined && { dryRun }), ...(fieldManager !== undefined && { fieldManager }) }));

const part = (kind: TalkedKind) =>
  fc
    .array(fc.constantFrom(...fragmentsOf(kind)), { minLength: 0, maxLength: 3 })
    .map((fragments) => fragments.reduce<JsonObject>((whole, fragment) => together(whole, fragment), {}));

/** Where a write goes, and what it may hold there. */
const target = (kind: TalkedKind): fc.Arbitrary<{ readonly path: string; readonly body: JsonObject }> => {
  const main = part(kind).map((body) => ({ path: '', body }));
  if (kind.status === undefined) return main;
  const status = fc
    .tuple(
      fc.constantFrom(...statusFragmentsOf(kind)),
      fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: part(kind) }),
    )
    .map(([body, more]) => ({ path: '/status', body: together(more, body) }));
  return fc.oneof({ weight: 3, arbitrary: main }, { weight: 1, arbitrary: status });
};

const applyPart: Making = (kind) =>
  fc
    .tuple(name, target(kind), manager, fc.constantFrom('true', 'true', 'false', undefined), fc.boolean(), often(undefined, 'All'))
    .map(([at, { path, body }, fieldManager, force, whole, dryRun]) => (writer) => {
      const bare = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: fullName(kind, at) } };
      writer.add(kind, {
        method: 'PATCH',
        path: `${pathOf(kind, at)}${path}`,
        query: { fieldManager, ...(force !== undefined && { force }), ...(dryRun !== undefined && { dryRun }) },
        contentType: 'application/apply-patch+yaml',
        body: together(together(bare, whole && path === '' ? kind.body : {}), body),
      });
    });

const patchPart: Making = (kind) =>
  fc
    .tuple(name, target(kind), query, fc.boolean(), fc.option(fc.constantFrom(...optionalPlaces(kind)), { freq: 3, nil: undefined }))
    .map(([at, { path, body }, queryOfPatch, strategic, without]) => (writer) => {
      writer.add(kind, {
        method: 'PATCH',
        path: `${pathOf(kind, at)}${path}`,
        query: queryOfPatch,
        contentType: strategic && kind.custom === undefined ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json',
        body: without === undefined ? body : together(body, nullAt(without.split('/').slice(1))),
      });
    });

/** A strategic patch that says more than what is to be there. */
const directive: Making = (kind) => {
  const lists: readonly JsonObject[] = [
    {
      containers: [
        { name: 'c', $patch: 'delete' },
        { name: 'e', image: 'img:5' },
      ],
    },
    { containers: [{ $patch: 'replace' }, { name: 'c', image: 'img:4' }] },
    {
      '$setElementOrder/containers': [{ name: 'd' }, { name: 'c' }],
      containers: [
        { name: 'd', image: 'img:3' },
        { name: 'c', image: 'img:9' },
      ],
    },
    { $retainKeys: ['containers', 'restartPolicy'], containers: [{ name: 'c', image: 'img:1' }] },
    { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'a' } }] },
    { tolerations: [{ $patch: 'replace' }, { key: 'q', operator: 'Exists' }] },
  ];
  const bodies: readonly JsonObject[] = [
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/f'] } },
    { metadata: { finalizers: ['example.com/g', 'example.com/h'] } },
    { metadata: { '$setElementOrder/finalizers': ['example.com/g', 'example.com/f'], finalizers: ['example.com/f', 'example.com/g'] } },
    { metadata: { labels: { $patch: 'replace', only: 'this' } } },
    { metadata: { annotations: { $patch: 'delete' } } },
    ...(/deployments|statefulsets|daemonsets|replicasets/.test(kind.plural) ? lists.map((spec) => ({ spec: { template: { spec } } })) : []),
  ];
  return fc.tuple(name, fc.constantFrom(...bodies), query).map(([at, body, queryOfPatch]) => (writer) => {
    if (kind.custom) return;
    writer.add(kind, {
      method: 'PATCH',
      path: pathOf(kind, at),
      query: queryOfPatch,
      contentType: 'application/strategic-merge-patch+json',
      body,
    });
  });
};

const operations: Making = (kind) => {
  const place = fc.constantFrom(...optionalPlaces(kind));
  const operation = fc.oneof(
    place.map((path): JsonObject => ({ op: 'remove', path })),
    fc
      .tuple(fc.constantFrom('add', 'replace', 'test'), fc.constantFrom(...fragmentsOf(kind)))
      .map(([op, fragment]): JsonObject => ({ op, ...firstLeafOf(fragment) })),
    fc.constantFrom<JsonObject>(
      { op: 'add', path: '/metadata/finalizers/-', value: 'example.com/h' },
      { op: 'add', path: '/metadata/annotations/example.com~1z', value: 'z' },
      { op: 'remove', path: '/metadata/finalizers/0' },
    ),
  );
  return fc.tuple(name, fc.array(operation, { minLength: 1, maxLength: 3 }), query).map(([at, body, queryOfPatch]) => (writer) => {
    writer.add(kind, { method: 'PATCH', path: pathOf(kind, at), query: queryOfPatch, contentType: 'application/json-patch+json', body });
  });
};

/** What a client does that reads, changes and writes: now and then what it has read is old. */
const edit: Making = (kind) =>
  fc
    .tuple(name, target(kind), query, often(false, true), fc.option(fc.constantFrom(...optionalPlaces(kind)), { freq: 3, nil: undefined }))
    .map(([at, { path, body }, queryOfPut, old, without]) => (writer) => {
      const from = writer.read(kind, at, old);
      const merge = without === undefined ? body : together(body, nullAt(without.split('/').slice(1)));
      writer.add(kind, { method: 'PUT', path: `${pathOf(kind, at)}${path}`, query: queryOfPut, edit: { from, merge } });
    });

/** Time passes, so that the times of managedFields differ. */
const wait: Making = () => fc.constant((writer) => writer.wait(1050));

export function writeMoves(kind: TalkedKind): fc.Arbitrary<WriteMove> {
  return fc.oneof(
    { weight: 8, arbitrary: applyPart(kind) },
    { weight: 5, arbitrary: patchPart(kind) },
    { weight: kind.custom ? 0 : 2, arbitrary: directive(kind) },
    { weight: 2, arbitrary: operations(kind) },
    { weight: 7, arbitrary: edit(kind) },
    { weight: 1, arbitrary: wait(kind) },
  );
}

/** Two parts in one body; lists of objects are put together by their items' first members. */
export function together(a: JsonObject, b: JsonObject): JsonObject {
  const members = new Map<string, Json>(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const before = members.get(key);
    if (isObject(before) && isObject(value)) members.set(key, together(before, value));
    else if (isList(before) && isList(value)) members.set(key, listTogether(before, value));
    else members.set(key, value);
  }
  return Object.fromEntries(members);
}

function listTogether(a: readonly Json[], b: readonly Json[]): readonly Json[] {
  const keyOf = (item: Json) => JSON.stringify(isObject(item) ? (item.name ?? item.containerPort ?? item.port ?? item.type ?? item) : item);
  const items = new Map(a.map((item) => [keyOf(item), item]));
  for (const item of b) {
    const before = items.get(keyOf(item));
    items.set(keyOf(item), isObject(before ?? null) && isObject(item) ? together(before as JsonObject, item) : item);
  }
  return [...items.values()];
}

/** The first member of a fragment that is no object, as a JSON patch names it. */
function firstLeafOf(fragment: JsonObject): JsonObject {
  const [[key, value] = ['metadata', {}]] = Object.entries(fragment);
  if (!isObject(value) || Object.keys(value).length === 0) return { path: `/${key}`, value };
  const { path, value: leaf } = firstLeafOf(value) as { readonly path: string; readonly value: Json };
  return { path: `/${key}${path}`, value: leaf };
}

function nullAt([key = '', ...rest]: readonly string[]): JsonObject {
  return { [key]: rest.length === 0 ? null : nullAt(rest) };
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
