import { expect, test } from 'vitest';
import { OwnerGraph } from '../../../src/sim/controllers/owner-graph.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { Cluster, configMaps, names, ref } from './cluster.js';

const config = (name: string, owners: readonly string[] = []): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    namespace: 'ns',
    uid: name,
    ownerReferences: owners.map((owner) => ref({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: owner, uid: owner } })),
  },
});
const silent = { delete() {}, deleteLater() {}, orphan() {}, reportNamespace() {} };
const identity = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'ns', uid: name });

/** All orders in which several histories can be mixed, each in its own order. */
function mixed<T>(...histories: readonly (readonly T[])[]): T[][] {
  const open = histories.filter((history) => history.length > 0);
  if (open.length === 0) return [[]];
  return open.flatMap((history) =>
    mixed(...open.map((other) => (other === history ? other.slice(1) : other))).map((rest) => [history[0] as T, ...rest]),
  );
}

test('GC-21: whatever the order of events, who names an owner is a dependent of it, and the other way round', () => {
  type Event = (graph: OwnerGraph) => void;
  const seen =
    (name: string, ...owners: string[]): Event =>
    (graph) =>
      graph.observe(config(name, owners));
  const gone =
    (name: string): Event =>
    (graph) =>
      graph.forget(identity(name), false);
  const orders = mixed([seen('a')], [seen('b', 'a'), seen('b', 'c')], [seen('c', 'a', 'b'), seen('c', 'b')]);
  expect(orders.length).toBe(30);
  for (const events of orders) {
    const graph = new OwnerGraph(silent);
    // Who still names an owner that has gone is looked at, and is in no set any more.
    for (const event of [...events, gone('c'), gone('a')]) {
      event(graph);
      const nodes = ['a', 'b', 'c'].flatMap((uid) => graph.get(uid) ?? []);
      for (const node of nodes) {
        for (const { uid } of node.owners) expect(graph.get(uid)?.dependents.has(node) ?? true).toBe(true);
        for (const each of node.dependents) expect(each.owners.map(({ uid }) => uid)).toContain(node.uid);
      }
    }
  }
});

test('GC-22: an absent owner is asked for once, and the least recently used of the cache is dropped (500 are kept)', () => {
  const cluster = new Cluster({ controllers: true });
  for (const name of ['p', 'q', 'r']) cluster.post(configMaps, config(name, ['absent']));
  cluster.run(2000);
  expect(names(cluster.get(configMaps).body)).toEqual([]);
  const gets = cluster.clockwork.requests.filter(({ request }) => request.verb === 'get' && request.name === 'absent');
  expect(gets.length).toBe(1);
  const graph = new OwnerGraph(silent);
  for (let index = 0; index < 500; index++) graph.addAbsent(identity(`n${index}`));
  expect(graph.isAbsent(identity('n0'))).toBe(true);
  graph.addAbsent(identity('one-more'));
  expect([graph.isAbsent(identity('n0')), graph.isAbsent(identity('n1'))]).toEqual([true, false]);
});
