import type { KubeObject } from '../etcd/object.js';
import { admitPosted } from './admission/posted.js';
import type { Call } from './call.js';
import { decodeBody } from './decode.js';
import { deleteNamed } from './delete.js';
import { type DeleteOptions, deleteOptions } from './delete-options.js';
import { disruptionCondition, withDisruptionAllowed } from './disruption-budget.js';
import { invalidValue } from './field-errors.js';
import { type KindInfo, keyOf } from './kinds.js';
import { rfc3339 } from './metadata.js';
import { type LabelSelector, selects } from './object-selector.js';
import { writeOptions } from './options.js';
import { withPodCondition } from './pod-condition.js';
import { bodyKind, created } from './pod-subresources.js';
import { parameters } from './query.js';
import type { ApiResponse } from './request.js';
import { badRequest, forbidden, internalWithoutReason, invalid, notFound, preconditionConflict, tooManyRequests } from './status.js';
import { store } from './store.js';

/** How many pods a budget may have allowed to go without its controller having noticed. */
const mostDisrupted = 2000;

/** POST of `pods/x/eviction`: a delete that asks the disruption budgets first (OV-7, OV-9, WL-115). @throws ApiStatusError */
export function evict(call: Call): ApiResponse {
  const { server, kind, request } = call;
  const options = writeOptions(request, 'CreateOptions');
  const ofKind = bodyKind(kind, 'policy', 'v1', 'Eviction');
  const body = decodeBody({ ...call, kind: ofKind }, options);
  const name = request.name ?? '';
  if (body.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const ignoring = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  if (body.deleteOptions?.[ignoring] === true) {
    const text = 'can not be set for pod eviction, try after removing the option';
    throw invalid(ofKind, name, [invalidValue(`deleteOptions.${ignoring}`, true, text)]);
  }
  const dryRun = parameters(request.query, 'dryRun');
  const inBody: readonly string[] = body.deleteOptions?.dryRun ?? [];
  if (dryRun.length > 0 && inBody.length > 0 && dryRun.join() !== inBody.join()) {
    const both = `[${dryRun.join(' ')}] and [${inBody.join(' ')}]`;
    throw internalWithoutReason(`Non-matching dry-run options in request and content: ${both}`);
  }
  const eviction = admitPosted(call, options, ofKind, body);
  const key = keyOf(kind, request.namespace, name);
  const pod = server.etcd.get(key);
  if (pod === undefined) throw notFound(kind, name);
  const sent = deleteOptions({ ...request, body: eviction.deleteOptions ?? {} }, server.kinds);
  const deletion = { ...sent, dryRun: sent.dryRun || options.dryRun };
  if (!evictsFreely(pod)) charge(call, pod, deletion.dryRun);
  deleteNamed(call, request.namespace, name, deletion.dryRun ? deletion : announce(call, pod, deletion));
  return { code: 201, body: created };
}

/** The pod is told why it goes. @returns the options, with the pod's new resourceVersion for the old. @throws ApiStatusError 409 */
function announce({ server, kind, request }: Call, pod: KubeObject, deletion: DeleteOptions): DeleteOptions {
  const { uid, resourceVersion } = pod.metadata;
  const name = request.name ?? '';
  const refuse = (what: string, asked: string, there: string | undefined, consequence: string) =>
    preconditionConflict(
      kind,
      name,
      `the ${what} in the precondition (${asked}) does not match the ${what} in record (${there}). The object might have been ${consequence}`,
    );
  if (deletion.uid && deletion.uid !== uid) throw refuse('UID', deletion.uid, uid, 'deleted and then recreated');
  if (deletion.resourceVersion && deletion.resourceVersion !== resourceVersion)
    throw refuse('ResourceVersion', deletion.resourceVersion, resourceVersion, 'modified');
  const target = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' } as const;
  const told = store(server, keyOf(kind, request.namespace, name), withPodCondition(pod, target, server.environment.nowMs()));
  const { resourceVersion: after } = told.metadata;
  return deletion.resourceVersion !== undefined && after !== undefined ? { ...deletion, resourceVersion: after } : deletion;
}

/** Pods that do not run, or no longer, disrupt nothing (WL-116). */
function evictsFreely(pod: KubeObject): boolean {
  const phase = pod.status?.phase;
  return phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed' || pod.metadata.deletionTimestamp !== undefined;
}

/** Takes the disruption from the pod's budget. @throws ApiStatusError 403, 429, 500 */
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
  const { status = {} } = budget;
  if (!isReady(pod)) {
    // WL-116
    if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return;
    if (status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0) return;
  }
  const { name = '', namespace = '' } = budget.metadata;
  refuseDisruption(budgets, budget);
  if (dryRun) return;
  const nowMs = server.environment.nowMs();
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? '']: rfc3339(nowMs) };
  const charged = { ...status, disruptionsAllowed: status.disruptionsAllowed - 1, disruptedPods };
  const told = charged.disruptionsAllowed > 0 ? charged : withDisruptionAllowed(charged, nowMs);
  store(server, keyOf(budgets, namespace, name), { ...budget, status: told });
}

/** @throws ApiStatusError when the budget allows no disruption */
function refuseDisruption(budgets: KindInfo, budget: KubeObject): void {
  const { name = '' } = budget.metadata;
  const {
    observedGeneration = 0,
    disruptionsAllowed = 0,
    currentHealthy = 0,
    desiredHealthy = 0,
    disruptedPods = {},
  } = budget.status ?? {};
  const refuse = (message: string, retryAfterSeconds = 0) => {
    const cause = { reason: 'DisruptionBudget', message };
    return tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfterSeconds, [cause]);
  };
  const forbid = (text: string) =>
    forbidden({ ...budgets, plural: 'poddisruptionbudget', resource: 'poddisruptionbudget.policy' }, name, text);
  if (observedGeneration < (budget.metadata.generation ?? 0)) {
    throw refuse(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (disruptionsAllowed < 0) throw forbid('pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > mostDisrupted) {
    throw forbid('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (disruptionsAllowed > 0) return;
  const condition = disruptionCondition(budget.status);
  const explained = condition?.status === 'False' && condition.message !== '' ? condition : undefined;
  const not = `The disruption budget ${name} does not allow evicting pods currently`;
  if (explained?.reason === 'SyncFailed') throw refuse(`${not} because it failed sync: ${explained.message}`);
  if (currentHealthy <= desiredHealthy) {
    throw refuse(`The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`);
  }
  throw refuse(explained === undefined ? not : `${not} (${explained.reason}): ${explained.message}`);
}

function isReady(pod: KubeObject): boolean {
  const conditions: readonly { readonly type: string; readonly status: string }[] = pod.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
