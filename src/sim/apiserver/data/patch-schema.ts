// Written by test/conformance/generate-patch-schema.ts from the OpenAPI document of kube-apiserver v1.36.3; do not edit.
import type { PatchField } from '../strategic-merge-patch.js';

/** The fields of a type that are merged in their own way, and those that lead to some. */
export const patchTypes: Readonly<Record<string, Readonly<Record<string, PatchField>>>> = {
  'v1.MutatingAdmissionPolicy': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.MutatingAdmissionPolicySpec',
    },
  },
  'v1.MutatingAdmissionPolicyBinding': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.MutatingAdmissionPolicySpec': {
    matchConditions: {
      strategy: 'merge',
      mergeKey: 'name',
    },
  },
  'v1.MutatingWebhook': {
    matchConditions: {
      strategy: 'merge',
      mergeKey: 'name',
    },
  },
  'v1.MutatingWebhookConfiguration': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    webhooks: {
      type: 'v1.MutatingWebhook',
      strategy: 'merge',
      mergeKey: 'name',
    },
  },
  'v1.ValidatingAdmissionPolicy': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.ValidatingAdmissionPolicySpec',
    },
  },
  'v1.ValidatingAdmissionPolicyBinding': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.ValidatingAdmissionPolicySpec': {
    matchConditions: {
      strategy: 'merge',
      mergeKey: 'name',
    },
    variables: {
      strategy: 'merge',
      mergeKey: 'name',
    },
  },
  'v1.ValidatingWebhook': {
    matchConditions: {
      strategy: 'merge',
      mergeKey: 'name',
    },
  },
  'v1.ValidatingWebhookConfiguration': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    webhooks: {
      type: 'v1.ValidatingWebhook',
      strategy: 'merge',
      mergeKey: 'name',
    },
  },
  'v1.ControllerRevision': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.DaemonSet': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.DaemonSetSpec',
    },
    status: {
      type: 'v1.DaemonSetStatus',
    },
  },
  'v1.DaemonSetSpec': {
    template: {
      type: 'v1.PodTemplateSpec',
    },
  },
  'v1.DaemonSetStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.Deployment': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.DeploymentSpec',
    },
    status: {
      type: 'v1.DeploymentStatus',
    },
  },
  'v1.DeploymentSpec': {
    strategy: {
      strategy: 'retainKeys',
    },
    template: {
      type: 'v1.PodTemplateSpec',
    },
  },
  'v1.DeploymentStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.ReplicaSet': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.ReplicaSetSpec',
    },
    status: {
      type: 'v1.ReplicaSetStatus',
    },
  },
  'v1.ReplicaSetSpec': {
    template: {
      type: 'v1.PodTemplateSpec',
    },
  },
  'v1.ReplicaSetStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.StatefulSet': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.StatefulSetSpec',
    },
    status: {
      type: 'v1.StatefulSetStatus',
    },
  },
  'v1.StatefulSetSpec': {
    template: {
      type: 'v1.PodTemplateSpec',
    },
    volumeClaimTemplates: {
      type: 'v1.PersistentVolumeClaim',
    },
  },
  'v1.StatefulSetStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.SelfSubjectReview': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.TokenRequest': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.TokenReview': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.LocalSubjectAccessReview': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.SelfSubjectAccessReview': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.SelfSubjectRulesReview': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.SubjectAccessReview': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.HorizontalPodAutoscaler': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Scale': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v2.HorizontalPodAutoscaler': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    status: {
      type: 'v2.HorizontalPodAutoscalerStatus',
    },
  },
  'v2.HorizontalPodAutoscalerStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.CronJob': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.CronJobSpec',
    },
  },
  'v1.CronJobSpec': {
    jobTemplate: {
      type: 'v1.JobTemplateSpec',
    },
  },
  'v1.Job': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.JobSpec',
    },
    status: {
      type: 'v1.JobStatus',
    },
  },
  'v1.JobSpec': {
    template: {
      type: 'v1.PodTemplateSpec',
    },
  },
  'v1.JobStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.JobTemplateSpec': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.JobSpec',
    },
  },
  'v1.CertificateSigningRequest': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Lease': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Binding': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.ComponentStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.ConfigMap': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Container': {
    env: {
      strategy: 'merge',
      mergeKey: 'name',
    },
    ports: {
      strategy: 'merge',
      mergeKey: 'containerPort',
    },
    volumeDevices: {
      strategy: 'merge',
      mergeKey: 'devicePath',
    },
    volumeMounts: {
      strategy: 'merge',
      mergeKey: 'mountPath',
    },
  },
  'v1.ContainerStatus': {
    allocatedResourcesStatus: {
      strategy: 'merge',
      mergeKey: 'name',
    },
    volumeMounts: {
      strategy: 'merge',
      mergeKey: 'mountPath',
    },
  },
  'v1.Endpoints': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.EphemeralContainer': {
    env: {
      strategy: 'merge',
      mergeKey: 'name',
    },
    ports: {
      strategy: 'merge',
      mergeKey: 'containerPort',
    },
    volumeDevices: {
      strategy: 'merge',
      mergeKey: 'devicePath',
    },
    volumeMounts: {
      strategy: 'merge',
      mergeKey: 'mountPath',
    },
  },
  'v1.EphemeralVolumeSource': {
    volumeClaimTemplate: {
      type: 'v1.PersistentVolumeClaimTemplate',
    },
  },
  'v1.Event': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.LimitRange': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Namespace': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    status: {
      type: 'v1.NamespaceStatus',
    },
  },
  'v1.NamespaceStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.Node': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.NodeSpec',
    },
    status: {
      type: 'v1.NodeStatus',
    },
  },
  'v1.NodeSpec': {
    podCIDRs: {
      strategy: 'merge',
    },
  },
  'v1.NodeStatus': {
    addresses: {
      strategy: 'merge',
      mergeKey: 'type',
    },
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.PersistentVolume': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.PersistentVolumeClaim': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    status: {
      type: 'v1.PersistentVolumeClaimStatus',
    },
  },
  'v1.PersistentVolumeClaimStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.PersistentVolumeClaimTemplate': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Pod': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.PodSpec',
    },
    status: {
      type: 'v1.PodStatus',
    },
  },
  'v1.PodSpec': {
    containers: {
      type: 'v1.Container',
      strategy: 'merge',
      mergeKey: 'name',
    },
    ephemeralContainers: {
      type: 'v1.EphemeralContainer',
      strategy: 'merge',
      mergeKey: 'name',
    },
    hostAliases: {
      strategy: 'merge',
      mergeKey: 'ip',
    },
    imagePullSecrets: {
      strategy: 'merge',
      mergeKey: 'name',
    },
    initContainers: {
      type: 'v1.Container',
      strategy: 'merge',
      mergeKey: 'name',
    },
    resourceClaims: {
      strategy: 'merge,retainKeys',
      mergeKey: 'name',
    },
    schedulingGates: {
      strategy: 'merge',
      mergeKey: 'name',
    },
    topologySpreadConstraints: {
      strategy: 'merge',
      mergeKey: 'topologyKey',
    },
    volumes: {
      type: 'v1.Volume',
      strategy: 'merge,retainKeys',
      mergeKey: 'name',
    },
  },
  'v1.PodStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
    containerStatuses: {
      type: 'v1.ContainerStatus',
    },
    ephemeralContainerStatuses: {
      type: 'v1.ContainerStatus',
    },
    hostIPs: {
      strategy: 'merge',
      mergeKey: 'ip',
    },
    initContainerStatuses: {
      type: 'v1.ContainerStatus',
    },
    podIPs: {
      strategy: 'merge',
      mergeKey: 'ip',
    },
    resourceClaimStatuses: {
      strategy: 'merge,retainKeys',
      mergeKey: 'name',
    },
  },
  'v1.PodTemplate': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    template: {
      type: 'v1.PodTemplateSpec',
    },
  },
  'v1.PodTemplateSpec': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.PodSpec',
    },
  },
  'v1.ReplicationController': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.ReplicationControllerSpec',
    },
    status: {
      type: 'v1.ReplicationControllerStatus',
    },
  },
  'v1.ReplicationControllerSpec': {
    template: {
      type: 'v1.PodTemplateSpec',
    },
  },
  'v1.ReplicationControllerStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.ResourceQuota': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Secret': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Service': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.ServiceSpec',
    },
    status: {
      type: 'v1.ServiceStatus',
    },
  },
  'v1.ServiceAccount': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    secrets: {
      strategy: 'merge',
      mergeKey: 'name',
    },
  },
  'v1.ServiceSpec': {
    ports: {
      strategy: 'merge',
      mergeKey: 'port',
    },
  },
  'v1.ServiceStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.Volume': {
    ephemeral: {
      type: 'v1.EphemeralVolumeSource',
    },
  },
  'v1.EndpointSlice': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'events.v1.Event': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.FlowSchema': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    status: {
      type: 'v1.FlowSchemaStatus',
    },
  },
  'v1.FlowSchemaStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.PriorityLevelConfiguration': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    status: {
      type: 'v1.PriorityLevelConfigurationStatus',
    },
  },
  'v1.PriorityLevelConfigurationStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.IPAddress': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Ingress': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.IngressClass': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.NetworkPolicy': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.ServiceCIDR': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    status: {
      type: 'v1.ServiceCIDRStatus',
    },
  },
  'v1.ServiceCIDRStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.RuntimeClass': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Eviction': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.PodDisruptionBudget': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.PodDisruptionBudgetSpec',
    },
    status: {
      type: 'v1.PodDisruptionBudgetStatus',
    },
  },
  'v1.PodDisruptionBudgetSpec': {
    selector: {
      strategy: 'replace',
    },
  },
  'v1.PodDisruptionBudgetStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
  'v1.ClusterRole': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.ClusterRoleBinding': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.Role': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.RoleBinding': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.DeviceClass': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.ResourceClaim': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    status: {
      type: 'v1.ResourceClaimStatus',
    },
  },
  'v1.ResourceClaimStatus': {
    reservedFor: {
      strategy: 'merge',
      mergeKey: 'uid',
    },
  },
  'v1.ResourceClaimTemplate': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.ResourceClaimTemplateSpec',
    },
  },
  'v1.ResourceClaimTemplateSpec': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.ResourceSlice': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.PriorityClass': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.CSIDriver': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.CSINode': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.CSINodeSpec',
    },
  },
  'v1.CSINodeSpec': {
    drivers: {
      strategy: 'merge',
      mergeKey: 'name',
    },
  },
  'v1.CSIStorageCapacity': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.StorageClass': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.VolumeAttachment': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.VolumeAttributesClass': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
  },
  'v1.CustomResourceDefinition': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    spec: {
      type: 'v1.CustomResourceDefinitionSpec',
    },
  },
  'v1.CustomResourceDefinitionSpec': {
    versions: {
      type: 'v1.CustomResourceDefinitionVersion',
    },
  },
  'v1.CustomResourceDefinitionVersion': {
    schema: {
      type: 'v1.CustomResourceValidation',
    },
  },
  'v1.CustomResourceValidation': {
    openAPIV3Schema: {
      type: 'v1.JSONSchemaProps',
    },
  },
  'v1.JSONSchemaProps': {
    allOf: {
      type: 'v1.JSONSchemaProps',
    },
    anyOf: {
      type: 'v1.JSONSchemaProps',
    },
    not: {
      type: 'v1.JSONSchemaProps',
    },
    oneOf: {
      type: 'v1.JSONSchemaProps',
    },
    'x-kubernetes-validations': {
      strategy: 'merge',
      mergeKey: 'rule',
    },
  },
  'v1.ObjectMeta': {
    finalizers: {
      strategy: 'merge',
    },
    ownerReferences: {
      strategy: 'merge',
      mergeKey: 'uid',
    },
  },
  'v1.APIService': {
    metadata: {
      type: 'v1.ObjectMeta',
    },
    status: {
      type: 'v1.APIServiceStatus',
    },
  },
  'v1.APIServiceStatus': {
    conditions: {
      strategy: 'merge',
      mergeKey: 'type',
    },
  },
};

/** The type of a kind, by `apiVersion/Kind`. */
export const patchRoots: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy': 'v1.MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding': 'v1.MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': 'v1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': 'v1.ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': 'v1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': 'v1.ValidatingWebhookConfiguration',
  'apps/v1/ControllerRevision': 'v1.ControllerRevision',
  'apps/v1/DaemonSet': 'v1.DaemonSet',
  'apps/v1/Deployment': 'v1.Deployment',
  'apps/v1/ReplicaSet': 'v1.ReplicaSet',
  'apps/v1/StatefulSet': 'v1.StatefulSet',
  'authentication.k8s.io/v1/SelfSubjectReview': 'v1.SelfSubjectReview',
  'authentication.k8s.io/v1/TokenRequest': 'v1.TokenRequest',
  'authentication.k8s.io/v1/TokenReview': 'v1.TokenReview',
  'authorization.k8s.io/v1/LocalSubjectAccessReview': 'v1.LocalSubjectAccessReview',
  'authorization.k8s.io/v1/SelfSubjectAccessReview': 'v1.SelfSubjectAccessReview',
  'authorization.k8s.io/v1/SelfSubjectRulesReview': 'v1.SelfSubjectRulesReview',
  'authorization.k8s.io/v1/SubjectAccessReview': 'v1.SubjectAccessReview',
  'autoscaling/v1/HorizontalPodAutoscaler': 'v1.HorizontalPodAutoscaler',
  'autoscaling/v1/Scale': 'v1.Scale',
  'autoscaling/v2/HorizontalPodAutoscaler': 'v2.HorizontalPodAutoscaler',
  'batch/v1/CronJob': 'v1.CronJob',
  'batch/v1/Job': 'v1.Job',
  'certificates.k8s.io/v1/CertificateSigningRequest': 'v1.CertificateSigningRequest',
  'coordination.k8s.io/v1/Lease': 'v1.Lease',
  'v1/Binding': 'v1.Binding',
  'v1/ComponentStatus': 'v1.ComponentStatus',
  'v1/ConfigMap': 'v1.ConfigMap',
  'v1/Endpoints': 'v1.Endpoints',
  'v1/Event': 'v1.Event',
  'v1/LimitRange': 'v1.LimitRange',
  'v1/Namespace': 'v1.Namespace',
  'v1/Node': 'v1.Node',
  'v1/PersistentVolume': 'v1.PersistentVolume',
  'v1/PersistentVolumeClaim': 'v1.PersistentVolumeClaim',
  'v1/Pod': 'v1.Pod',
  'v1/PodTemplate': 'v1.PodTemplate',
  'v1/ReplicationController': 'v1.ReplicationController',
  'v1/ResourceQuota': 'v1.ResourceQuota',
  'v1/Secret': 'v1.Secret',
  'v1/Service': 'v1.Service',
  'v1/ServiceAccount': 'v1.ServiceAccount',
  'discovery.k8s.io/v1/EndpointSlice': 'v1.EndpointSlice',
  'events.k8s.io/v1/Event': 'events.v1.Event',
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': 'v1.FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': 'v1.PriorityLevelConfiguration',
  'networking.k8s.io/v1/IPAddress': 'v1.IPAddress',
  'networking.k8s.io/v1/Ingress': 'v1.Ingress',
  'networking.k8s.io/v1/IngressClass': 'v1.IngressClass',
  'networking.k8s.io/v1/NetworkPolicy': 'v1.NetworkPolicy',
  'networking.k8s.io/v1/ServiceCIDR': 'v1.ServiceCIDR',
  'node.k8s.io/v1/RuntimeClass': 'v1.RuntimeClass',
  'policy/v1/Eviction': 'v1.Eviction',
  'policy/v1/PodDisruptionBudget': 'v1.PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1/ClusterRole': 'v1.ClusterRole',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': 'v1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1/Role': 'v1.Role',
  'rbac.authorization.k8s.io/v1/RoleBinding': 'v1.RoleBinding',
  'resource.k8s.io/v1/DeviceClass': 'v1.DeviceClass',
  'resource.k8s.io/v1/ResourceClaim': 'v1.ResourceClaim',
  'resource.k8s.io/v1/ResourceClaimTemplate': 'v1.ResourceClaimTemplate',
  'resource.k8s.io/v1/ResourceSlice': 'v1.ResourceSlice',
  'scheduling.k8s.io/v1/PriorityClass': 'v1.PriorityClass',
  'storage.k8s.io/v1/CSIDriver': 'v1.CSIDriver',
  'storage.k8s.io/v1/CSINode': 'v1.CSINode',
  'storage.k8s.io/v1/CSIStorageCapacity': 'v1.CSIStorageCapacity',
  'storage.k8s.io/v1/StorageClass': 'v1.StorageClass',
  'storage.k8s.io/v1/VolumeAttachment': 'v1.VolumeAttachment',
  'storage.k8s.io/v1/VolumeAttributesClass': 'v1.VolumeAttributesClass',
  'apiextensions.k8s.io/v1/CustomResourceDefinition': 'v1.CustomResourceDefinition',
  'apiregistration.k8s.io/v1/APIService': 'v1.APIService',
};
