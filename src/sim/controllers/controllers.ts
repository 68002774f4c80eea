import type { ApiServer } from '../apiserver/server.js';
import type { Host, ObjectFeed } from '../host.js';
import { startAutoscaler } from './autoscaling/autoscaling.js';
import { startCronJobController } from './cronjob/cronjob.js';
import { startDaemonSetController } from './daemonset/daemonset.js';
import { startDeploymentController } from './deployment/deployment.js';
import { startDisruptionController } from './disruption/disruption.js';
import { startEndpointsController } from './endpoints/endpoints.js';
import { startEndpointSliceController } from './endpointslice/endpointslice.js';
import type { Fates } from './fates.js';
import { startGarbageCollector } from './garbage-collector.js';
import { startJobController } from './job/job.js';
import { startKubelet } from './kubelet/kubelet.js';
import { startNamespaceController } from './namespace.js';
import { startNodeLifecycle } from './node-lifecycle.js';
import { startPodGarbageCollector } from './pod-garbage-collector.js';
import { startClaimProtection } from './pvc-protection.js';
import { startReplicaSetController } from './replicaset/replicaset.js';
import { startQuotaController } from './resourcequota/resourcequota.js';
import { startRootCaPublisher } from './root-ca.js';
import { startScheduler } from './scheduler/scheduler.js';
import { startServiceAccountController } from './service-account.js';
import { startStatefulSetController } from './statefulset/statefulset.js';
import { startTtlAfterFinished } from './ttl-after-finished.js';
import { startVolumeBinder } from './volumes/volumes.js';

/** What some controllers need of the cluster besides their connection to it. */
interface Cluster {
  readonly server: ApiServer;
  readonly fates: Fates;
}

type StartController = (host: Host, feed: ObjectFeed, cluster: Cluster) => void;

/** What a cluster can run for its users, in the order in which it is started. Each is a process of its own, with its own lag. */
export const controllers = {
  'garbage-collector': (host, feed, { server }) => startGarbageCollector(host, feed, server.kinds),
  'namespace-controller': (host, feed, { server: { kinds, etcd } }) =>
    startNamespaceController(host, feed, () => [...kinds.all()].filter((kind) => kind.namespaced && etcd.list(kind.storedAs).length > 0)),
  'deployment-controller': startDeploymentController,
  'replicaset-controller': startReplicaSetController,
  'statefulset-controller': startStatefulSetController,
  'daemonset-controller': startDaemonSetController,
  'disruption-controller': (host, feed, { server }) => startDisruptionController(host, feed, server.kinds),
  'endpointslice-controller': startEndpointSliceController,
  'endpoints-controller': startEndpointsController,
  'pvc-protection-controller': startClaimProtection,
  'job-controller': startJobController,
  'cronjob-controller': startCronJobController,
  'ttl-after-finished-controller': startTtlAfterFinished,
  'resourcequota-controller': (host, feed, { server }) => startQuotaController(host, feed, server.kinds),
  'serviceaccount-controller': startServiceAccountController,
  'root-ca-certificate-publisher-controller': startRootCaPublisher,
  'pod-garbage-collector-controller': startPodGarbageCollector,
  'horizontal-pod-autoscaler-controller': (host, feed, { server }) => startAutoscaler(host, feed, server.kinds),
  'persistentvolume-binder-controller': (host, feed, { fates }) => startVolumeBinder(host, feed, fates),
  'node-lifecycle-controller': (host, feed, { fates }) => startNodeLifecycle(host, feed, fates),
  scheduler: (host, feed, { fates }) => startScheduler(host, feed, fates),
  kubelet: (host, feed, { fates }) => startKubelet(host, feed, fates),
} satisfies Record<string, StartController>;

export type ControllerName = keyof typeof controllers;

/** All of them, in the order in which they are started. */
export const controllerNames = Object.keys(controllers) as readonly ControllerName[];
