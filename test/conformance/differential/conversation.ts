import * as fc from 'fast-check';
import { type Change, changed, changes, duplicated, oddValue } from './changes.js';
import { collectionOf, fullName, isObject, type Json, type JsonObject, kinds, pathOf, statuses, type TalkedKind } from './kinds.js';
import { type Script, ScriptWriter, type Seen } from './script.js';
import { writeMoves } from './writes.js';

/** One move of a client; what it writes depends on the moves before it only through revisions and uids that were seen. */
type Move = (writer: ScriptWriter) => void;

const names = ['a', 'b', 'c'];
const name = fc.oneof({ weight: 5, arbitrary: fc.constant('a') }, { weight: 3, arbitrary: fc.constantFrom(...names) });
const seen: fc.Arbitrary<Seen> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('current' as const) },
  { weight: 2, arbitrary: fc.constant('earlier' as const) },
  { weight: 1, arbitrary: fc.constantFrom('zero' as const, 'odd' as const) },
);
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3, nil: undefined });
/** `undefined` most of the time. */
const seldom = <T>(value: fc.Arbitrary<T>, freq = 8) =>
  fc.integer({ min: 0, max: freq }).chain((n) => (n === 0 ? value : fc.constant(undefined)));

const writeQuery = fc
  .record({
    dryRun: seldom(fc.constantFrom<Json>('All', ['All', 'All'], '', 'some')),
    fieldManager: seldom(fc.constantFrom('m1', 'm2', '', 'é'), 4),
    fieldValidation: seldom(fc.constantFrom('Strict', 'Warn', 'Ignore', 'Nope'), 3),
    pretty: seldom(fc.constant('true'), 30),
  })
  .map(withoutAbsent);

/** A body: the kind's own, changed a little, with metadata. */
function bodyOf(kind: TalkedKind, at: string, list: readonly Change[], extra: JsonObject = {}): JsonObject {
  const whole = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: fullName(kind, at), ...extra }, ...kind.body };
  return changed(whole, list);
}

type Making = (kind: TalkedKind) => fc.Arbitrary<Move>;

const create: Making = (kind) =>
  fc
    .tuple(
      name,
      changes(kind),
      writeQuery,
      seldom(fc.constantFrom('gen-', 'a-very-long-prefix-that-goes-on-'.repeat(2)), 12),
      seldom(fc.nat(9), 20),
      seldom(fc.constant(true), 15),
    )
    .map(([at, list, query, prefix, twice, yaml]) => (writer) => {
      // A refusal would quote the name that chance has made.
      const body = bodyOf(kind, at, prefix === undefined ? list : []);
      const { name: _, ...metadata } = isObject(body.metadata) ? body.metadata : {};
      const sent =
        prefix === undefined ? body : { ...body, metadata: { ...metadata, generateName: kind.namespaced ? prefix : `\${ns}-${prefix}` } };
      writer.add(kind, {
        method: 'POST',
        path: collectionOf(kind),
        query,
        ...(twice === undefined ? { body: sent } : { bodyText: duplicated(sent, twice) }),
        ...(yaml && { contentType: 'application/yaml' }),
      });
    });

/** Most objects are there from the beginning, as they were meant to be. */
function plainCreate(kind: TalkedKind): fc.Arbitrary<readonly Move[]> {
  const names = fc.constantFrom(['a'], ['a'], ['a', 'b'], []);
  return names.map((all) =>
    all.map(
      (at): Move =>
        (writer) =>
          writer.add(kind, { method: 'POST', path: collectionOf(kind), body: bodyOf(kind, at, []) }),
    ),
  );
}

const update: Making = (kind) =>
  fc
    .tuple(name, changes(kind), writeQuery, sometimes(seen), seldom(seen), subresourceOf(kind))
    .map(([at, list, query, rv, uid, subresource]) => (writer) => {
      const metadata = {
        ...(rv !== undefined && { resourceVersion: writer.seen(kind, at, 'resourceVersion', rv) }),
        ...(uid !== undefined && { uid: writer.seen(kind, at, 'uid', uid) }),
      };
      writer.add(kind, {
        method: 'PUT',
        path: `${pathOf(kind, at)}${subresource.path}`,
        query,
        body: { ...bodyOf(kind, at, list, metadata), ...subresource.body },
      });
    });

const mergePatch: Making = (kind) =>
  fc
    .tuple(name, changes(kind), writeQuery, seldom(seen), subresourceOf(kind), fc.boolean())
    .map(([at, list, query, rv, subresource, strategic]) => (writer) => {
      const extra = rv === undefined ? {} : { metadata: { resourceVersion: writer.seen(kind, at, 'resourceVersion', rv) } };
      const body = changed({ ...extra, ...subresource.body }, list);
      const contentType =
        strategic && (kind.custom === undefined || list.length > 2)
          ? 'application/strategic-merge-patch+json'
          : 'application/merge-patch+json';
      writer.add(kind, { method: 'PATCH', path: `${pathOf(kind, at)}${subresource.path}`, query, contentType, body });
    });

const jsonPatch: Making = (kind) =>
  fc
    .tuple(
      name,
      fc.array(fc.tuple(fc.constantFrom('add', 'add', 'replace', 'remove', 'test', 'copy', 'move'), changes(kind, 1)), {
        minLength: 1,
        maxLength: 3,
      }),
      writeQuery,
      subresourceOf(kind),
    )
    .map(([at, operations, query, subresource]) => (writer) => {
      const body = operations.flatMap(([op, list]) =>
        list.map(([path, value]) =>
          op === 'remove'
            ? { op, path }
            : op === 'copy' || op === 'move'
              ? { op, from: path, path: '/metadata/labels' }
              : { op, path, value: value ?? null },
        ),
      );
      writer.add(kind, {
        method: 'PATCH',
        path: `${pathOf(kind, at)}${subresource.path}`,
        query,
        contentType: 'application/json-patch+json',
        body,
      });
    });

const apply: Making = (kind) =>
  fc
    .tuple(
      name,
      changes(kind),
      fc.constantFrom('m1', 'm1', 'm2', 'operator'),
      sometimes(fc.constantFrom('true', 'false')),
      subresourceOf(kind),
      fc.boolean(),
      writeQuery,
      seldom(seen, 12),
    )
    .map(([at, list, fieldManager, force, subresource, whole, query, rv]) => (writer) => {
      const metadata = {
        name: fullName(kind, at),
        ...(rv !== undefined && { resourceVersion: writer.seen(kind, at, 'resourceVersion', rv) }),
      };
      const bare = {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadata,
        ...(whole && subresource.path === '' ? kind.body : {}),
        ...subresource.body,
      };
      writer.add(kind, {
        method: 'PATCH',
        path: `${pathOf(kind, at)}${subresource.path}`,
        query: { ...query, fieldManager, ...(force !== undefined && { force }) },
        contentType: 'application/apply-patch+yaml',
        body: changed(bare, list),
      });
    });

const remove: Making = (kind) =>
  fc
    .tuple(
      name,
      seldom(fc.constantFrom('Foreground', 'Background', 'Orphan', 'Nope', ''), 2),
      seldom(fc.constantFrom<Json>(0, 30, -1, null, '5'), 5),
      seldom(fc.record({ uid: seldom(seen, 2), resourceVersion: seldom(seen, 2) }), 3),
      seldom(fc.constantFrom<Json>(['All'], [], ['x']), 8),
      seldom(fc.boolean(), 10),
      fc.boolean(),
    )
    .map(([at, propagationPolicy, gracePeriodSeconds, preconditions, dryRun, orphanDependents, inQuery]) => (writer) => {
      const scalars = withoutAbsent({ propagationPolicy, gracePeriodSeconds, dryRun, orphanDependents });
      const step = { method: 'DELETE', path: pathOf(kind, at) };
      if (inQuery && preconditions === undefined) return writer.add(kind, { ...step, query: scalars });
      const { uid, resourceVersion } = preconditions ?? {};
      const wanted = {
        ...(uid !== undefined && { uid: writer.seen(kind, at, 'uid', uid) }),
        ...(resourceVersion !== undefined && { resourceVersion: writer.seen(kind, at, 'resourceVersion', resourceVersion) }),
      };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...scalars, ...(preconditions !== undefined && { preconditions: wanted }) };
      writer.add(kind, Object.keys(body).length === 2 ? step : { ...step, body });
    });

const selectors = fc
  .record({
    labelSelector: seldom(
      fc.constantFrom(
        'app=a',
        'app!=a',
        'app',
        '!app',
        'app in (a,b)',
        'app notin (a)',
        'app=a,tier=x',
        'app in ()',
        'app in (a),tier',
        'tier notin (x,y),app',
        'app==b',
        'example.com/app=a',
        'app=',
        'app in (a',
        'app,,tier',
        '=',
        'a b',
        'app=é',
        'n>1',
      ),
      2,
    ),
    fieldSelector: seldom(
      fc.constantFrom(
        'metadata.name=a',
        'metadata.name!=a',
        'metadata.namespace=${ns}',
        'spec.nodeName=',
        'status.phase=Pending',
        'type=Opaque',
        'spec.mode=fast',
        'metadata.name=a,metadata.name=b',
        'metadata.name==b',
        'metadata.name=a,spec.mode=slow',
        'metadata.namespace=elsewhere',
        'spec.mode!=fast',
        'metadata.name=',
        'metadata.labels.app=a',
        'metadata.name=\\,',
        'nope=x',
        'metadata.name',
      ),
      3,
    ),
  })
  .map(withoutAbsent);

const list: Making = (kind) =>
  fc
    .tuple(
      selectors,
      fc
        .record({
          limit: seldom(fc.constantFrom('1', '2', '0', '-1', 'x'), 3),
          resourceVersion: seldom(fc.constantFrom('0', '0', '1', '', 'x'), 4),
          resourceVersionMatch: seldom(fc.constantFrom('NotOlderThan', 'Exact', 'Nope'), 6),
          timeoutSeconds: seldom(fc.constantFrom('5', 'x', '-1'), 20),
        })
        .map(withoutAbsent),
      seldom(fc.constantFrom(...formsOf('List')), 8),
      fc.boolean(),
    )
    .map(([chosen, query, accept, goOn]) => (writer) => {
      writer.pause();
      const path = collectionOf(kind);
      // Cluster-wide lists show what other conversations have left; a selector keeps to one's own.
      const mine = kind.namespaced || kind.custom ? {} : { labelSelector: `conversation=\${ns}` };
      const shape = accept === undefined ? {} : { accept };
      const whole = { ...chosen, ...query, ...mine };
      if (query.limit === '1' && goOn && accept === undefined && Object.keys(query).length === 1) {
        writer.add(kind, { path, query: whole, save: { token: '/metadata/continue' } });
        writer.add(kind, { path, query: { ...whole, continue: '${token}' } });
        writer.add(kind, { path, query: { ...whole, limit: '5', continue: '${token}' } });
        // How far a cache has come is told by chance.
      } else
        writer.add(kind, {
          path,
          query: whole,
          ...shape,
          ...(/^[01]$/.test(`${query.resourceVersion}`) && { ignore: ['/metadata/resourceVersion'] }),
        });
    });

/** Columns of built-in kinds are a matter of their own. */
function formsOf(list: 'List' | ''): readonly string[] {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const all = ['application/yaml', `application/json;as=PartialObjectMetadata${list};v=v1;g=meta.k8s.io`];
  return [
    ...all,
    table,
    `${table},application/json`,
    'text/html',
    'application/*',
    'application/yaml;q=0.5,application/json;q=0.9',
    '*/*;q=0.1',
  ];
}

const get: Making = (kind) =>
  fc
    .tuple(name, seldom(fc.constantFrom('0', '1', 'x'), 4), seldom(fc.constantFrom(...formsOf('')), 6), subresourceOf(kind))
    .map(([at, resourceVersion, accept, subresource]) => (writer) => {
      if (resourceVersion !== undefined) writer.pause();
      writer.add(kind, {
        path: `${pathOf(kind, at)}${subresource.path}`,
        ...(resourceVersion !== undefined && { query: { resourceVersion } }),
        ...(accept !== undefined && { accept }),
      });
    });

const watch: Making = (kind) =>
  fc
    .tuple(
      selectors,
      seldom(fc.constantFrom('0', '1', 'x', 'seen', 'seen', 'seen'), 2),
      name,
      fc.constantFrom<Readonly<Record<string, string>>>(
        {},
        {},
        {},
        { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' },
        { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' },
        { sendInitialEvents: 'false', resourceVersionMatch: 'NotOlderThan' },
        { sendInitialEvents: 'true' },
        { resourceVersionMatch: 'Exact' },
        { limit: '1' },
        { timeoutSeconds: 'x' },
      ),
      seldom(fc.constantFrom(...formsOf(''), 'application/json;stream=watch'), 4),
    )
    .map(([chosen, from, at, options, accept]) => (writer) => {
      const mine = kind.namespaced || kind.custom ? {} : { labelSelector: `conversation=\${ns}` };
      const resourceVersion = from === 'seen' ? writer.seen(kind, at, 'resourceVersion', 'earlier') : from;
      const query = { watch: 'true', ...options, ...chosen, ...mine, ...withoutAbsent({ resourceVersion }) };
      writer.watch(kind, collectionOf(kind), query, accept);
    });

const removeAll: Making = (kind) =>
  fc
    .tuple(selectors, seldom(fc.constantFrom('Foreground', 'Background', 'Orphan'), 2), seldom(fc.constantFrom('All', 'x'), 5))
    .map(([chosen, propagationPolicy, dryRun]) => (writer) => {
      if (!kind.namespaced && kind.custom === undefined) return;
      writer.add(kind, {
        method: 'DELETE',
        path: collectionOf(kind),
        query: { ...chosen, ...withoutAbsent({ propagationPolicy, dryRun }) },
      });
    });

const scale: Making = (kind) =>
  fc
    .tuple(name, fc.constantFrom<Json>(0, 2, -1, '3', null, 11), fc.constantFrom('get', 'put', 'patch', 'apply'), seldom(seen, 3))
    .map(([at, replicas, how, rv]) => (writer) => {
      const path = `${pathOf(kind, at)}/scale`;
      if (how === 'get') return writer.add(kind, { path });
      if (how === 'patch')
        return writer.add(kind, { method: 'PATCH', path, contentType: 'application/merge-patch+json', body: { spec: { replicas } } });
      const metadata = {
        name: at,
        ...(kind.namespaced && { namespace: '${ns}' }),
        ...(rv !== undefined && { resourceVersion: writer.seen(kind, at, 'resourceVersion', rv) }),
      };
      const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } };
      if (how === 'put') return writer.add(kind, { method: 'PUT', path, body });
      writer.add(kind, { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', query: { fieldManager: 'm2' }, body });
    });

const own: Making = (kind) =>
  fc
    .tuple(
      name,
      fc.constantFrom(...names),
      fc.constantFrom(...kinds.filter((each) => each.namespaced)),
      fc.boolean(),
      sometimes(fc.boolean()),
      seen,
    )
    .map(([at, ownerName, owner, controller, blocks, uid]) => (writer) => {
      const reference = {
        apiVersion: owner.apiVersion,
        kind: owner.kind,
        name: ownerName,
        uid: writer.seen(owner, ownerName, 'uid', uid),
        ...(controller && { controller }),
        ...(blocks !== undefined && { blockOwnerDeletion: blocks }),
      };
      writer.add(kind, {
        method: 'PATCH',
        path: pathOf(kind, at),
        contentType: 'application/merge-patch+json',
        body: { metadata: { ownerReferences: [reference] } },
      });
    });

const finalize: Making = (kind) =>
  fc
    .tuple(
      name,
      fc.constantFrom<Json>(
        ['example.com/f'],
        ['example.com/f', 'example.com/g'],
        ['foregroundDeletion'],
        ['orphan'],
        [],
        null,
        ['plain'],
        [''],
      ),
    )
    .map(([at, finalizers]) => (writer) => {
      writer.add(kind, {
        method: 'PATCH',
        path: pathOf(kind, at),
        contentType: 'application/merge-patch+json',
        body: { metadata: { finalizers } },
      });
    });

const odd: Making = (kind) =>
  fc
    .tuple(
      fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'HEAD', 'OPTIONS'),
      fc.constantFrom('', '/a', '/a/status', '/a/nope', '/a/scale', '/%20', '/A', '/', '/a/'),
      oddValue,
      fc.constantFrom(
        undefined,
        'application/json',
        'text/plain',
        'application/yaml',
        'application/merge-patch+json',
        'application/json; charset=utf-8',
        'application/json;x',
        'APPLICATION/JSON',
      ),
    )
    .map(([method, path, body, contentType]) => (writer) => {
      if (method === 'DELETE' && path.length < 2 && !kind.namespaced) return;
      if ((method === 'GET' || method === 'HEAD') && path.length < 2 && !kind.namespaced) return;
      writer.add(kind, {
        method,
        path: `${collectionOf(kind)}${path}`,
        ...(method !== 'GET' && method !== 'HEAD' && { body, ...(contentType !== undefined && { contentType }) }),
      });
    });

function moveOf(kind: TalkedKind): fc.Arbitrary<Move> {
  const all: readonly (readonly [number, Making])[] = [
    [7, create],
    [4, update],
    [5, mergePatch],
    [3, jsonPatch],
    [7, apply],
    [3, remove],
    [3, list],
    [3, get],
    [2, watch],
    [1, removeAll],
    [kind.scale ? 2 : 0, scale],
    [1, own],
    [1, finalize],
    [2, odd],
    [20, writeMoves],
  ];
  return fc.oneof(...all.filter(([weight]) => weight > 0).map(([weight, making]) => ({ weight, arbitrary: making(kind) })));
}

/** Scripts of 5 to 30 moves, about one to three kinds. @param only plurals; empty: all kinds. */
export function conversations(only: readonly string[] = []): fc.Arbitrary<(number: number, name: string) => Script> {
  const wanted = kinds.filter((kind) => only.length === 0 || only.includes(kind.plural));
  const kind = fc.oneof(...wanted.map((each) => ({ weight: each.weight, arbitrary: fc.constant(each) })));
  return fc
    .array(kind, { minLength: 1, maxLength: 3 })
    .chain((about) => {
      const begin = fc.tuple(...about.map(plainCreate));
      return fc
        .tuple(begin, fc.array(fc.oneof(...about.map(moveOf)), { minLength: 4, maxLength: 28, size: 'max' }))
        .map(([first, rest]) => [...first.flat(), ...rest]);
    })
    .map((moves) => (number, title) => {
      const writer = new ScriptWriter();
      for (const move of moves) move(writer);
      return writer.script(number, title, 'a conversation that was drawn by chance');
    });
}

function subresourceOf(kind: TalkedKind): fc.Arbitrary<{ readonly path: string; readonly body: JsonObject }> {
  const none = fc.constant({ path: '', body: {} });
  const ofStatus = fc.constantFrom(...statuses).map((status) => ({ path: '/status', body: { status } as JsonObject }));
  return fc.oneof({ weight: 9, arbitrary: none }, { weight: kind.status ? 4 : 1, arbitrary: ofStatus });
}

function withoutAbsent<T extends Readonly<Record<string, unknown>>>(record: T): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Record<string, Json>;
}
