import type { KubeObject } from '../../etcd/object.js';
import type { Look } from '../level-controller.js';
import { isAvailable, isReady } from '../pod-state.js';
import { about, daemonSets, object } from '../requests.js';
import { RequestFailed, type Steps } from '../sync.js';
import { wishFor } from './nodes.js';
import { podsByNode } from './owned-pods.js';
import { byPlaceAndAge, isUpdated } from './pods.js';

/** WL-78. @param observed whether the present generation has been acted on */
export function* updateStatus(
  daemonSet: KubeObject,
  nodes: readonly KubeObject[],
  hash: string,
  observed: boolean,
  look: Look,
): Steps<void> {
  const byNode = yield* podsByNode(daemonSet, look);
  const minReadySeconds = Number(daemonSet.spec?.minReadySeconds ?? 0);
  const nowMs = look.host.nowMs();
  const desired = nodes.filter((node) => wishFor(daemonSet, node).shouldRun);
  const on = (node: KubeObject) => byNode.get(node.metadata.name ?? '') ?? [];
  const first = desired.flatMap((node) => [...on(node)].sort(byPlaceAndAge).slice(0, 1));
  const ready = first.filter(isReady).length;
  const available = first.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length;
  yield* write(daemonSet, observed, {
    currentNumberScheduled: first.length,
    numberMisscheduled: nodes.filter((node) => !desired.includes(node) && on(node).length > 0).length,
    desiredNumberScheduled: desired.length,
    numberReady: ready,
    updatedNumberScheduled: first.filter((pod) => isUpdated(daemonSet, pod, hash)).length,
    numberAvailable: available,
    numberUnavailable: desired.length - available,
  });
  if (minReadySeconds > 0 && ready !== available) look.again(minReadySeconds * 1000);
}

/** Those that are told even when they are 0. */
const always = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'];

/** WL-5: after a failure it is tried once more, whatever object of that name there is by then. */
function* write(daemonSet: KubeObject, observed: boolean, counts: Readonly<Record<string, number>>): Steps<void> {
  const { generation = 0 } = daemonSet.metadata;
  const before = daemonSet.status ?? {};
  const same = Object.entries(counts).every(([field, count]) => Number(before[field] ?? 0) === count);
  if (same && Number(before.observedGeneration ?? 0) >= generation) return;
  const put = (latest: KubeObject) => {
    const others = Object.entries(latest.status ?? {}).filter(([field]) => !Object.hasOwn(counts, field));
    const told = Object.entries(counts).filter(([field, count]) => count !== 0 || always.includes(field));
    const status = { ...Object.fromEntries([...others, ...told]), ...(observed && { observedGeneration: generation }) };
    return about('update', daemonSets, latest, { ...latest, status }, 'status');
  };
  try {
    yield put(daemonSet);
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    yield put(yield* object(about('get', daemonSets, daemonSet)));
  }
}
