import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { age, durationText, sinceText } from './ages.js';
import { bareSelector, containerCells, labelsText, NONE, nameOf, selectorCell, UNSET } from './cell-text.js';

interface Condition {
  readonly type: string;
  readonly status: string;
}

function containersOf(object: KubeObject): readonly [string, string] {
  return containerCells(object.spec?.template?.spec?.containers);
}

/** What `kubectl get replicationcontrollers -o wide` shows. */
export function replicationControllerCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [...replicaCells(object, nowMs), labelsText(object.spec?.selector)];
}

/** What `kubectl get replicasets -o wide` shows. */
export function replicaSetCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  return [...replicaCells(object, nowMs), selectorCell(object.spec?.selector)];
}

function replicaCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { replicas = 0, readyReplicas = 0 } = object.status ?? {};
  return [nameOf(object), object.spec?.replicas ?? 0, replicas, readyReplicas, age(object, nowMs), ...containersOf(object)];
}

/** What `kubectl get deployments -o wide` shows. */
export function deploymentCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { readyReplicas = 0, updatedReplicas = 0, availableReplicas = 0 } = object.status ?? {};
  const ready = `${readyReplicas}/${object.spec?.replicas ?? 0}`;
  const selector = bareSelector(object.spec?.selector);
  return [nameOf(object), ready, updatedReplicas, availableReplicas, age(object, nowMs), ...containersOf(object), selector];
}

/** What `kubectl get statefulsets -o wide` shows. */
export function statefulSetCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const ready = `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`;
  return [nameOf(object), ready, age(object, nowMs), ...containersOf(object)];
}

/** What `kubectl get daemonsets -o wide` shows. */
export function daemonSetCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const {
    desiredNumberScheduled = 0,
    currentNumberScheduled = 0,
    numberReady = 0,
    updatedNumberScheduled = 0,
    numberAvailable = 0,
  } = object.status ?? {};
  return [
    nameOf(object),
    desiredNumberScheduled,
    currentNumberScheduled,
    numberReady,
    updatedNumberScheduled,
    numberAvailable,
    labelsText(object.spec?.template?.spec?.nodeSelector),
    age(object, nowMs),
    ...containersOf(object),
    selectorCell(object.spec?.selector),
  ];
}

/** What `kubectl get controllerrevisions` shows. */
export function controllerRevisionCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return [nameOf(object), owner === undefined ? NONE : ownerText(owner), object.revision ?? 0, age(object, nowMs)];
}

function ownerText({ apiVersion, kind, name }: { readonly apiVersion: string; readonly kind: string; readonly name: string }): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  return `${`${kind}${group}`.toLowerCase()}/${name}`;
}

/** What `kubectl get jobs -o wide` shows. */
export function jobCells(job: KubeObject, nowMs: number): readonly JsonValue[] {
  const { startTime, completionTime } = job.status ?? {};
  const endMs = completionTime === undefined ? nowMs : Date.parse(completionTime);
  return [
    nameOf(job),
    jobState(job),
    completionsText(job),
    startTime === undefined ? '' : durationText(endMs - Date.parse(startTime)),
    age(job, nowMs),
    ...containersOf(job),
    selectorCell(job.spec?.selector),
  ];
}

function completionsText(job: KubeObject): string {
  const { completions, parallelism = 0 } = job.spec ?? {};
  const succeeded = job.status?.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobState(job: KubeObject): string {
  const conditions: readonly Condition[] = job.status?.conditions ?? [];
  const has = (wanted: string) => conditions.find(({ type }) => type === wanted)?.status === 'True';
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

/** What `kubectl get cronjobs -o wide` shows. */
export function cronJobCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { schedule = '', timeZone = NONE, suspend, jobTemplate } = object.spec ?? {};
  const { lastScheduleTime, active = [] } = object.status ?? {};
  return [
    nameOf(object),
    schedule,
    timeZone,
    suspend === undefined ? UNSET : suspend ? 'True' : 'False',
    active.length,
    lastScheduleTime === undefined ? NONE : sinceText(lastScheduleTime, nowMs),
    age(object, nowMs),
    ...containerCells(jobTemplate?.spec?.template?.spec?.containers),
    selectorCell(jobTemplate?.spec?.selector),
  ];
}

/** What `kubectl get` shows of a Scale. */
export function scaleCells(scale: KubeObject, nowMs: number): readonly JsonValue[] {
  return [nameOf(scale), scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, age(scale, nowMs)];
}

/** What `kubectl get poddisruptionbudgets` shows. */
export function disruptionBudgetCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { minAvailable = 'N/A', maxUnavailable = 'N/A' } = object.spec ?? {};
  return [nameOf(object), `${minAvailable}`, `${maxUnavailable}`, object.status?.disruptionsAllowed ?? 0, age(object, nowMs)];
}
