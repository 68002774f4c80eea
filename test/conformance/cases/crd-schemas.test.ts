import { expect, test } from 'vitest';
import { Cluster, configMaps, type Json, told } from './cluster.js';
import {
  anything,
  beta,
  causes,
  change,
  crd,
  definitions,
  integer,
  object,
  thing,
  things,
  version,
  withThings,
  withVersions,
} from './things.js';

const a = `${things}/a`;

const declared = object({ spec: object({ known: integer }) });

test('CRD-25: what is not declared is pruned, in metadata too; declared fields and labels stay', () => {
  const sent = thing('a', { metadata: { labels: { l: '1' }, unknown: 1 }, spec: { known: 1, unknown: 1 }, unknown: 1 });
  const { body } = withThings(declared).post(things, sent);
  expect(body).toMatchObject({ metadata: { labels: { l: '1' } }, spec: { known: 1 } });
  for (const place of [body, body.metadata, body.spec]) expect(place).not.toHaveProperty('unknown');
});

/** Changes the stored object behind the server's back. */
function inStorage(cluster: Cluster, edit: (object: Json) => void): void {
  const stored = structuredClone(cluster.etcd.get({ resource: 'things.example.com', namespace: 'ns', name: 'a' }) as Json);
  edit(stored);
  cluster.etcd.put({ resource: 'things.example.com', namespace: 'ns', name: 'a' }, stored);
}

test('CRD-27: unknown fields that are in storage are pruned on reading', () => {
  const cluster = withThings(declared);
  cluster.post(things, thing('a', { spec: { known: 1 } }));
  inStorage(cluster, (stored) => {
    stored.spec.unknown = 1;
  });
  expect([cluster.get(a).body.spec, cluster.get(things).body.items[0].spec]).toEqual([{ known: 1 }, { known: 1 }]);
});

test('CRD-28: unknown fields of a patch are pruned from its result', () => {
  const cluster = withThings(declared);
  cluster.post(things, thing('a'));
  expect(cluster.patch(a, { spec: { known: 1, unknown: 1 } }).body.spec).toEqual({ known: 1 });
});

const embedded = (more: Json = {}) => ({ type: 'object', 'x-kubernetes-embedded-resource': true, ...more });

test('CRD-30: an embedded resource keeps apiVersion, kind and metadata; the rest only if unknown fields are preserved', () => {
  const inner = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', unknown: 1 }, extra: 1 };
  const cluster = withThings(
    object({ pruned: embedded({ properties: { x: integer } }), kept: embedded({ 'x-kubernetes-preserve-unknown-fields': true }) }),
  );
  const { body } = cluster.post(things, thing('a', { pruned: inner, kept: inner }));
  const known = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } };
  expect([body.pruned, body.kept]).toEqual([known, { ...known, extra: 1 }]);
});

const defaulted = (...fields: string[]) =>
  object({
    spec: object(Object.fromEntries(['a', 'b', 'c'].map((name) => [name, fields.includes(name) ? { ...integer, default: 1 } : integer]))),
    status: object({ n: { ...integer, default: 1 } }),
  });

test('CRD-31: a create has the defaults of its version and of the storage version; no status is invented', () => {
  const cluster = withVersions(version('v1', true, defaulted('a')), version('v1beta1', false, defaulted('b')));
  const { body } = cluster.post(beta, { ...thing('a', { spec: {} }), apiVersion: 'example.com/v1beta1' });
  expect([body.spec, body.status]).toEqual([{ a: 1, b: 1 }, undefined]);
});

test('CRD-33: a default that comes later is seen on GET, LIST and WATCH without a write', () => {
  const cluster = withThings(defaulted());
  cluster.post(things, thing('a', { spec: {} }));
  change(cluster, version('v1', true, defaulted('a')));
  const before = cluster.revision;
  cluster.run(2000);
  const seen = [
    cluster.get(a).body,
    cluster.get(things).body.items[0],
    cluster.get(`${things}?resourceVersion=0`).body.items[0],
    cluster.watch(`${things}?resourceVersion=0`).events[0]?.object,
  ];
  expect([seen.map(({ spec }) => spec), cluster.revision]).toEqual([[{ a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }], before]);
});

test('CRD-34: a default of the request version alone is not seen on GET until a write in that version stores it', () => {
  const cluster = withVersions(version('v1', true, defaulted()), version('v1beta1', false, defaulted('b')));
  cluster.post(things, thing('a', { spec: {} }));
  expect(cluster.get(`${beta}/a`).body.spec).toEqual({});
  cluster.patch(`${beta}/a`, { metadata: { labels: { l: '1' } } });
  expect([cluster.get(`${beta}/a`).body.spec, cluster.get(a).body.spec]).toEqual([{ b: 1 }, { b: 1 }]);
});

test('CRD-36: defaults within embedded metadata are applied where valid, and pruned where unknown', () => {
  const metadata = object(
    { labels: { type: 'object', additionalProperties: { type: 'string' }, default: { l: '1' } }, name: { type: 'string' } },
    { default: {} },
  );
  const cluster = withThings(object({ inner: embedded({ properties: { metadata } }) }));
  const { body } = cluster.post(things, thing('a', { inner: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', unknown: 1 } } }));
  expect(body.inner.metadata).toEqual({ name: 'p', labels: { l: '1' } });
});

test('CRD-37: a null generation becomes 1, an unknown member of metadata is pruned', () => {
  const { body } = withThings().post(things, thing('a', { metadata: { generation: null, unknown: 1 } }));
  expect([body.metadata.generation, 'unknown' in body.metadata]).toEqual([1, false]);
});

test('CRD-39: invalid labels in storage must be mended by an update, embedded ones too', () => {
  for (const where of ['metadata', 'inner']) {
    const cluster = withThings(object({ inner: embedded({ 'x-kubernetes-preserve-unknown-fields': true }), spec: anything }));
    cluster.post(things, thing('a', { inner: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }, spec: {} }));
    const place = (body: Json) => (where === 'inner' ? body.inner.metadata : body.metadata);
    inStorage(cluster, (stored) => {
      place(stored).labels = { l: 'not valid!' };
    });
    const { body } = cluster.get(a);
    expect(cluster.put(a, { ...body, spec: { n: 1 } }).code).toBe(422);
    place(body).labels = { l: 'valid' };
    expect(cluster.put(a, body).code).toBe(200);
  }
});

test('CRD-40: each violation of the schema is a cause of its own', () => {
  const spec = object(
    { p: { type: 'string', pattern: '^a+$' }, m: { ...integer, minimum: 5 }, e: { type: 'string', enum: ['x'] } },
    { required: ['r'] },
  );
  const refused = withThings(object({ spec })).post(things, thing('a', { spec: { p: 'b', m: 1, e: 'y' } }));
  const messages = causes(refused).join('\n');
  for (const part of ['should match', 'greater than or equal to', 'Unsupported value', 'Required value']) expect(messages).toContain(part);
  expect([refused.body.reason, causes(refused).length]).toEqual(['Invalid', 4]);
});

test('CRD-42: a schema that is not structural is refused', () => {
  const { code } = new Cluster().post(definitions, crd('things', 'Thing', object({ spec: { properties: { n: integer } } })));
  expect(code).toBe(422);
});

test('CRD-43: equal items of a set, or equal keys of a map list, are Duplicate', () => {
  const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: integer };
  const map = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: object({ k: { type: 'string' } }, { required: ['k'] }),
  };
  const cluster = withThings(object({ set, map }));
  for (const fields of [{ set: [1, 1] }, { map: [{ k: 'x' }, { k: 'x' }] }]) {
    const refused = cluster.post(things, thing('a', fields));
    expect([refused.code, causes(refused)[0]]).toEqual([422, expect.stringContaining('Duplicate value')]);
  }
});

test('CRD-45: an undeclared field selector is refused by list, watch and deletecollection alike', () => {
  const cluster = withThings();
  const path = `${things}?fieldSelector=spec.nosuchfield=x`;
  const messages = [cluster.get(path).body.message, cluster.get(`${path}&watch=1`).body.message, cluster.delete(path).body.message];
  expect(new Set(messages)).toEqual(new Set([expect.stringContaining('field label not supported: spec.nosuchfield')]));
});

test('CRD-46: a watch by a selectable field sees an object leave as DELETED and enter as ADDED', () => {
  const cluster = withThings(object({ spec: object({ color: { type: 'string' } }) }), { selectableFields: [{ jsonPath: '.spec.color' }] });
  cluster.post(things, thing('a', { spec: { color: 'red' } }));
  const stream = cluster.watch(`${things}?fieldSelector=spec.color=red&resourceVersion=${cluster.revision}`);
  for (const color of ['blue', 'red']) cluster.patch(a, { spec: { color } });
  expect(told(stream)).toEqual(['DELETED a', 'ADDED a']);
});

test('CRD-48: Strict refuses unknown metadata, of built-in, custom and embedded objects, and names the path', () => {
  const cluster = withThings(object({ inner: embedded({ 'x-kubernetes-preserve-unknown-fields': true }) }));
  const inner = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', unknown: 1 } };
  const asked = [
    [configMaps, { metadata: { name: 'a', unknown: 1 } }, 'metadata.unknown'],
    [things, thing('a', { metadata: { unknown: 1 } }), 'metadata.unknown'],
    [things, thing('a', { inner }), 'inner.metadata.unknown'],
  ] as const;
  for (const [path, body, field] of asked) {
    const refused = cluster.post(`${path}?fieldValidation=Strict`, body);
    expect([refused.code, refused.body.message]).toEqual([400, expect.stringContaining(`unknown field "${field}"`)]);
  }
});

test('CRD-49: Strict finds duplicate keys even where unknown fields are kept', () => {
  const text = '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"n":1,"n":2}}';
  const { code, body } = withThings().post(`${things}?fieldValidation=Strict`, text);
  expect([code, body.message]).toEqual([400, expect.stringContaining('duplicate field "spec.n"')]);
});
