import type { Json, JsonObject, TalkedKind } from './kinds.js';

/** What one of several writers of an object may care about: parts of valid bodies that can be put together. */
export function fragmentsOf(kind: TalkedKind): readonly JsonObject[] {
  return [...metadataFragments, ...(specific.get(kind.plural) ?? [])];
}

/** Valid parts of a kind's status. */
export function statusFragmentsOf(kind: TalkedKind): readonly JsonObject[] {
  return (statuses.get(kind.plural) ?? [{}]).map((status) => ({ status }));
}

/** Members that a kind may do without: pointers for JSON patches, and for nulls in merge patches. */
export function optionalPlaces(kind: TalkedKind): readonly string[] {
  return [...commonPlaces, ...(places.get(kind.plural) ?? [])];
}

const metadataFragments: readonly JsonObject[] = [
  { metadata: { labels: { app: 'a' } } },
  { metadata: { labels: { app: 'b', tier: 'x' } } },
  { metadata: { labels: { 'example.com/part': 'of' } } },
  { metadata: { annotations: { note: 'x' } } },
  { metadata: { annotations: { note: 'y', 'example.com/n': '1' } } },
  { metadata: { finalizers: ['example.com/f'] } },
  { metadata: { finalizers: ['example.com/g'] } },
  { metadata: { annotations: {} } },
  { metadata: { labels: {} } },
];

const inTemplate = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const containers: readonly JsonObject[] = [
  { containers: [{ name: 'c', image: 'img:2' }] },
  { containers: [{ name: 'c', image: 'img:1', env: [{ name: 'A', value: '1' }] }] },
  { containers: [{ name: 'c', image: 'img:1', env: [{ name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }] },
  { containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80 }] }] },
  {
    containers: [
      {
        name: 'c',
        image: 'img:1',
        ports: [
          { containerPort: 80, protocol: 'UDP' },
          { containerPort: 81, name: 'web' },
        ],
      },
    ],
  },
  { containers: [{ name: 'c', image: 'img:1', resources: { limits: { cpu: '100m', memory: '1Gi' }, requests: { cpu: '0.1' } } }] },
  {
    containers: [{ name: 'c', image: 'img:1', args: ['x', 'y'], volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
  { containers: [{ name: 'd', image: 'img:3', livenessProbe: { httpGet: { path: '/', port: 80 } } }] },
];
const podSpecs: readonly JsonObject[] = [
  ...containers,
  { nodeSelector: { disk: 'ssd' } },
  { terminationGracePeriodSeconds: 5 },
  { tolerations: [{ key: 'k', operator: 'Exists' }] },
  { imagePullSecrets: [{ name: 's' }, { name: 't' }] },
  { initContainers: [{ name: 'i', image: 'img:1' }] },
  { securityContext: { runAsNonRoot: true } },
  { hostAliases: [{ ip: '1.2.3.4', hostnames: ['h'] }] },
  {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { app: 'a' } } },
    ],
  },
];
const workload: readonly JsonObject[] = [
  ...podSpecs.map(inTemplate),
  { spec: { template: { metadata: { annotations: { r: 'x' } } } } },
  { spec: { template: { metadata: { labels: { app: 'a', v: '2' } } } } },
  { spec: { minReadySeconds: 5 } },
];
const replicas: readonly JsonObject[] = [{ spec: { replicas: 2 } }, { spec: { replicas: 0 } }, { spec: { replicas: 1 } }];
const condition = (type: string, status: string): JsonObject => ({
  type,
  status,
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2020-01-02T03:04:05Z',
});

const specific: ReadonlyMap<string, readonly JsonObject[]> = new Map<string, readonly JsonObject[]>([
  ['configmaps', [{ data: { k: 'v2' } }, { data: { l: 'w' } }, { binaryData: { b: 'aGk=' } }, { data: {} }, { immutable: false }]],
  ['secrets', [{ data: { p: 'cHcy' } }, { stringData: { q: 'plain' } }, { type: 'Opaque' }, { data: { r: '' } }]],
  [
    'services',
    [
      { spec: { ports: [{ port: 80, name: 'h' }] } },
      {
        spec: {
          ports: [
            { port: 80, name: 'h' },
            { port: 81, name: 'g', protocol: 'UDP' },
          ],
        },
      },
      { spec: { selector: { app: 'b' } } },
      { spec: { sessionAffinity: 'ClientIP' } },
      { spec: { publishNotReadyAddresses: true } },
      { spec: { type: 'NodePort' } },
      { spec: { type: 'ClusterIP' } },
    ],
  ],
  [
    'deployments',
    [
      ...workload,
      ...replicas,
      { spec: { paused: true } },
      { spec: { strategy: { type: 'Recreate' } } },
      { spec: { strategy: { rollingUpdate: { maxSurge: 2 } } } },
      { spec: { revisionHistoryLimit: 2 } },
    ],
  ],
  ['statefulsets', [...workload, ...replicas, { spec: { updateStrategy: { rollingUpdate: { partition: 1 } } } }]],
  ['daemonsets', [...workload, { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } } }]],
  ['replicasets', [...workload, ...replicas]],
  [
    'jobs',
    [{ spec: { parallelism: 2 } }, { spec: { suspend: true } }, { spec: { backoffLimit: 1 } }, { spec: { activeDeadlineSeconds: 60 } }],
  ],
  ['cronjobs', [{ spec: { suspend: true } }, { spec: { schedule: '0 0 * * *' } }, { spec: { successfulJobsHistoryLimit: 1 } }]],
  ['pods', [{ spec: { containers: [{ name: 'c', image: 'img:2' }] } }, { spec: { activeDeadlineSeconds: 60 } }]],
  [
    'leases',
    [{ spec: { holderIdentity: 'you' } }, { spec: { renewTime: '2020-01-02T03:04:06.000000Z' } }, { spec: { leaseTransitions: 1 } }],
  ],
  [
    'poddisruptionbudgets',
    [{ spec: { minAvailable: '50%' } }, { spec: { minAvailable: 2 } }, { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } }],
  ],
  ['serviceaccounts', [{ automountServiceAccountToken: false }, { imagePullSecrets: [{ name: 'a' }] }, { secrets: [{ name: 'b' }] }]],
  ['persistentvolumeclaims', [{ spec: { storageClassName: 'fast' } }, { spec: { resources: { requests: { storage: '1Gi' } } } }]],
  [
    'roles',
    [
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
      { rules: [{ apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: ['*'] }] },
      { rules: [] },
    ],
  ],
  [
    'clusterroles',
    [
      { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
    ],
  ],
  ['rolebindings', [{ subjects: [{ kind: 'User', name: 'u' }] }, { subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'x' }] }]],
  [
    'ingresses',
    [
      { spec: { ingressClassName: 'nginx' } },
      { spec: { rules: [{ host: 'a.example.com' }] } },
      { spec: { tls: [{ hosts: ['a.example.com'], secretName: 's' }] } },
    ],
  ],
  [
    'horizontalpodautoscalers',
    [{ spec: { minReplicas: 2 } }, { spec: { maxReplicas: 5 } }, { spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 5 } } } }],
  ],
  ['networkpolicies', [{ spec: { egress: [{ to: [{ podSelector: {} }] }] } }, { spec: { policyTypes: ['Ingress', 'Egress'] } }]],
  ['resourcequotas', [{ spec: { hard: { 'count/ingresses.networking.k8s.io': '50' } } }]],
  [
    'endpointslices',
    [{ endpoints: [{ addresses: ['10.1.2.9'], conditions: { ready: false } }] }, { ports: [{ name: 'g', port: 90, appProtocol: 'http' }] }],
  ],
  ['storageclasses', [{ allowVolumeExpansion: true }, { mountOptions: ['ro'] }]],
  ['priorityclasses', [{ description: 'text' }, { globalDefault: false }]],
  ['namespaces', []],
  [
    'widgets',
    [
      ...replicas,
      { spec: { image: 'img:2' } },
      { spec: { mode: 'fast' } },
      { spec: { ports: [{ name: 'a', port: 1 }] } },
      { spec: { ports: [{ name: 'b', port: 2 }, { name: 'a' }] } },
      { spec: { tags: ['x'] } },
      { spec: { tags: ['y', 'z'] } },
      { spec: { free: { any: { thing: [1, null] } } } },
      { spec: { free: { any: { other: 'x' } } } },
      { spec: { limits: { cpu: '1' } } },
      { spec: { limits: { mem: '1Gi' } } },
      { spec: { nested: { a: { b: 'c' } } } },
      { spec: {} },
    ],
  ],
  ['gadgets', [{ spec: { size: 2 } }, { spec: { list: [1, 2] } }, { extra: 'x' }, { spec: { deep: { a: { b: {} } } } }]],
  ['beacons', [{ spec: { lit: false } }, { spec: { color: 'red' } }]],
]);

const workloadStatus: readonly Json[] = [
  { replicas: 1, observedGeneration: 1 },
  { replicas: 1, readyReplicas: 1, availableReplicas: 1 },
  { conditions: [condition('Available', 'True')] },
];
const customStatus: readonly Json[] = [
  { replicas: 1 },
  { conditions: [condition('Ready', 'True')] },
  { conditions: [condition('Ready', 'False'), condition('Synced', 'True')] },
  { phase: 'Running' },
  {},
];

const statuses: ReadonlyMap<string, readonly Json[]> = new Map<string, readonly Json[]>([
  ['deployments', workloadStatus],
  ['replicasets', workloadStatus.slice(0, 2)],
  ['statefulsets', workloadStatus.slice(0, 2)],
  ['daemonsets', [{ currentNumberScheduled: 1, desiredNumberScheduled: 1, numberMisscheduled: 0, numberReady: 1 }]],
  ['jobs', [{ active: 1 }, { startTime: '2020-01-02T03:04:05Z', active: 1, ready: 0 }]],
  ['cronjobs', [{ lastScheduleTime: '2020-01-02T03:04:05Z' }, { active: [{ kind: 'Job', name: 'x', namespace: '${ns}' }] }]],
  [
    'pods',
    [
      { phase: 'Running', podIP: '10.1.1.1', hostIP: '10.2.2.2' },
      { conditions: [condition('Ready', 'True')] },
      { conditions: [condition('example.com/gate', 'False')] },
      { phase: 'Succeeded' },
      {
        containerStatuses: [
          {
            name: 'c',
            image: 'img:1',
            imageID: 'x',
            ready: true,
            restartCount: 1,
            state: { running: { startedAt: '2020-01-02T03:04:05Z' } },
          },
        ],
      },
    ],
  ],
  ['services', [{ loadBalancer: {} }, { conditions: [condition('Ready', 'True')] }]],
  ['poddisruptionbudgets', [{ disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, observedGeneration: 1 }]],
  ['persistentvolumeclaims', [{ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } }, { phase: 'Pending' }]],
  ['ingresses', [{ loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } }, { loadBalancer: {} }]],
  ['horizontalpodautoscalers', [{ desiredReplicas: 2, currentReplicas: 1 }]],
  ['resourcequotas', [{ hard: { 'count/ingresses.networking.k8s.io': '100' }, used: { 'count/ingresses.networking.k8s.io': '1' } }]],
  ['namespaces', [{ conditions: [condition('NamespaceContentRemaining', 'True')] }, { phase: 'Active' }]],
  ['widgets', customStatus],
  ['beacons', customStatus.slice(1)],
]);

const commonPlaces = [
  '/metadata/labels',
  '/metadata/annotations',
  '/metadata/finalizers',
  '/metadata/labels/app',
  '/metadata/annotations/note',
];
const workloadPlaces = [
  '/spec/minReadySeconds',
  '/spec/template/metadata/annotations',
  '/spec/template/spec/nodeSelector',
  '/spec/template/spec/volumes',
];
const places: ReadonlyMap<string, readonly string[]> = new Map([
  ['configmaps', ['/data', '/data/k', '/binaryData']],
  ['secrets', ['/data/p', '/data']],
  ['deployments', ['/spec/replicas', '/spec/strategy', '/spec/paused', ...workloadPlaces]],
  ['statefulsets', ['/spec/replicas', '/spec/updateStrategy', ...workloadPlaces]],
  ['daemonsets', ['/spec/updateStrategy', ...workloadPlaces]],
  ['replicasets', ['/spec/replicas', ...workloadPlaces]],
  ['services', ['/spec/selector', '/spec/sessionAffinity', '/spec/sessionAffinityConfig']],
  ['leases', ['/spec', '/spec/holderIdentity']],
  ['ingresses', ['/spec/ingressClassName', '/spec/tls', '/spec/rules']],
  ['roles', ['/rules']],
  ['rolebindings', ['/subjects']],
  ['cronjobs', ['/spec/suspend', '/spec/successfulJobsHistoryLimit']],
  ['horizontalpodautoscalers', ['/spec/minReplicas', '/spec/metrics', '/spec/behavior']],
  ['networkpolicies', ['/spec/egress', '/spec/policyTypes']],
  ['endpointslices', ['/endpoints', '/ports']],
  ['widgets', ['/spec/replicas', '/spec/mode', '/spec/ports', '/spec/tags', '/spec/free', '/spec/limits', '/spec/nested', '/status']],
  ['gadgets', ['/spec/size', '/spec', '/extra']],
  ['beacons', ['/spec', '/status']],
]);
