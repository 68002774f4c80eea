import type { KubeObject } from '../etcd/object.js';
import { bindingWithDefaults, policyWithDefaults, webhooksWithDefaults } from './admission/configuration-defaults.js';
import { autoscalerWithDefaults } from './autoscaler-defaults.js';
import { crdResource, withCrdDefaults } from './crd.js';
import { each, fill, within } from './fill.js';
import { writtenLists } from './kind-facts.js';
import type { KindInfo } from './kinds.js';
import { podWithDefaults, templateWithDefaults } from './pod-defaults.js';
import { withPodAddresses } from './pod-updates.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a built-in kind fills in whenever it is decoded, by create, update and patch alike (TK-1, TK-4). */
export function withDefaults(kind: KindInfo, object: KubeObject): KubeObject {
  switch (kind.resource) {
    case crdResource:
      return withCrdDefaults(object);
    case 'namespaces':
      return object.status === undefined ? object : within(object, 'status', (status: Fields) => fill(status, { phase: 'Active' }));
    case 'pods':
      return withPodAddresses(within(object, 'spec', podWithDefaults));
    case 'podtemplates':
      return within(object, 'template', templateWithDefaults);
    case 'deployments.apps':
      return within(object, 'spec', deploymentSpec);
    case 'replicasets.apps':
      return within(object, 'spec', (spec: Fields) => fill(withTemplate(spec), { replicas: 1 }));
    case 'statefulsets.apps':
      return within(object, 'spec', statefulSetSpec);
    case 'daemonsets.apps':
      return within(object, 'spec', daemonSetSpec);
    case 'replicationcontrollers':
      return replicationController(object);
    case 'jobs.batch':
      return withJobLabels(within(object, 'spec', jobSpec));
    case 'cronjobs.batch':
      return within(object, 'spec', cronJobSpec);
    case 'services':
      return within(object, 'spec', serviceSpec);
    case 'persistentvolumeclaims':
      return withClaimPhase(within(object, 'spec', (spec: Fields) => fill(spec, { volumeMode: 'Filesystem' })));
    case 'persistentvolumes':
      return within(object, 'spec', persistentVolumeSpec);
    case 'rolebindings.rbac.authorization.k8s.io':
    case 'clusterrolebindings.rbac.authorization.k8s.io':
      return roleBinding(object);
    case 'networkpolicies.networking.k8s.io':
      return within(object, 'spec', networkPolicySpec);
    case 'horizontalpodautoscalers.autoscaling':
      return within(object, 'spec', kind.version === 'v2' ? autoscalerWithDefaults : (spec: Fields) => fill(spec, { minReplicas: 1 }));
    case 'leases.coordination.k8s.io':
    case 'resourcequotas':
      return fill(object, { spec: {} });
    case 'limitranges':
      return within(object, 'spec', (spec: Fields) => within(spec, 'limits', (limits: readonly Fields[]) => each(limits, limit)));
    case 'controllerrevisions.apps':
      return fill(object, { revision: 0 });
    case 'storageclasses.storage.k8s.io':
      return fill(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
    case 'csidrivers.storage.k8s.io':
      return within(object, 'spec', (spec: Fields) => fill(spec, csiDriverFields));
    case 'endpoints':
      return within(object, 'subsets', (subsets: readonly Fields[]) => each(subsets, endpointSubset));
    case 'endpointslices.discovery.k8s.io':
      return endpointSlice(fill(object, nullLists(kind)));
    case 'nodes':
      return within(object, 'status', (status: Fields) =>
        status.capacity === undefined ? status : fill(status, { allocatable: status.capacity }),
      );
    case 'priorityclasses.scheduling.k8s.io':
      return fill(object, { value: 0, preemptionPolicy: 'PreemptLowerPriority' });
    case 'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io':
      return within(object, 'spec', priorityLevelSpec);
    case 'flowschemas.flowcontrol.apiserver.k8s.io':
      return within(object, 'spec', (spec: Fields) => (spec.matchingPrecedence ? spec : { ...spec, matchingPrecedence: 1000 }));
    case 'events':
      return fill(object, eventFields);
    case 'mutatingwebhookconfigurations.admissionregistration.k8s.io':
    case 'validatingwebhookconfigurations.admissionregistration.k8s.io':
      return webhooksWithDefaults(object, kind.kind === 'MutatingWebhookConfiguration');
    case 'validatingadmissionpolicies.admissionregistration.k8s.io':
      return policyWithDefaults(object);
    case 'validatingadmissionpolicybindings.admissionregistration.k8s.io':
      return bindingWithDefaults(object);
    default:
      return fill(object, nullLists(kind));
  }
}

/** A Job without labels has those of its template, whenever it is read. */
export function withJobLabels(job: KubeObject): KubeObject {
  const labels = job.spec?.template?.metadata?.labels as Readonly<Record<string, string>> | undefined;
  if (labels === undefined || Object.keys(job.metadata.labels ?? {}).length > 0) return job;
  return { ...job, metadata: { ...job.metadata, labels } };
}

/** A claim that nobody has said a word about is pending, whenever it is read. */
export function withClaimPhase(claim: KubeObject): KubeObject {
  return { ...claim, status: fill(claim.status as Fields | undefined, { phase: 'Pending' }) };
}

function nullLists(kind: KindInfo): Fields {
  return Object.fromEntries(writtenLists(kind).map((field) => [field, null]));
}

function priorityLevelSpec(spec: Fields): Fields {
  const exempt = within(spec, 'exempt', (level: Fields) => fill(level, { nominalConcurrencyShares: 0, lendablePercent: 0 }));
  return within(exempt, 'limited', (level: Fields) =>
    within(fill(level, { nominalConcurrencyShares: 30, lendablePercent: 0 }), 'limitResponse', (response: Fields) =>
      within(response, 'queuing', (queuing: Fields) => ({
        queues: queuing.queues || 64,
        handSize: queuing.handSize || 8,
        queueLengthLimit: queuing.queueLengthLimit || 50,
      })),
    ),
  );
}

const csiDriverFields = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  volumeLifecycleModes: ['Persistent'],
  requiresRepublish: false,
  seLinuxMount: false,
};

function endpointSubset(subset: Fields): Fields {
  const withProtocol = (port: Fields) => (port.protocol === undefined || port.protocol === '' ? { ...port, protocol: 'TCP' } : port);
  return within(subset, 'ports', (ports: readonly Fields[]) => each(ports, withProtocol));
}

function endpointSlice(object: KubeObject): KubeObject {
  return within(object, 'ports', (ports: readonly Fields[]) => each(ports, (port) => fill(port, { name: '', protocol: 'TCP' })));
}

const eventFields = {
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};

function withTemplate(spec: Fields): Fields {
  return within(spec, 'template', templateWithDefaults);
}

function deploymentSpec(spec: Fields): Fields {
  const result = fill(withTemplate(spec), {
    replicas: 1,
    strategy: {},
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
  return within(result, 'strategy', (sent: Fields) => {
    const strategy = fill(sent, { type: 'RollingUpdate' });
    if (strategy.type !== 'RollingUpdate') return strategy;
    return { ...strategy, rollingUpdate: fill(strategy.rollingUpdate as Fields | undefined, { maxUnavailable: '25%', maxSurge: '25%' }) };
  });
}

function statefulSetSpec(spec: Fields): Fields {
  const result = fill(withTemplate(spec), {
    replicas: 1,
    serviceName: '',
    podManagementPolicy: 'OrderedReady',
    updateStrategy: {},
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: {},
  });
  const claims = within(result, 'persistentVolumeClaimRetentionPolicy', (policy: Fields) =>
    fill(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  );
  const templates = within(claims, 'volumeClaimTemplates', (list: readonly Fields[]) =>
    each(list, (sent) => {
      const claim = fill(sent, { kind: 'PersistentVolumeClaim', apiVersion: 'v1', status: {} });
      const pending = within(claim, 'status', (status: Fields) => fill(status, { phase: 'Pending' }));
      return within(pending, 'spec', (inner: Fields) => fill(inner, { volumeMode: 'Filesystem' }));
    }),
  );
  return within(templates, 'updateStrategy', (sent: Fields) => {
    const strategy = fill(sent, { type: 'RollingUpdate' });
    if (strategy.type !== 'RollingUpdate') return strategy;
    return { ...strategy, rollingUpdate: fill(strategy.rollingUpdate as Fields | undefined, { partition: 0 }) };
  });
}

function daemonSetSpec(spec: Fields): Fields {
  const result = fill(withTemplate(spec), { updateStrategy: {}, revisionHistoryLimit: 10 });
  return within(result, 'updateStrategy', (sent: Fields) => {
    const strategy = fill(sent, { type: 'RollingUpdate' });
    if (strategy.type !== 'RollingUpdate') return strategy;
    return { ...strategy, rollingUpdate: fill(strategy.rollingUpdate as Fields | undefined, { maxUnavailable: 1, maxSurge: 0 }) };
  });
}

function replicationController(object: KubeObject): KubeObject {
  const labels = object.spec?.template?.metadata?.labels;
  let result = within(object, 'spec', (spec: Fields) => fill(withTemplate(spec), { replicas: 1, ...(labels && { selector: labels }) }));
  if (labels !== undefined && result.metadata.labels === undefined) result = { ...result, metadata: { ...result.metadata, labels } };
  return result;
}

function jobSpec(spec: Fields): Fields {
  const podFailurePolicy = spec.podFailurePolicy !== undefined;
  const single = spec.parallelism === undefined && spec.completions === undefined;
  return fill(withPodConditions(withTemplate(spec)), {
    parallelism: 1,
    ...(single && { completions: 1 }),
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: podFailurePolicy ? 'Failed' : 'TerminatingOrFailed',
  });
}

/** A rule of a failure policy that names a condition means that it is true. */
function withPodConditions(spec: Fields): Fields {
  const condition = (sent: Fields) => (sent.status === undefined || sent.status === '' ? { ...sent, status: 'True' } : sent);
  const rule = (sent: Fields) => within(sent, 'onPodConditions', (conditions: readonly Fields[]) => each(conditions, condition));
  return within(spec, 'podFailurePolicy', (policy: Fields) => within(policy, 'rules', (rules: readonly Fields[]) => each(rules, rule)));
}

/** A CronJob's template is no Job yet: only its pod template and its failure policy get defaults. */
function cronJobSpec(spec: Fields): Fields {
  const result = fill(spec, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
  return within(result, 'jobTemplate', (template: Fields) =>
    within(fill(template, { metadata: {} }), 'spec', (job: Fields) => withPodConditions(withTemplate(job))),
  );
}

/** TK-1, TK-6; the cluster's address is given out by the create. */
function serviceSpec(spec: Fields): Fields {
  const { type = 'ClusterIP' } = spec;
  const external = type === 'ExternalName';
  const exposed =
    type === 'NodePort' || type === 'LoadBalancer' || (!external && (spec.externalIPs as readonly unknown[] | undefined)?.length);
  const { sessionAffinityConfig, ...unbound } = spec;
  const bound = spec.sessionAffinity === undefined || spec.sessionAffinity === 'None' ? unbound : spec;
  const result = fill(bound, {
    type,
    sessionAffinity: 'None',
    ...(!external && { internalTrafficPolicy: 'Cluster' }),
    ...(exposed && { externalTrafficPolicy: 'Cluster' }),
    ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
    ...(spec.sessionAffinity === 'ClientIP' && { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }),
  });
  return within(result, 'ports', (ports: readonly Fields[]) =>
    each(ports, (port) => fill(port, { protocol: 'TCP', targetPort: port.port })),
  );
}

function persistentVolumeSpec(spec: Fields): Fields {
  const result = fill(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  return within(result, 'hostPath', (path: Fields) => fill(path, { type: '' }));
}

function roleBinding(object: KubeObject): KubeObject {
  const apiGroup = 'rbac.authorization.k8s.io';
  const result = within(object, 'roleRef', (reference: Fields) => (reference.apiGroup ? reference : { ...reference, apiGroup }));
  return within(result, 'subjects', (subjects: readonly Fields[]) =>
    each(subjects, (subject) => (subject.kind === 'User' || subject.kind === 'Group' ? fill(subject, { apiGroup }) : subject)),
  );
}

function networkPolicySpec(spec: Fields): Fields {
  const egress = Array.isArray(spec.egress) && spec.egress.length > 0;
  let result = fill(spec, { policyTypes: egress ? ['Ingress', 'Egress'] : ['Ingress'] });
  for (const direction of ['ingress', 'egress']) {
    result = within(result, direction, (rules: readonly Fields[]) =>
      each(rules, (rule) => within(rule, 'ports', (ports: readonly Fields[]) => each(ports, (port) => fill(port, { protocol: 'TCP' })))),
    );
  }
  return result;
}

/** What containers may have at most is their default limit, their default limit their default request, and so is what they must have. */
function limit(item: Fields): Fields {
  if (item.type !== 'Container') return item;
  const limits = merged(item.default, item.max);
  const requests = merged(merged(item.defaultRequest, limits), item.min);
  return { ...item, ...(limits !== undefined && { default: limits }), ...(requests !== undefined && { defaultRequest: requests }) };
}

/** Amounts, and of others those that are not among them. */
function merged(amounts: unknown, others: unknown): Fields | undefined {
  if (amounts === undefined) return others as Fields | undefined;
  return others === undefined ? (amounts as Fields) : fill(amounts as Fields, others as Fields);
}
