import type { KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import { crdResource, newCrdStatus } from './crd.js';
import { each, fill, within } from './fill.js';
import { initialStatusOf } from './initial-status.js';
import { rfc3339 } from './metadata.js';
import { newNamespace } from './namespace.js';
import { qosClassOf } from './pod-defaults.js';

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
    case 'persistentvolumes':
      return { ...prepared, status: { ...prepared.status, lastPhaseTransitionTime: rfc3339(call.server.environment.nowMs()) } };
    case 'services':
      return newService(call, prepared, dryRun);
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
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const result = within(job, 'spec', (spec: Fields) => {
    const template = (spec.template ?? {}) as { readonly metadata?: { readonly labels?: Fields } };
    const metadata = { ...template.metadata, labels: { ...template.metadata?.labels, ...labels } };
    const selector = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
    return { ...spec, selector, template: { ...template, metadata } };
  });
  if (job.metadata.labels !== undefined) return result;
  return { ...result, metadata: { ...result.metadata, labels: result.spec?.template?.metadata?.labels ?? labels } };
}

/** UP-12 */
export function withTemplateGeneration(daemonSet: KubeObject, generation: number): KubeObject {
  const annotations = { ...daemonSet.metadata.annotations, 'deprecated.daemonset.template.generation': String(generation) };
  return { ...daemonSet, metadata: { ...daemonSet.metadata, annotations } };
}

const firstNodePort = 30_000;
const nodePorts = 2768;

/** TK-1, TK-6: addresses and node ports are given out; a dry run gets the network address (ST-17). */
function newService({ server, kind }: Call, service: KubeObject, dryRun: boolean): KubeObject {
  const spec = service.spec ?? {};
  if (spec.type === 'ExternalName') return service;
  const { name = '', namespace = '' } = service.metadata;
  const draw = (what: string) => server.randomFor(what, kind, namespace, name, dryRun);
  const headless = spec.clusterIP === 'None';
  const dual = headless && spec.selector === undefined;
  const families = { ipFamilies: dual ? ['IPv4', 'IPv6'] : ['IPv4'], ipFamilyPolicy: dual ? 'RequireDualStack' : 'SingleStack' };
  const clusterIP = spec.clusterIP || (dryRun ? '10.0.0.0' : addressOf(draw('clusterIP')));
  const { clusterIP: _, ...rest } = spec;
  let next: Fields = fill({ ...rest, clusterIP }, { clusterIPs: [clusterIP], ...families });
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') {
    next = within(next, 'ports', (ports: readonly Fields[]) =>
      each(ports, (port) => fill(port, { nodePort: firstNodePort + Math.floor(draw(`nodePort ${port.port}`) * nodePorts) })),
    );
  }
  return { ...service, spec: next };
}

/** An address of 10.0.0.0/16. */
function addressOf(random: number): string {
  const host = 1 + Math.floor(random * 65_534);
  return `10.0.${host >> 8}.${host & 255}`;
}
