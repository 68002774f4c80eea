import type { JsonValue } from '../etcd/object.js';

type Fields = Readonly<Record<string, JsonValue>>;

/** CR-11: the status that a new object of a built-in kind starts with, whatever was sent. Node keeps what was sent. */
const initialStatus: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ['pods', { phase: 'Pending', qosClass: 'BestEffort' }],
  ['persistentvolumeclaims', {}],
  ['persistentvolumes', { phase: 'Pending' }],
  ['namespaces', { phase: 'Active' }],
  ['services', { loadBalancer: {} }],
  ['ingresses.networking.k8s.io', { loadBalancer: {} }],
  ['horizontalpodautoscalers.autoscaling', { desiredReplicas: 0, currentMetrics: null }],
  ['deployments.apps', {}],
  ['jobs.batch', {}],
  ['cronjobs.batch', {}],
  ['resourcequotas', {}],
  ['replicasets.apps', { replicas: 0 }],
  ['replicationcontrollers', { replicas: 0 }],
  ['statefulsets.apps', { replicas: 0, availableReplicas: 0 }],
  ['daemonsets.apps', { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }],
  ['poddisruptionbudgets.policy', { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }],
  ['volumeattachments.storage.k8s.io', { attached: false }],
  ['certificatesigningrequests.certificates.k8s.io', {}],
  ['validatingadmissionpolicies.admissionregistration.k8s.io', {}],
  ['flowschemas.flowcontrol.apiserver.k8s.io', {}],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io', {}],
  ['servicecidrs.networking.k8s.io', {}],
  ['resourceclaims.resource.k8s.io', {}],
  ['apiservices.apiregistration.k8s.io', {}],
]);

/** Undefined: the kind has no status of its own making. */
export function initialStatusOf(resource: string): Fields | undefined {
  return initialStatus.get(resource);
}

/** The status of a built-in object that was written without one: the fields that Go always prints. */
export function emptyStatusOf(resource: string): Fields {
  const initial = Object.entries(initialStatus.get(resource) ?? {});
  return Object.fromEntries(initial.filter(([, value]) => typeof value !== 'string'));
}
