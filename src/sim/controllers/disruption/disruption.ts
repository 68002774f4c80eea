import type { Kinds } from '../../apiserver/kinds.js';
import type { KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { type Change, type Look, startLevelController, type Wake } from '../level-controller.js';
import { selectedBy } from '../ownership.js';
import { pathOfObject } from '../references.js';
import { answeredWith, type Steps, type Sync, SyncFailed } from '../sync.js';
import type { View } from '../view.js';
import { type Expectation, expectationOf } from './scale.js';
import { selectorAsGo } from './selector-text.js';
import { letStay, staleInMs } from './stale-pods.js';
import { leavingPods, writeFailure, writeStatus } from './status.js';

/** Before the path of a pod that has said for too long that it is being disrupted. */
const staleKey = 'stale pod ';
/** Before the path of a pod that several budgets mean. */
const sharedKey = 'shared pod ';

/** Tells in each PodDisruptionBudget how many of its pods may go (WL-113 to WL-116). */
export function startDisruptionController(host: Host, feed: ObjectFeed, kinds: Kinds): void {
  startLevelController(host, feed, {
    name: 'disruption-controller',
    component: 'controllermanager',
    resource: 'poddisruptionbudgets.policy',
    related: {
      pods: (change, view) => podWakes(change, view, host.nowMs()),
      replicationcontrollers: () => [],
      'replicasets.apps': () => [],
      'deployments.apps': () => [],
      'statefulsets.apps': () => [],
    },
    sync: (key, look) => {
      if (key.startsWith(staleKey)) return letStay(key.slice(staleKey.length), look);
      return key.startsWith(sharedKey) ? warn(key.slice(sharedKey.length), look) : sync(key, look, kinds);
    },
  });
}

function budgetsOf(pod: KubeObject, view: View): readonly KubeObject[] {
  return view.list('poddisruptionbudgets.policy', pod.metadata.namespace).filter((budget) => selectedBy(budget, pod));
}

function podWakes({ type, object: pod }: Change, view: View, nowMs: number): readonly Wake[] {
  const [budget, ...more] = budgetsOf(pod, view);
  const wakes: Wake[] = budget === undefined ? [] : [pathOfObject(budget)];
  if (more.length > 0) wakes.push(sharedKey + pathOfObject(pod));
  const staleMs = type === 'DELETED' ? undefined : staleInMs(pod, nowMs);
  if (staleMs !== undefined) wakes.push({ key: staleKey + pathOfObject(pod), afterMs: staleMs });
  return wakes;
}

// biome-ignore lint/correctness/useYield: a look is a line of requests, this one has none.
function* warn(path: string, { view, event }: Look): Sync {
  const pod = view.get('pods', path);
  const [budget, ...more] = pod === undefined ? [] : budgetsOf(pod, view);
  if (pod === undefined || budget === undefined || more.length === 0) return;
  const { namespace, name } = pod.metadata;
  const chosen = `Chose "${budget.metadata.name}" arbitrarily.`;
  event(pod, 'Warning', 'MultiplePodDisruptionBudgets', `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  ${chosen}`);
}

function* sync(key: string, look: Look, kinds: Kinds): Sync {
  const budget = look.view.get('poddisruptionbudgets.policy', key);
  if (budget === undefined) return;
  try {
    yield* count(budget, look, kinds);
  } catch (error) {
    if (!(error instanceof SyncFailed) || answeredWith(error, 409)) throw error;
    yield* writeFailure(budget, error.message, look.host.nowMs());
  }
}

function* count(budget: KubeObject, look: Look, kinds: Kinds): Steps<void> {
  const { view, event, host } = look;
  const pods = view.list('pods', budget.metadata.namespace).filter((pod) => selectedBy(budget, pod));
  if (pods.length === 0) event(budget, 'Normal', 'NoPods', 'No matching pods found');
  let expectation: Expectation;
  try {
    expectation = yield* expectationOf(budget, pods, look, kinds);
  } catch (error) {
    if (error instanceof SyncFailed) {
      const text = `Failed to calculate the number of expected pods: ${error.message}`;
      event(budget, 'Warning', 'CalculateExpectedPodCountFailed', text);
    }
    throw error;
  }
  if (expectation.unmanaged) {
    const which = `Pods selected by this PodDisruptionBudget (selector: ${selectorAsGo(budget.spec?.selector)}) were found to be unmanaged.`;
    const so = 'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.';
    const remedy = 'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
    event(budget, 'Warning', 'UnmanagedPods', `${which} ${so} ${remedy}`);
  }
  const leaving = leavingPods(budget, pods, look);
  yield* writeStatus(budget, pods, expectation, leaving.pods, host.nowMs());
  if (leaving.againMs !== undefined) look.again(leaving.againMs);
}
