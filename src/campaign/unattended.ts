import type { KubeObject } from '../sim/etcd/object.js';

/** Who acts on a kind in a real cluster, by its name there, and whether an object of it still waits for that. */
interface Service {
  readonly by: string;
  readonly waits: (object: KubeObject) => boolean;
}

const unobserved = ({ metadata, status }: KubeObject): boolean => status?.observedGeneration !== metadata.generation;

const services: Readonly<Record<string, Service>> = {
  'deployments.apps': { by: 'deployment-controller', waits: unobserved },
  'replicasets.apps': { by: 'replicaset-controller', waits: unobserved },
  'statefulsets.apps': { by: 'statefulset-controller', waits: unobserved },
  'daemonsets.apps': { by: 'daemonset-controller', waits: unobserved },
  'poddisruptionbudgets.policy': { by: 'disruption-controller', waits: unobserved },
  'jobs.batch': { by: 'job-controller', waits: ({ spec, status }) => spec?.suspend !== true && status?.startTime === undefined },
  resourcequotas: { by: 'resourcequota-controller', waits: ({ status }) => status?.used === undefined },
  'horizontalpodautoscalers.autoscaling': {
    by: 'horizontal-pod-autoscaler-controller',
    waits: ({ status }) => status?.conditions === undefined,
  },
  'cronjobs.batch': {
    by: 'cronjob-controller',
    waits: ({ spec, status }) => spec?.suspend !== true && status?.lastScheduleTime === undefined,
  },
  services: {
    by: 'service-lb-controller',
    waits: ({ spec, status }) => spec?.type === 'LoadBalancer' && status?.loadBalancer?.ingress === undefined,
  },
  persistentvolumeclaims: { by: 'persistentvolume-binder-controller', waits: ({ status }) => status?.phase !== 'Bound' },
  pods: { by: 'kubelet', waits: ({ status }) => status?.phase === 'Pending' },
};

/** Whether the object waits for a controller that is not among those that run. @param resource the qualified plural */
export function nobodyServes(resource: string, object: KubeObject, running: readonly string[]): boolean {
  const service = Object.hasOwn(services, resource) ? services[resource] : undefined;
  return service !== undefined && !running.includes(service.by) && service.waits(object);
}
