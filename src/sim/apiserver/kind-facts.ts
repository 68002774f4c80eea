/**
 * What a kind does that discovery does not say. Tables name qualified resources (`deployments.apps`); the rule that each
 * table rests on stands above it.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** UP-3: a PUT must carry the resourceVersion. Custom resources always. */
export const resourceVersionRequired = words(`
  customresourcedefinitions.apiextensions.k8s.io poddisruptionbudgets.policy leases.coordination.k8s.io
  mutatingwebhookconfigurations.admissionregistration.k8s.io validatingwebhookconfigurations.admissionregistration.k8s.io
  validatingadmissionpolicies.admissionregistration.k8s.io validatingadmissionpolicybindings.admissionregistration.k8s.io
  mutatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicybindings.admissionregistration.k8s.io
  apiservices.apiregistration.k8s.io runtimeclasses.node.k8s.io volumeattachments.storage.k8s.io csinodes.storage.k8s.io
  csidrivers.storage.k8s.io csistoragecapacities.storage.k8s.io`);

/** UP-14: a PUT to a missing name creates. */
export const createdOnUpdate = words(`
  leases.coordination.k8s.io events events.events.k8s.io endpoints services limitranges roles.rbac.authorization.k8s.io
  rolebindings.rbac.authorization.k8s.io clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io
  runtimeclasses.node.k8s.io`);

/** CR-10: generation starts at 1 on create. Custom resources always. */
export const generationFromCreate = words(`
  customresourcedefinitions.apiextensions.k8s.io pods podtemplates replicationcontrollers daemonsets.apps deployments.apps
  replicasets.apps statefulsets.apps cronjobs.batch jobs.batch ingressclasses.networking.k8s.io ingresses.networking.k8s.io
  networkpolicies.networking.k8s.io poddisruptionbudgets.policy mutatingwebhookconfigurations.admissionregistration.k8s.io
  validatingwebhookconfigurations.admissionregistration.k8s.io validatingadmissionpolicies.admissionregistration.k8s.io
  validatingadmissionpolicybindings.admissionregistration.k8s.io mutatingadmissionpolicies.admissionregistration.k8s.io
  mutatingadmissionpolicybindings.admissionregistration.k8s.io priorityclasses.scheduling.k8s.io endpointslices.discovery.k8s.io
  deviceclasses.resource.k8s.io resourceslices.resource.k8s.io flowschemas.flowcontrol.apiserver.k8s.io
  prioritylevelconfigurations.flowcontrol.apiserver.k8s.io`);

/** DE-9: a delete that removes at once answers with the object, not with a Status. */
export const deletedObjectReturned = words(`
  pods podtemplates services serviceaccounts resourcequotas persistentvolumeclaims persistentvolumes namespaces
  storageclasses.storage.k8s.io csidrivers.storage.k8s.io csinodes.storage.k8s.io volumeattachments.storage.k8s.io
  volumeattributesclasses.storage.k8s.io deviceclasses.resource.k8s.io resourceslices.resource.k8s.io
  resourceclaims.resource.k8s.io resourceclaimtemplates.resource.k8s.io devicetaintrules.resource.k8s.io`);

/** DE-4: without an option these orphan their dependents; all others delete them in the background. */
export const orphanedByDefault = words('jobs.batch replicationcontrollers');

/** DE-4: these know no propagation policy at all. */
export const withoutPropagation = words('events events.events.k8s.io');

/** UP-19: an unqualified finalizer is accepted without a word. */
export const lenientFinalizers = words(`
  leases.coordination.k8s.io poddisruptionbudgets.policy events events.events.k8s.io runtimeclasses.node.k8s.io
  customresourcedefinitions.apiextensions.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
  validatingwebhookconfigurations.admissionregistration.k8s.io validatingadmissionpolicies.admissionregistration.k8s.io`);

/** Of what the metadata of an update is checked once more by the kind itself: of a change, of a new object, or of both in this order. */
export type MetadataChecks =
  | 'change'
  | 'change, object'
  | 'change, what is immutable, object'
  | 'object, change'
  | 'object, fields, change'
  | 'object'
  | 'none';

/** FE-4: all others, custom resources included, look at the change. */
const metadataChecks: ReadonlyMap<string, MetadataChecks> = new Map<string, MetadataChecks>([
  ...[
    ...words(`
    serviceaccounts pods persistentvolumeclaims persistentvolumes nodes endpoints controllerrevisions.apps
    ingresses.networking.k8s.io ingressclasses.networking.k8s.io csistoragecapacities.storage.k8s.io runtimeclasses.node.k8s.io`),
  ].map((resource) => [resource, 'change, object'] as const),
  ...[...words('configmaps secrets')].map((resource) => [resource, 'change, what is immutable, object'] as const),
  ...[...words('jobs.batch namespaces storageclasses.storage.k8s.io')].map((resource) => [resource, 'object, change'] as const),
  ...[
    ...words(`
    roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io clusterroles.rbac.authorization.k8s.io
    clusterrolebindings.rbac.authorization.k8s.io`),
  ].map((resource) => [resource, 'object, fields, change'] as const),
  ['endpointslices.discovery.k8s.io', 'object'],
  ['limitranges', 'object'],
  ['poddisruptionbudgets.policy', 'none'],
]);

/** A write to the status is never checked as a new object would be. */
export function metadataChecksOf(resource: string, subresource: string | undefined): MetadataChecks {
  const checks = metadataChecks.get(resource) ?? 'change';
  if (subresource !== 'status') return checks;
  return checks === 'none' || resource === 'cronjobs.batch' ? 'none' : 'change';
}

export type StatusMetadataField = 'labels' | 'annotations' | 'finalizers' | 'ownerReferences';

/** UP-16: what of the metadata a write to `/status` takes from the request. */
const statusMetadata: ReadonlyMap<string, readonly StatusMetadataField[]> = new Map<string, readonly StatusMetadataField[]>([
  ...[
    ...words(`
    replicasets.apps statefulsets.apps daemonsets.apps replicationcontrollers jobs.batch cronjobs.batch services persistentvolumeclaims
    persistentvolumes ingresses.networking.k8s.io poddisruptionbudgets.policy horizontalpodautoscalers.autoscaling resourcequotas
    namespaces nodes customresourcedefinitions.apiextensions.k8s.io certificatesigningrequests.certificates.k8s.io`),
  ].map((resource) => [resource, ['labels', 'annotations', 'finalizers', 'ownerReferences']] as const),
  ['deployments.apps', ['annotations', 'finalizers', 'ownerReferences']],
  ['pods', ['labels', 'annotations', 'finalizers']],
]);

export function statusMetadataOf(resource: string): readonly StatusMetadataField[] {
  return statusMetadata.get(resource) ?? [];
}

/** CR-7: how names are checked. `label` allows a leading digit. */
export type NameRule = 'subdomain' | 'subdomain52' | 'label' | 'path segment';

const nameRules: ReadonlyMap<string, NameRule> = new Map<string, NameRule>([
  ['cronjobs.batch', 'subdomain52'],
  ['namespaces', 'label'],
  ['services', 'label'],
  ['statefulsets.apps', 'label'],
  ['roles.rbac.authorization.k8s.io', 'path segment'],
  ['rolebindings.rbac.authorization.k8s.io', 'path segment'],
  ['clusterroles.rbac.authorization.k8s.io', 'path segment'],
  ['clusterrolebindings.rbac.authorization.k8s.io', 'path segment'],
  ['poddisruptionbudgets.policy', 'path segment'],
  ['events', 'path segment'],
]);

export function nameRuleOf(resource: string): NameRule {
  return nameRules.get(resource) ?? 'subdomain';
}

/** ST-18: the key's part after `/registry/` where it is not the plural. */
const registryNames: ReadonlyMap<string, string> = new Map([
  ['services', 'services/specs'],
  ['endpoints', 'services/endpoints'],
  ['nodes', 'minions'],
  ['replicationcontrollers', 'controllers'],
  ['ingresses.networking.k8s.io', 'ingress'],
]);

export function registryNameOf(resource: string, plural: string): string {
  return registryNames.get(resource) ?? plural;
}

/** Every request for these carries a warning (TK-4). */
export const deprecations: ReadonlyMap<string, string> = new Map([
  ['componentstatuses', 'v1 ComponentStatus is deprecated in v1.19+'],
  ['endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
]);

/** TK-3: lists of a kind that Go writes whether they are there or not. */
export function writtenLists({ resource }: { readonly resource: string }): readonly string[] {
  switch (resource) {
    case 'endpointslices.discovery.k8s.io':
      return ['endpoints', 'ports'];
    case 'roles.rbac.authorization.k8s.io':
    case 'clusterroles.rbac.authorization.k8s.io':
      return ['rules'];
    default:
      return [];
  }
}
