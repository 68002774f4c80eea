import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer } from '../../sim/apiserver/a-server.js';
import { file, type Go, rowsOf } from './data.js';
import { evaluate } from './go-constants.js';
import { difference, type Row, row } from './row.js';

/** The finalizers of the pods that the Go tests make. */
const pods: Readonly<Record<string, readonly string[]>> = {
  podWithOrphanFinalizer: ['foo.com/x', 'orphan', 'bar.com/y'],
  podWithOtherFinalizers: ['foo.com/x', 'bar.com/y'],
  podWithNoFinalizer: [],
  podWithOnlyOrphanFinalizer: ['orphan'],
};

const names: Go = {
  backgroundPolicy: 'Background',
  foregroundPolicy: 'Foreground',
  orphanPolicy: 'Orphan',
  nilOrphanOptions: {},
  nonOrphanOptions: { orphanDependents: false },
  orphanOptions: { orphanDependents: true },
};

/** A kind whose dependents are deleted unless it is said otherwise, and one whose are orphaned (DE-4). */
const strategies: Readonly<Record<string, string>> = {
  defaultDeleteStrategy: 'configmaps',
  orphanDeleteStrategy: 'replicationcontrollers',
};

/** Deletes: which finalizers they leave, and how long what is being deleted has left. */
export function deleteRows(): readonly Row[] {
  return [
    ...file('delete/generic-registry-store.json').tables.flatMap((table) =>
      (Array.isArray(table.rows) ? table.rows : Object.values(table.rows)).map((each, index) => {
        const [name, go] = (Array.isArray(each) ? each : [`${index}`, each]) as unknown as readonly [string, Go];
        return row(`${table.func}/${name}`, () => finalizersLeft(go));
      }),
    ),
    ...file('delete/rest-delete.json').tables.flatMap((table) =>
      rowsOf(table)
        .filter(([name]) => isReachable(name))
        .map(([name, go]) => row(`${table.func}/${name}`, () => graceLeft(go))),
    ),
  ];
}

function finalizersLeft(go: Go): string | undefined {
  const resource = String(strategies[String((go.strategy as Go).$ref)]);
  const pod = go.pod as Go | undefined;
  const finalizers = pod === undefined ? (evaluate(go.existingFinalizers ?? []) as readonly string[]) : pods[String(pod.$call)];
  const { PropagationPolicy, orphanDependents } = (evaluate(go.options, names) ?? {}) as Go;
  const body = {
    ...(PropagationPolicy !== undefined && PropagationPolicy !== null && { propagationPolicy: PropagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents }),
  };
  const server = new AServer();
  const spec = { template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } };
  server.do({ verb: 'create', resource, body: { metadata: { name: 'a', finalizers }, ...(resource !== 'configmaps' && { spec }) } });
  const deleted = server.do({ verb: 'delete', resource, name: 'a', ...(go.options !== null && { body }) });
  if (deleted.response.code >= 300) return JSON.stringify(deleted.response.body);
  const { response } = server.do({ resource, name: 'a' });
  if (response.code === 404) return (go.expectNotFound ?? go.expectedNotFound) === true ? undefined : 'is gone';
  const wanted = evaluate(go.updatedFinalizers ?? go.expectedFinalizers ?? []) as readonly string[];
  // The order of what is put in is the store's own affair.
  return difference([...wanted].sort(), [...((response.body as KubeObject).metadata.finalizers ?? [])].sort());
}

/** No stored pod has a negative period. */
function isReachable(name: string): boolean {
  return !name.includes('DeletionGracePeriodSeconds=-1');
}

function graceLeft(go: Go): string | undefined {
  const { pod, options } = go.args as { readonly pod: Go; readonly options: Go };
  const seconds = (pod.args as readonly unknown[]).at(-1) as number;
  const passed = pod.$call === 'makePodWithDeletionTimestamp' ? 60_000 : 0;
  const server = new AServer();
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  server.do({ verb: 'create', resource: 'pods', body: { metadata: { name: 'a', finalizers: ['a.example.com/b'] }, spec } });
  const remove = (gracePeriodSeconds: unknown) => server.do({ verb: 'delete', resource: 'pods', name: 'a', body: { gracePeriodSeconds } });
  remove(seconds);
  // The time at which the pod is due has come, and as much has gone by.
  server.nowMs += passed === 0 ? 0 : seconds * 1000 + passed;
  const { response } = remove((options.args as readonly unknown[])[0]);
  if (response.code >= 300) return JSON.stringify(response.body);
  const left = server.do({ resource: 'pods', name: 'a' }).response.body as KubeObject;
  return difference(evaluate(go.wantDeletionGracePeriodSeconds), left.metadata.deletionGracePeriodSeconds);
}
