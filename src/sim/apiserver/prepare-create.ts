import type { KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import { crdResource, newCrdStatus } from './crd.js';
import { within } from './fill.js';
import { initialStatusOf } from './initial-status.js';
import { rfc3339 } from './metadata.js';
import { newNamespace } from './namespace.js';
import { qosClassOf } from './pod-defaults.js';
import { withAllocations } from './service-allocation.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the kind itself adds to or takes from a new object once it has its name and uid, such as its first status (CR-11,
 * NS-6).
 */
export function prepareForCreate(call: Call, object: KubeObject, dryRun: boolean): KubeObject {
  const { kind } = call;
  if (kind.custom) {
    if (!kind.subresources.has('status') || object.status === undefined) return object;
    const { status: _, ...rest } = object;
    return rest;
  }
  const status = initialStatusOf(kind.resource);
  const prepared = status === undefined ? object : { ...object, status };
  switch (kind.resource) {
    case crdResource:
      return newCrdStatus(prepared);
    case 'namespaces':
      return newNamespace(prepared);
    case 'pods':
      return newPod(call, prepared);
    case 'jobs.batch':
      return newJob(prepared);
    case 'daemonsets.apps':
      return withTemplateGeneration(prepared, 1);
    case 'statefulsets.apps':
      return withoutMaxUnavailable(prepared);
    case 'persistentvolumes':
      return { ...prepared, status: { ...prepared.status, lastPhaseTransitionTime: rfc3339(call.server.environment.nowMs()) } };
    case 'services':
      // A PUT of the status to a missing name creates, and asks nobody for an address (UP-14).
      return call.request.subresource === undefined ? withAllocations(call, prepared, dryRun) : prepared;
    default:
      return prepared;
  }
}

/** CR-11; a pod with gates says itself that it is not to be scheduled. */
function newPod({ server }: Call, pod: KubeObject): KubeObject {
  const status = { ...pod.status, qosClass: qosClassOf(pod.spec) };
  if ((pod.spec?.schedulingGates ?? []).length === 0) return { ...pod, status };
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: rfc3339(server.environment.nowMs()),
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { ...pod, status: { ...status, conditions: [gated] } };
}

/** TK-5: the selector and the labels of a Job's pods are made from its uid, unless the client has its own. */
function newJob(job: KubeObject): KubeObject {
  if (job.spec?.manualSelector === true) return job;
  const { uid = '', name = '' } = job.metadata;
  const generated = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  // Labels that the Job has from its template only are the same as the template's, and change with them.
  const borrowed = job.metadata.labels !== undefined && job.metadata.labels === job.spec?.template?.metadata?.labels;
  const labelled = within(job, 'spec', (spec: Fields) => {
    const template = (spec.template ?? {}) as { readonly metadata?: { readonly labels?: Fields } };
    const metadata = { ...template.metadata, labels: { ...generated, ...template.metadata?.labels } };
    const own = (spec.selector ?? {}) as { readonly matchLabels?: Fields };
    const selector = { ...own, matchLabels: { 'batch.kubernetes.io/controller-uid': uid, ...own.matchLabels } };
    return { ...spec, selector, template: { ...template, metadata } };
  });
  return borrowed ? { ...labelled, metadata: { ...job.metadata, labels: labelled.spec.template.metadata.labels } } : labelled;
}

/** WL-63: how many pods of a StatefulSet may be updated at once is a feature that is off: it is taken out, without a word. */
export function withoutMaxUnavailable(set: KubeObject): KubeObject {
  return within(set, 'spec', (spec: Fields) =>
    within(spec, 'updateStrategy', (strategy: Fields) =>
      within(strategy, 'rollingUpdate', ({ maxUnavailable: _, ...rollingUpdate }: Fields) => rollingUpdate),
    ),
  );
}

/** UP-12 */
export function withTemplateGeneration(daemonSet: KubeObject, generation: number): KubeObject {
  const annotations = { ...daemonSet.metadata.annotations, 'deprecated.daemonset.template.generation': String(generation) };
  return { ...daemonSet, metadata: { ...daemonSet.metadata, annotations } };
}
