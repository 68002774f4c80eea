import type { Kinds } from '../../apiserver/kinds.js';
import { rfc3339 } from '../../apiserver/metadata.js';
import { deepEqual, groupVersionOf, type KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { type Look, startLevelController } from '../level-controller.js';
import { pathOfObject } from '../references.js';
import { about, horizontalPodAutoscalers, object, type Resource } from '../requests.js';
import { type Steps, type Sync, SyncFailed } from '../sync.js';
import { type AutoscalerStatus, withAutoscalerCondition } from './conditions.js';
import { type Metric, metricFailure } from './metrics.js';

/** It looks at an autoscaler so long after it was made, and then so often (WL-118). */
const periodMs = 15_000;

/**
 * Holds the targets of HorizontalPodAutoscalers between their minimum and maximum (WL-118). There is no metrics server, so no
 * number of replicas in between is ever proposed.
 */
export function startAutoscaler(host: Host, feed: ObjectFeed, kinds: Kinds): void {
  startLevelController(host, feed, {
    name: 'horizontal-pod-autoscaler',
    resource: 'horizontalpodautoscalers.autoscaling',
    own: ({ object: autoscaler }) => [{ key: pathOfObject(autoscaler), afterMs: periodMs }],
    related: {},
    sync: (key, look) => sync(key, look, kinds),
  });
}

function* sync(key: string, look: Look, kinds: Kinds): Sync {
  const { view, again } = look;
  const autoscaler = view.get('horizontalpodautoscalers.autoscaling', key);
  if (autoscaler === undefined) return;
  again(periodMs);
  const before: AutoscalerStatus = autoscaler.status ?? {};
  const status = yield* reconcile(autoscaler, before, look, kinds);
  if (deepEqual(before, status)) return;
  yield about('update', horizontalPodAutoscalers, autoscaler, { ...autoscaler, apiVersion: 'autoscaling/v2', status }, 'status');
}

/** @returns the status that tells what was done, and what could not be */
function* reconcile(autoscaler: KubeObject, before: AutoscalerStatus, look: Look, kinds: Kinds): Steps<AutoscalerStatus> {
  const { host, event } = look;
  const say = (status: AutoscalerStatus, type: string, value: 'True' | 'False', reason: string, message: string): AutoscalerStatus =>
    withAutoscalerCondition(status, { type, status: value, lastTransitionTime: rfc3339(host.nowMs()), reason, message });
  const target: KubeObject = { metadata: { name: autoscaler.spec?.scaleTargetRef?.name, namespace: autoscaler.metadata.namespace ?? '' } };
  let resource: Resource;
  let scale: KubeObject;
  try {
    resource = resourceOf(autoscaler, kinds);
    scale = yield* object(about('get', resource, target, undefined, 'scale'));
  } catch (error) {
    if (!(error instanceof SyncFailed)) throw error;
    event(autoscaler, 'Warning', 'FailedGetScale', error.message);
    const text = `the HPA controller was unable to get the target's current scale: ${error.message}`;
    return say(before, 'AbleToScale', 'False', 'FailedGetScale', text);
  }
  const found = "the HPA controller was able to get the target's current scale";
  const able = say(before, 'AbleToScale', 'True', 'SucceededGetScale', found);
  const current: number = scale.spec?.replicas ?? 0;
  const { minReplicas = 1, maxReplicas } = autoscaler.spec ?? {};
  if (current === 0 && minReplicas !== 0) {
    const disabled = 'scaling is disabled since the replica count of the target is zero';
    const status = say(able, 'ScalingActive', 'False', 'ScalingDisabled', disabled);
    return { ...status, ...replicas(0), desiredReplicas: 0, currentMetrics: null };
  }
  const desired = Math.min(Math.max(current, minReplicas), maxReplicas);
  if (desired === current) return withoutMetrics(autoscaler, able, current, look);
  try {
    yield about('update', resource, target, { ...scale, spec: { replicas: desired } }, 'scale');
  } catch (error) {
    if (!(error instanceof SyncFailed)) throw error;
    event(autoscaler, 'Warning', 'FailedRescale', `New size: ${desired}; reason: ${reasonOf(current, desired)}; error: ${error.message}`);
    const text = `the HPA controller was unable to update the target scale: ${error.message}`;
    return { ...say(able, 'AbleToScale', 'False', 'FailedUpdateScale', text), ...replicas(current) };
  }
  event(autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${reasonOf(current, desired)}`);
  const rescaled = `the HPA controller was able to update the target scale to ${desired}`;
  const status = say(able, 'AbleToScale', 'True', 'SucceededRescale', rescaled);
  return { ...status, ...replicas(current), desiredReplicas: desired, currentMetrics: null, lastScaleTime: rfc3339(host.nowMs()) };
}

function reasonOf(current: number, desired: number): string {
  return desired > current ? 'Current number of replicas below Spec.MinReplicas' : 'Current number of replicas above Spec.MaxReplicas';
}

/** None is told of by leaving it out. */
function replicas(current: number): { readonly currentReplicas?: number } {
  return current === 0 ? {} : { currentReplicas: current };
}

/** Without metrics nothing is proposed, and each metric says why. */
function withoutMetrics(autoscaler: KubeObject, able: AutoscalerStatus, current: number, { host, event }: Look): AutoscalerStatus {
  const metrics: readonly Metric[] = autoscaler.spec?.metrics ?? [];
  const failures = metrics.map(metricFailure);
  for (const { reason, message } of failures) event(autoscaler, 'Warning', reason, message);
  const [first] = failures;
  if (first === undefined) return { ...able, ...replicas(current) };
  const many = `invalid metrics (${failures.length} invalid out of ${metrics.length}), first error is: ${first.wrapped}`;
  event(autoscaler, 'Warning', 'FailedComputeMetricsReplicas', many);
  const inactive = withAutoscalerCondition(able, {
    type: 'ScalingActive',
    status: 'False',
    lastTransitionTime: rfc3339(host.nowMs()),
    reason: first.reason,
    message: `the HPA was unable to compute the replica count: ${first.message}`,
  });
  return { ...inactive, ...replicas(current), currentMetrics: metrics.map(() => ({ type: '' })) };
}

/** @throws SyncFailed when the server has no such kind */
function resourceOf(autoscaler: KubeObject, kinds: Kinds): Resource {
  const { apiVersion = '', kind = '' } = autoscaler.spec?.scaleTargetRef ?? {};
  const { group, version } = groupVersionOf(String(apiVersion));
  const found = kinds.findKind(group, version, kind);
  if (found === undefined) throw new SyncFailed(`no matches for kind "${kind}" in group "${group}"`);
  return { group: found.group, version: found.version, plural: found.plural };
}
