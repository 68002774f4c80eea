import type { KubeObject } from '../etcd/object.js';
import { admitPosted } from './admission/posted.js';
import type { Call } from './call.js';
import { decodeBody } from './decode.js';
import { deleteNamed } from './delete.js';
import { deleteOptions } from './delete-options.js';
import { requiredValue } from './field-errors.js';
import { type KindInfo, keyOf } from './kinds.js';
import { rfc3339 } from './metadata.js';
import { type LabelSelector, selects } from './object-selector.js';
import { writeOptions } from './options.js';
import type { ApiResponse, Status } from './request.js';
import { badRequest, conflict, internalWithoutReason, invalid, notFound, tooManyRequests } from './status.js';
import { store } from './store.js';

const created: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** POST of `pods/x/binding`, or of `bindings`: what a scheduler does (TK-8, TK-11). @throws ApiStatusError */
export function bind(call: Call): ApiResponse {
  const { server, request } = call;
  const options = writeOptions(request, 'CreateOptions');
  const pods = server.kinds.find('', 'v1', 'pods') as KindInfo;
  const ofKind = bodyKind(pods, '', 'v1', 'Binding');
  const binding = admitPosted(call, options, ofKind, decodeBody({ ...call, kind: ofKind }, options));
  const name = request.name ?? binding.metadata.name ?? '';
  const node = binding.target?.name;
  if (typeof node !== 'string' || node === '') throw invalid({ kind: 'Binding', group: '' }, name, [requiredValue('target.name')]);
  const key = keyOf(pods, request.namespace, name);
  const pod = server.etcd.get(key);
  if (pod === undefined) throw notFound(pods, name);
  const refuse = (text: string) => conflict({ group: '', kind: 'Binding', plural: 'pods/binding', resource: 'pods/binding' }, name, text);
  if (pod.metadata.deletionTimestamp !== undefined) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec?.nodeName) throw refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  const bound = withPodCondition({ ...pod, spec: { ...pod.spec, nodeName: node } }, { type: 'PodScheduled', status: 'True' }, server);
  if (!options.dryRun) store(server, key, bound);
  return { code: 201, body: created };
}

/** POST of `pods/x/eviction`: a delete that asks the disruption budgets first (OV-7, OV-9). @throws ApiStatusError */
export function evict(call: Call): ApiResponse {
  const { server, kind, request } = call;
  const options = writeOptions(request, 'CreateOptions');
  const ofKind = bodyKind(kind, 'policy', 'v1', 'Eviction');
  const body = decodeBody({ ...call, kind: ofKind }, options);
  const name = request.name ?? '';
  if (body.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const eviction = admitPosted(call, options, ofKind, body);
  const key = keyOf(kind, request.namespace, name);
  const pod = server.etcd.get(key);
  if (pod === undefined) throw notFound(kind, name);
  const sent = deleteOptions({ ...request, body: eviction.deleteOptions ?? {} }, server.kinds);
  const deletion = { ...sent, dryRun: sent.dryRun || options.dryRun };
  if (!evictsFreely(pod)) charge(call, pod, deletion.dryRun);
  if (!deletion.dryRun && pod.metadata.deletionTimestamp === undefined && (deletion.uid ?? pod.metadata.uid) === pod.metadata.uid) {
    const target = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    } as const;
    store(server, key, withPodCondition(pod, target, server));
  }
  deleteNamed(call, request.namespace, name, deletion);
  return { code: 201, body: created };
}

/** Pods that do not run, or no longer, disrupt nothing. */
function evictsFreely(pod: KubeObject): boolean {
  const phase = pod.status?.phase;
  return phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed' || pod.metadata.deletionTimestamp !== undefined;
}

/** Takes the disruption from the pod's budget. @throws ApiStatusError 429, 500 */
function charge({ server, request }: Call, pod: KubeObject, dryRun: boolean): void {
  const budgets = server.kinds.find('policy', 'v1', 'poddisruptionbudgets') as KindInfo;
  const matching = server.etcd
    .list(budgets.storedAs)
    .filter((budget) => budget.metadata.namespace === request.namespace)
    .filter((budget) => selects(budget.spec?.selector as LabelSelector | undefined, pod.metadata.labels));
  if (matching.length > 1) {
    throw internalWithoutReason('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  }
  const budget = matching[0];
  if (budget === undefined) return;
  const status = budget.status ?? {};
  if (!isReady(pod)) {
    if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return;
    if (status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0) return;
  }
  const { name = '', namespace = '' } = budget.metadata;
  refuseDisruption(budget);
  if (dryRun) return;
  const disruptionsAllowed = status.disruptionsAllowed - 1;
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? '']: rfc3339(server.environment.nowMs()) };
  const conditions = disruptionsAllowed > 0 ? status.conditions : withInsufficientPods(status.conditions, server.environment.nowMs());
  const charged = { ...budget, status: { ...status, disruptionsAllowed, disruptedPods, ...(conditions && { conditions }) } };
  store(server, keyOf(budgets, namespace, name), charged);
}

function refuseDisruption(budget: KubeObject): void {
  const { name } = budget.metadata;
  const { observedGeneration = 0, disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0, conditions = [] } = budget.status ?? {};
  const refuse = (message: string, retryAfterSeconds = 0) => {
    const cause = { reason: 'DisruptionBudget', message };
    return tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfterSeconds, [cause]);
  };
  if (observedGeneration < (budget.metadata.generation ?? 0)) {
    throw refuse(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (disruptionsAllowed > 0) return;
  const failed = (conditions as readonly Condition[]).find(({ type, reason }) => type === 'DisruptionAllowed' && reason === 'SyncFailed');
  if (failed !== undefined) {
    throw refuse(`The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failed.message}`);
  }
  throw currentHealthy <= desiredHealthy
    ? refuse(`The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`)
    : refuse(`The disruption budget ${name} does not allow evicting pods currently`);
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

function withInsufficientPods(conditions: readonly Condition[] | undefined, nowMs: number): readonly Condition[] | undefined {
  return conditions?.map((condition) =>
    condition.type === 'DisruptionAllowed'
      ? { ...condition, status: 'False', reason: 'InsufficientPods', lastTransitionTime: rfc3339(nowMs) }
      : condition,
  );
}

function withPodCondition(pod: KubeObject, condition: Condition, server: Call['server']): KubeObject {
  const present: readonly Condition[] = pod.status?.conditions ?? [];
  const { type, status, ...rest } = condition;
  const after = { type, status, lastProbeTime: null, lastTransitionTime: rfc3339(server.environment.nowMs()), ...rest };
  const known = present.some((each) => each.type === type);
  const conditions = known ? present.map((each) => (each.type === type ? after : each)) : [...present, after];
  return { ...pod, status: { ...pod.status, conditions } };
}

function isReady(pod: KubeObject): boolean {
  const conditions: readonly Condition[] = pod.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** The kind of a body that is posted to another object's subresource. */
export function bodyKind(parent: KindInfo, group: string, version: string, kind: string): KindInfo {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { ...parent, group, version, apiVersion, kind, plural: `${kind.toLowerCase()}s`, resource: `${kind.toLowerCase()}s` };
}
