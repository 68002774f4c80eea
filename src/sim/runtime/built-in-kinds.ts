import type {
  CoreV1Event as CoreV1EventModel,
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1ControllerRevision,
  V1CronJob,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1EndpointSlice,
  V1Endpoints,
  V1Ingress,
  V1IngressClass,
  V1Job,
  V1Lease,
  V1LimitRange,
  V1MutatingWebhookConfiguration,
  V1Namespace,
  V1NetworkPolicy,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1PriorityClass,
  V1ReplicaSet,
  V1ReplicationController,
  V1ResourceQuota,
  V1Role,
  V1RoleBinding,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
  V1StorageClass,
  V1ValidatingWebhookConfiguration,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import type { ObjectMeta } from '../etcd/object.js';
import { defineKind } from './kind.js';

/**
 * The built-in kinds that operators meet most: for each a token and a type of the same name. Their fields are those of client-node's models as JSON
 * holds them: times are strings, and a field that a model had to rename (`_from`) has its own name again.
 */
type AsJson<V> = { apiVersion: string; kind: string; metadata: ObjectMeta } & Omit<JsonOf<V>, 'apiVersion' | 'kind' | 'metadata'>;

type JsonOf<V> = V extends Date
  ? string
  : V extends readonly (infer Item)[]
    ? JsonOf<Item>[]
    : V extends object
      ? { [Key in keyof V as Key extends `_${infer Name}` ? Name : Key]: JsonOf<V[Key]> }
      : V;

export type Pod = AsJson<V1Pod>;
export const Pod = defineKind<Pod>('v1', 'Pod');

export type Service = AsJson<V1Service>;
export const Service = defineKind<Service>('v1', 'Service');

export type ConfigMap = AsJson<V1ConfigMap>;
export const ConfigMap = defineKind<ConfigMap>('v1', 'ConfigMap');

export type Secret = AsJson<V1Secret>;
export const Secret = defineKind<Secret>('v1', 'Secret');

export type ServiceAccount = AsJson<V1ServiceAccount>;
export const ServiceAccount = defineKind<ServiceAccount>('v1', 'ServiceAccount');

export type PersistentVolumeClaim = AsJson<V1PersistentVolumeClaim>;
export const PersistentVolumeClaim = defineKind<PersistentVolumeClaim>('v1', 'PersistentVolumeClaim');

export type PersistentVolume = AsJson<V1PersistentVolume>;
export const PersistentVolume = defineKind<PersistentVolume>('v1', 'PersistentVolume', { namespaced: false });

export type Namespace = AsJson<V1Namespace>;
export const Namespace = defineKind<Namespace>('v1', 'Namespace', { namespaced: false });

export type Node = AsJson<V1Node>;
export const Node = defineKind<Node>('v1', 'Node', { namespaced: false });

export type Endpoints = AsJson<V1Endpoints>;
export const Endpoints = defineKind<Endpoints>('v1', 'Endpoints', { plural: 'endpoints' });

export type ReplicationController = AsJson<V1ReplicationController>;
export const ReplicationController = defineKind<ReplicationController>('v1', 'ReplicationController');

export type ResourceQuota = AsJson<V1ResourceQuota>;
export const ResourceQuota = defineKind<ResourceQuota>('v1', 'ResourceQuota');

export type LimitRange = AsJson<V1LimitRange>;
export const LimitRange = defineKind<LimitRange>('v1', 'LimitRange');

export type CoreV1Event = AsJson<CoreV1EventModel>;
export const CoreV1Event = defineKind<CoreV1Event>('v1', 'Event');

export type Deployment = AsJson<V1Deployment>;
export const Deployment = defineKind<Deployment>('apps/v1', 'Deployment');

export type ReplicaSet = AsJson<V1ReplicaSet>;
export const ReplicaSet = defineKind<ReplicaSet>('apps/v1', 'ReplicaSet');

export type StatefulSet = AsJson<V1StatefulSet>;
export const StatefulSet = defineKind<StatefulSet>('apps/v1', 'StatefulSet');

export type DaemonSet = AsJson<V1DaemonSet>;
export const DaemonSet = defineKind<DaemonSet>('apps/v1', 'DaemonSet');

export type ControllerRevision = AsJson<V1ControllerRevision>;
export const ControllerRevision = defineKind<ControllerRevision>('apps/v1', 'ControllerRevision');

export type Job = AsJson<V1Job>;
export const Job = defineKind<Job>('batch/v1', 'Job');

export type CronJob = AsJson<V1CronJob>;
export const CronJob = defineKind<CronJob>('batch/v1', 'CronJob');

export type Ingress = AsJson<V1Ingress>;
export const Ingress = defineKind<Ingress>('networking.k8s.io/v1', 'Ingress');

export type IngressClass = AsJson<V1IngressClass>;
export const IngressClass = defineKind<IngressClass>('networking.k8s.io/v1', 'IngressClass', { namespaced: false });

export type NetworkPolicy = AsJson<V1NetworkPolicy>;
export const NetworkPolicy = defineKind<NetworkPolicy>('networking.k8s.io/v1', 'NetworkPolicy');

export type PodDisruptionBudget = AsJson<V1PodDisruptionBudget>;
export const PodDisruptionBudget = defineKind<PodDisruptionBudget>('policy/v1', 'PodDisruptionBudget');

export type HorizontalPodAutoscaler = AsJson<V2HorizontalPodAutoscaler>;
export const HorizontalPodAutoscaler = defineKind<HorizontalPodAutoscaler>('autoscaling/v2', 'HorizontalPodAutoscaler');

export type Role = AsJson<V1Role>;
export const Role = defineKind<Role>('rbac.authorization.k8s.io/v1', 'Role');

export type RoleBinding = AsJson<V1RoleBinding>;
export const RoleBinding = defineKind<RoleBinding>('rbac.authorization.k8s.io/v1', 'RoleBinding');

export type ClusterRole = AsJson<V1ClusterRole>;
export const ClusterRole = defineKind<ClusterRole>('rbac.authorization.k8s.io/v1', 'ClusterRole', { namespaced: false });

export type ClusterRoleBinding = AsJson<V1ClusterRoleBinding>;
export const ClusterRoleBinding = defineKind<ClusterRoleBinding>('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', {
  namespaced: false,
});

export type Lease = AsJson<V1Lease>;
export const Lease = defineKind<Lease>('coordination.k8s.io/v1', 'Lease');

export type EndpointSlice = AsJson<V1EndpointSlice>;
export const EndpointSlice = defineKind<EndpointSlice>('discovery.k8s.io/v1', 'EndpointSlice');

export type StorageClass = AsJson<V1StorageClass>;
export const StorageClass = defineKind<StorageClass>('storage.k8s.io/v1', 'StorageClass', { namespaced: false });

export type PriorityClass = AsJson<V1PriorityClass>;
export const PriorityClass = defineKind<PriorityClass>('scheduling.k8s.io/v1', 'PriorityClass', { namespaced: false });

export type CustomResourceDefinition = AsJson<V1CustomResourceDefinition>;
export const CustomResourceDefinition = defineKind<CustomResourceDefinition>('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
  namespaced: false,
});

export type ValidatingWebhookConfiguration = AsJson<V1ValidatingWebhookConfiguration>;
export const ValidatingWebhookConfiguration = defineKind<ValidatingWebhookConfiguration>(
  'admissionregistration.k8s.io/v1',
  'ValidatingWebhookConfiguration',
  { namespaced: false },
);

export type MutatingWebhookConfiguration = AsJson<V1MutatingWebhookConfiguration>;
export const MutatingWebhookConfiguration = defineKind<MutatingWebhookConfiguration>(
  'admissionregistration.k8s.io/v1',
  'MutatingWebhookConfiguration',
  { namespaced: false },
);
