import type { KubeObject } from '../../etcd/object.js';
import { autoscalerIn, autoscalers } from '../autoscaler-versions.js';
import { asCoreEvent } from '../event-api.js';
import {
  admissionPolicyCells,
  bindingCells,
  flowSchemaCells,
  policyBindingCells,
  priorityLevelCells,
  signingRequestCells,
  webhookCells,
} from './access-cells.js';
import { autoscalerCells } from './autoscaler-cells.js';
import {
  apiServiceCells,
  componentStatusCells,
  configMapCells,
  leaseCells,
  nameAndAge,
  nameAndTime,
  namespaceCells,
  nodeCells,
  priorityClassCells,
  quotaCells,
  runtimeClassCells,
  secretCells,
} from './cluster-cells.js';
import type { Cells } from './column.js';
import { eventCells } from './event-cells.js';
import {
  endpointSliceCells,
  endpointsCells,
  ingressCells,
  ingressClassCells,
  ipAddressCells,
  networkPolicyCells,
  serviceCells,
  serviceCidrCells,
} from './network-cells.js';
import { podCells, podTemplateCells } from './pod-cells.js';
import { resourceClaimCells, resourceSliceCells } from './resource-claim-cells.js';
import {
  attachmentCells,
  attributesClassCells,
  claimCells,
  csiDriverCells,
  csiNodeCells,
  storageClassCells,
  volumeCells,
} from './storage-cells.js';
import {
  controllerRevisionCells,
  cronJobCells,
  daemonSetCells,
  deploymentCells,
  disruptionBudgetCells,
  jobCells,
  replicaSetCells,
  replicationControllerCells,
  scaleCells,
  statefulSetCells,
} from './workload-cells.js';

const cells: ReadonlyMap<string, Cells> = new Map<string, Cells>([
  ['apiservices.apiregistration.k8s.io', apiServiceCells],
  ['certificatesigningrequests.certificates.k8s.io', signingRequestCells],
  ['clusterrolebindings.rbac.authorization.k8s.io', bindingCells],
  ['componentstatuses', componentStatusCells],
  ['configmaps', configMapCells],
  ['controllerrevisions.apps', controllerRevisionCells],
  ['cronjobs.batch', cronJobCells],
  ['csidrivers.storage.k8s.io', csiDriverCells],
  ['csinodes.storage.k8s.io', csiNodeCells],
  ['daemonsets.apps', daemonSetCells],
  ['deployments.apps', deploymentCells],
  ['deviceclasses.resource.k8s.io', nameAndAge],
  ['endpoints', endpointsCells],
  ['endpointslices.discovery.k8s.io', endpointSliceCells],
  ['events', eventCells],
  ['events.events.k8s.io', (event, nowMs) => eventCells(asCoreEvent(event), nowMs)],
  ['flowschemas.flowcontrol.apiserver.k8s.io', flowSchemaCells],
  [autoscalers, (object, nowMs) => autoscalerCells(autoscalerIn(object, 'autoscaling/v2'), nowMs)],
  ['ingressclasses.networking.k8s.io', ingressClassCells],
  ['ingresses.networking.k8s.io', ingressCells],
  ['ipaddresses.networking.k8s.io', ipAddressCells],
  ['jobs.batch', jobCells],
  ['leases.coordination.k8s.io', leaseCells],
  ['mutatingadmissionpolicies.admissionregistration.k8s.io', admissionPolicyCells],
  ['mutatingadmissionpolicybindings.admissionregistration.k8s.io', policyBindingCells],
  ['mutatingwebhookconfigurations.admissionregistration.k8s.io', webhookCells],
  ['namespaces', namespaceCells],
  ['networkpolicies.networking.k8s.io', networkPolicyCells],
  ['nodes', nodeCells],
  ['persistentvolumeclaims', claimCells],
  ['persistentvolumes', volumeCells],
  ['poddisruptionbudgets.policy', disruptionBudgetCells],
  ['pods', podCells],
  ['podtemplates', podTemplateCells],
  ['priorityclasses.scheduling.k8s.io', priorityClassCells],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io', priorityLevelCells],
  ['replicasets.apps', replicaSetCells],
  ['replicationcontrollers', replicationControllerCells],
  ['resourceclaims.resource.k8s.io', resourceClaimCells],
  ['resourceclaimtemplates.resource.k8s.io', nameAndAge],
  ['resourcequotas', quotaCells],
  ['resourceslices.resource.k8s.io', resourceSliceCells],
  ['rolebindings.rbac.authorization.k8s.io', bindingCells],
  ['runtimeclasses.node.k8s.io', runtimeClassCells],
  ['scale.autoscaling', scaleCells],
  ['secrets', secretCells],
  ['serviceaccounts', nameAndAge],
  ['servicecidrs.networking.k8s.io', serviceCidrCells],
  ['services', serviceCells],
  ['statefulsets.apps', statefulSetCells],
  ['storageclasses.storage.k8s.io', storageClassCells],
  ['validatingadmissionpolicies.admissionregistration.k8s.io', admissionPolicyCells],
  ['validatingadmissionpolicybindings.admissionregistration.k8s.io', policyBindingCells],
  ['validatingwebhookconfigurations.admissionregistration.k8s.io', webhookCells],
  ['volumeattachments.storage.k8s.io', attachmentCells],
  ['volumeattributesclasses.storage.k8s.io', attributesClassCells],
]);

/** How the objects of a built-in resource are shown, by its qualified plural; those without columns of their own by name and time. */
export function builtInCells(resource: string): Cells {
  return cells.get(resource) ?? nameAndTime;
}

/** The order in which a list is shown: FlowSchemas by precedence, all others as they are kept. */
export function shownOrder(resource: string, items: readonly KubeObject[]): readonly KubeObject[] {
  if (resource !== 'flowschemas.flowcontrol.apiserver.k8s.io') return items;
  return [...items].sort((a, b) => (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0));
}
