import type { KubeObject } from '../../etcd/object.js';
import { invalidValue } from '../field-errors.js';
import type { KindInfo } from '../kinds.js';
import type { StatusCause } from '../request.js';
import { checkBinding, checkClusterRole, checkRole } from './access.js';
import { checkAutoscaler, checkAutoscalerStatus } from './autoscalers.js';
import type { Faults } from './checks.js';
import { checkClaim, checkClaimStatus } from './claims.js';
import { checkConfigMap, checkSecret } from './config.js';
import { checkCronJob } from './cron-jobs.js';
import { checkEndpoints } from './endpoints.js';
import { checkJobStatus } from './job-status.js';
import { checkJob } from './jobs.js';
import { checkEndpointSlice, checkIngress, checkIngressClass, checkLoadBalancerStatus, checkNetworkPolicy } from './networking.js';
import { checkNode, checkNodeChange } from './nodes.js';
import { checkResize } from './pod-resize.js';
import { checkTemplate } from './pod-templates.js';
import { checkEphemeralChange, checkPod, checkPodAsItIs, checkPodStatus } from './pods.js';
import { checkDisruptionBudget, checkDisruptionStatus, checkLease, checkPriorityClass, checkRuntimeClass } from './policies.js';
import { checkLimitRange, checkQuotaStatus, checkResourceQuota } from './quotas.js';
import { checkService } from './services.js';
import { checkCsiDriver, checkPersistentVolume, checkStorageClass, checkVolumeAttachment } from './storage.js';
import { checkWorkloadStatus } from './workload-status.js';
import {
  checkControllerRevision,
  checkDaemonSet,
  checkDeployment,
  checkReplicaSet,
  checkReplicationController,
  checkStatefulSet,
} from './workloads.js';

type Check = (faults: Faults, object: KubeObject, stored: KubeObject | undefined) => void;

type StatusCheck = (faults: Faults, object: KubeObject, stored: KubeObject, resource: string) => void;

/** What is wrong with an object of a kind, in the server's order; without the stored one it is a new object. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['pods', checkPod],
  ['podtemplates', (faults, object) => checkTemplate(faults, 'template', object.template ?? {})],
  ['replicationcontrollers', checkReplicationController],
  ['deployments.apps', checkDeployment],
  ['replicasets.apps', checkReplicaSet],
  ['statefulsets.apps', checkStatefulSet],
  ['daemonsets.apps', checkDaemonSet],
  ['controllerrevisions.apps', checkControllerRevision],
  ['jobs.batch', checkJob],
  ['cronjobs.batch', checkCronJob],
  ['configmaps', checkConfigMap],
  ['secrets', checkSecret],
  ['services', checkService],
  ['persistentvolumeclaims', checkClaim],
  ['persistentvolumes', checkPersistentVolume],
  ['storageclasses.storage.k8s.io', checkStorageClass],
  ['csidrivers.storage.k8s.io', checkCsiDriver],
  ['volumeattachments.storage.k8s.io', checkVolumeAttachment],
  ['nodes', checkNode],
  ['limitranges', checkLimitRange],
  ['resourcequotas', checkResourceQuota],
  ['ingresses.networking.k8s.io', checkIngress],
  ['ingressclasses.networking.k8s.io', checkIngressClass],
  ['networkpolicies.networking.k8s.io', checkNetworkPolicy],
  ['endpointslices.discovery.k8s.io', checkEndpointSlice],
  ['endpoints', checkEndpoints],
  ['roles.rbac.authorization.k8s.io', checkRole],
  ['clusterroles.rbac.authorization.k8s.io', checkClusterRole],
  ['rolebindings.rbac.authorization.k8s.io', checkBinding],
  ['clusterrolebindings.rbac.authorization.k8s.io', checkBinding],
  ['poddisruptionbudgets.policy', checkDisruptionBudget],
  ['horizontalpodautoscalers.autoscaling', checkAutoscaler],
  ['leases.coordination.k8s.io', checkLease],
  ['priorityclasses.scheduling.k8s.io', checkPriorityClass],
  ['runtimeclasses.node.k8s.io', checkRuntimeClass],
]);

/** What is wrong with a write to the status; the counters of workloads are much alike. */
const statusChecks: ReadonlyMap<string, StatusCheck> = new Map<string, StatusCheck>([
  ['namespaces', checkPhase],
  ['pods', checkPodStatus],
  ['jobs.batch', checkJobStatus],
  ['persistentvolumeclaims', checkClaimStatus],
  ['services', checkLoadBalancerStatus],
  ['ingresses.networking.k8s.io', checkLoadBalancerStatus],
  ['nodes', checkNodeChange],
  ['resourcequotas', checkQuotaStatus],
  ['poddisruptionbudgets.policy', checkDisruptionStatus],
  ['horizontalpodautoscalers.autoscaling', checkAutoscalerStatus],
]);

/**
 * What is wrong with the fields of a built-in kind, besides its metadata (TK-9, TK-10). The object has its defaults.
 * @param subresource of an update: what it does not touch is not looked at.
 */
export function typedFaults(kind: KindInfo, object: KubeObject, stored: KubeObject | undefined, subresource?: string): StatusCause[] {
  const faults: Faults = [];
  if (subresource === 'status' && stored !== undefined) {
    const check = statusChecks.get(kind.resource) ?? checkWorkloadStatus;
    check(faults, object, stored, kind.resource);
  } else if (subresource === 'ephemeralcontainers' && stored !== undefined) checkEphemeralChange(faults, object, stored);
  else if (subresource === 'resize' && stored !== undefined) {
    checkPodAsItIs(faults, object);
    checkResize(faults, object, stored);
  } else checks.get(kind.resource)?.(faults, object, stored);
  return faults;
}

/** NS-7: the phase of a Namespace follows from whether it is being deleted. */
function checkPhase(faults: Faults, { metadata, status }: KubeObject): void {
  const [wanted, how] = metadata.deletionTimestamp === undefined ? ['Active', 'empty'] : ['Terminating', 'not empty'];
  const phase: string = status?.phase ?? '';
  if (phase !== wanted) faults.push(invalidValue('status.Phase', phase, `may only be '${wanted}' if \`deletionTimestamp\` is ${how}`));
}
