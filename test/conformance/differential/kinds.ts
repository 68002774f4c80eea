import { otherKinds } from './other-kinds.js';

/** The kinds that conversations are about: where they live, and a body that both servers accept. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface TalkedKind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** A CRD of the conversation's own group has to be there first. */
  readonly custom?: true;
  readonly status?: true;
  readonly scale?: true;
  /** How often a conversation is about this kind. */
  readonly weight: number;
  /** Everything but apiVersion, kind and metadata. */
  readonly body: JsonObject;
  /** Members that changes are made of: a pointer, and values that are plausible there. */
  readonly fields: readonly (readonly [pointer: string, values: readonly Json[]])[];
}

const container = { name: 'c', image: 'img:1' };
const podSpec = { containers: [container] };
const template = { metadata: { labels: { app: 'a' } }, spec: podSpec };
const selector = { matchLabels: { app: 'a' } };

const podFields = (at: string): TalkedKind['fields'] => [
  [`${at}/containers/0/image`, ['img:2', '', null]],
  [
    `${at}/containers/0/env`,
    [
      [{ name: 'A', value: '1' }],
      [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
      [{ name: 'A' }],
      null,
      [{ value: 'x' }],
    ],
  ],
  [
    `${at}/containers/0/ports`,
    [
      [{ containerPort: 80 }],
      [
        { containerPort: 80, protocol: 'UDP' },
        { containerPort: 81, name: 'web' },
      ],
      [{ containerPort: 0 }],
      [],
    ],
  ],
  [
    `${at}/containers/0/resources`,
    [{ limits: { cpu: '100m', memory: '1Gi' } }, { requests: { cpu: '0.1' } }, { limits: { cpu: 'x' } }, {}, { requests: { cpu: 1 } }],
  ],
  [`${at}/containers/0/command`, [['sh', '-c'], [], null]],
  [`${at}/containers`, [[container, { name: 'd', image: 'img:3' }], [container, container], [], null]],
  [`${at}/terminationGracePeriodSeconds`, [0, 5, null, -1]],
  [`${at}/restartPolicy`, ['Always', 'Never', 'Sometimes', null]],
  [`${at}/nodeSelector`, [{ disk: 'ssd' }, {}, null]],
  [`${at}/volumes`, [[{ name: 'v', emptyDir: {} }], [{ name: 'v', configMap: { name: 'a' } }], [{ name: 'v' }], []]],
  [`${at}/tolerations`, [[{ key: 'k', operator: 'Exists' }], [{ key: 'k', operator: 'Nope' }]]],
  [`${at}/serviceAccountName`, ['sa', '', null]],
];

export const kinds: readonly TalkedKind[] = [
  ...otherKinds,
  {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    plural: 'configmaps',
    namespaced: true,
    weight: 6,
    body: { data: { k: 'v' } },
    fields: [
      ['/data', [{ k: 'v2' }, { k: 'v', l: 'w' }, {}, null, { 'bad key!': 'x' }]],
      ['/data/k', ['v3', '', null, 'é\u2028😀']],
      ['/data/l', ['1', null]],
      ['/immutable', [true, false, null]],
      ['/binaryData', [{ b: 'aGk=' }, { k: 'aGk=' }, { b: '!!' }, null]],
    ],
  },
  {
    kind: 'Secret',
    apiVersion: 'v1',
    plural: 'secrets',
    namespaced: true,
    weight: 3,
    body: { data: { p: 'cHc=' } },
    fields: [
      ['/data', [{ p: 'cHcy' }, {}, null]],
      ['/data/p', ['cHcz', '', null, 'not base64']],
      ['/stringData', [{ p: 'plain' }, { q: '' }, null]],
      ['/type', ['Opaque', 'kubernetes.io/tls', 'example.com/mine', '', null]],
      ['/immutable', [true, false]],
    ],
  },
  {
    kind: 'Service',
    apiVersion: 'v1',
    plural: 'services',
    namespaced: true,
    status: true,
    weight: 3,
    body: { spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } },
    fields: [
      [
        '/spec/ports',
        [
          [
            { port: 80, name: 'h' },
            { port: 81, name: 'g' },
          ],
          [{ port: 80, targetPort: 'web' }],
          [{ port: 80, protocol: 'UDP' }],
          [{ port: 0 }],
          [],
        ],
      ],
      ['/spec/selector', [{ app: 'b' }, {}, null]],
      ['/spec/clusterIP', ['None', '']],
      ['/spec/sessionAffinity', ['ClientIP', 'None', 'Nope']],
      ['/spec/type', ['ClusterIP', 'ExternalName', 'Nope']],
      ['/spec/externalName', ['example.com', '']],
      ['/spec/publishNotReadyAddresses', [true, false]],
    ],
  },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    plural: 'deployments',
    namespaced: true,
    status: true,
    scale: true,
    weight: 4,
    body: { spec: { replicas: 1, selector, template } },
    fields: [
      ['/spec/replicas', [0, 3, null, -1, '2', 2.5]],
      ['/spec/paused', [true, false]],
      [
        '/spec/strategy',
        [{ type: 'Recreate' }, { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } }, { type: 'Nope' }, null],
      ],
      ['/spec/minReadySeconds', [5, 0, -1]],
      ['/spec/revisionHistoryLimit', [2, null]],
      ['/spec/selector', [{ matchLabels: { app: 'b' } }, {}, null]],
      ['/spec/template/metadata/labels', [{ app: 'a', v: '2' }, { app: 'b' }, {}]],
      ['/spec/template/metadata/annotations', [{ r: 'x' }, null]],
      ...podFields('/spec/template/spec'),
    ],
  },
  {
    kind: 'StatefulSet',
    apiVersion: 'apps/v1',
    plural: 'statefulsets',
    namespaced: true,
    status: true,
    scale: true,
    weight: 2,
    body: { spec: { replicas: 1, serviceName: 's', selector, template } },
    fields: [
      ['/spec/replicas', [0, 3, null, -1]],
      ['/spec/serviceName', ['t', '']],
      ['/spec/podManagementPolicy', ['Parallel', 'OrderedReady', 'Nope']],
      ['/spec/updateStrategy', [{ type: 'OnDelete' }, { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }]],
      ...podFields('/spec/template/spec'),
    ],
  },
  {
    kind: 'Job',
    apiVersion: 'batch/v1',
    plural: 'jobs',
    namespaced: true,
    status: true,
    weight: 1,
    body: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    fields: [
      ['/spec/parallelism', [2, 0, -1]],
      ['/spec/completions', [2, null]],
      ['/spec/suspend', [true, false]],
      ['/spec/backoffLimit', [1, -1]],
      ['/spec/template/spec/containers/0/image', ['img:2']],
    ],
  },
  {
    kind: 'Pod',
    apiVersion: 'v1',
    plural: 'pods',
    namespaced: true,
    status: true,
    weight: 3,
    body: { spec: podSpec },
    fields: podFields('/spec'),
  },
  {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    plural: 'leases',
    namespaced: true,
    weight: 2,
    body: { spec: { holderIdentity: 'me', leaseDurationSeconds: 15, acquireTime: '2020-01-02T03:04:05.123456Z' } },
    fields: [
      ['/spec/holderIdentity', ['you', '', null]],
      ['/spec/leaseDurationSeconds', [30, 0, -1, null]],
      ['/spec/renewTime', ['2020-01-02T03:04:06.000000Z', '2020-01-02T03:04:06Z', 'soon', null]],
      ['/spec/leaseTransitions', [1, -1]],
    ],
  },
  {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    plural: 'poddisruptionbudgets',
    namespaced: true,
    status: true,
    weight: 1,
    body: { spec: { minAvailable: 1, selector } },
    fields: [
      ['/spec/minAvailable', [2, '50%', '500%', -1, null]],
      ['/spec/maxUnavailable', [1, '10%']],
      ['/spec/selector', [{ matchLabels: { app: 'b' } }, {}, null]],
    ],
  },
  {
    kind: 'ServiceAccount',
    apiVersion: 'v1',
    plural: 'serviceaccounts',
    namespaced: true,
    weight: 1,
    body: {},
    fields: [
      ['/automountServiceAccountToken', [true, false, 'x']],
      ['/imagePullSecrets', [[{ name: 'a' }], [{}]]],
    ],
  },
  {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    plural: 'persistentvolumeclaims',
    namespaced: true,
    status: true,
    weight: 1,
    body: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    fields: [
      ['/spec/resources/requests/storage', ['2Gi', '0', 'x', 1024]],
      ['/spec/storageClassName', ['fast', '', null]],
      ['/spec/accessModes', [['ReadWriteMany'], []]],
    ],
  },
  {
    kind: 'Role',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    plural: 'roles',
    namespaced: true,
    weight: 1,
    body: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    fields: [['/rules', [[], null, [{ apiGroups: [''], resources: ['pods'], verbs: [] }], [{ nonResourceURLs: ['/x'], verbs: ['get'] }]]]],
  },
  {
    kind: 'RoleBinding',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    plural: 'rolebindings',
    namespaced: true,
    weight: 1,
    body: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'x' }],
    },
    fields: [
      ['/subjects', [[], [{ kind: 'User', name: 'u' }], [{ kind: 'ServiceAccount', name: 'a' }]]],
      ['/roleRef/name', ['b', '']],
      ['/roleRef/kind', ['ClusterRole', 'Nope']],
    ],
  },
  {
    kind: 'Ingress',
    apiVersion: 'networking.k8s.io/v1',
    plural: 'ingresses',
    namespaced: true,
    status: true,
    weight: 1,
    body: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
    fields: [
      [
        '/spec/rules',
        [
          [
            {
              host: 'a.example.com',
              http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'web' } } } }] },
            },
          ],
          [],
        ],
      ],
      ['/spec/ingressClassName', ['nginx', null]],
    ],
  },
  {
    kind: 'ClusterRole',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    plural: 'clusterroles',
    namespaced: false,
    weight: 1,
    body: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    fields: [['/rules', [[], null, [{ nonResourceURLs: ['/x'], verbs: ['get'] }]]]],
  },
  {
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    plural: 'priorityclasses',
    namespaced: false,
    weight: 1,
    body: { value: 10 },
    fields: [
      ['/value', [20, null]],
      ['/description', ['text', '']],
      ['/preemptionPolicy', ['Never', 'Nope']],
    ],
  },
  {
    kind: 'Namespace',
    apiVersion: 'v1',
    plural: 'namespaces',
    namespaced: false,
    status: true,
    weight: 1,
    body: {},
    fields: [['/spec/finalizers', [['kubernetes'], ['example.com/f'], []]]],
  },
  {
    kind: 'Widget',
    apiVersion: '${group}/v1',
    plural: 'widgets',
    namespaced: true,
    custom: true,
    status: true,
    scale: true,
    weight: 8,
    body: { spec: { replicas: 1, image: 'img:1' } },
    fields: [
      ['/spec/replicas', [0, 3, 11, null, '2', 2.5, -1]],
      ['/spec/image', ['img:2', '', null, 7]],
      ['/spec/mode', ['fast', 'slow', 'nope', null]],
      [
        '/spec/ports',
        [
          [{ name: 'a', port: 1 }],
          [
            { name: 'a', port: 1 },
            { name: 'b', port: 2 },
          ],
          [
            { name: 'a', port: 1 },
            { name: 'a', port: 2 },
          ],
          [{ port: 1 }],
          [],
          null,
        ],
      ],
      ['/spec/tags', [['x'], ['x', 'y'], ['x', 'x'], null]],
      ['/spec/free', [{ any: { thing: [1, null] } }, {}, null, 'text']],
      ['/spec/limits', [{ cpu: 1, mem: '1Gi' }, { cpu: '1' }, {}, null]],
      ['/spec/nested', [{ a: { b: 'c' } }, { a: null }, {}]],
      ['/spec/when', ['2020-01-02T03:04:05Z', 'later']],
      ['/spec/unknown', [1, null]],
      ['/spec', [{}, null, 'text', []]],
    ],
  },
  {
    kind: 'Gadget',
    apiVersion: '${group}/v1beta1',
    plural: 'gadgets',
    namespaced: true,
    custom: true,
    weight: 3,
    body: { spec: { size: 1 } },
    fields: [
      ['/spec/size', [2, 1.5, '3', null, 9007199254740991]],
      ['/spec/list', [[1, 2], [], [null], null]],
      ['/spec/deep', [{ a: { b: { c: {} } } }, null]],
      ['/status', [{ ready: true }, {}, null]],
      ['/extra', ['x', null]],
    ],
  },
  {
    kind: 'Gadget',
    apiVersion: '${group}/v1',
    plural: 'gadgets',
    namespaced: true,
    custom: true,
    weight: 2,
    body: { spec: { size: 2 } },
    fields: [
      ['/spec/size', [3, 'x']],
      ['/spec/only', ['v1', null]],
    ],
  },
  {
    kind: 'Beacon',
    apiVersion: '${group}/v1',
    plural: 'beacons',
    namespaced: false,
    custom: true,
    status: true,
    weight: 2,
    body: { spec: { lit: true } },
    fields: [
      ['/spec/lit', [false, null, 'x']],
      ['/spec/color', ['red', 'green', '']],
    ],
  },
];

/** What a kind's status may hold. */
export const statuses: readonly Json[] = [
  { replicas: 1, observedGeneration: 1 },
  { conditions: [{ type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: '2020-01-02T03:04:05Z' }] },
  { conditions: [{ type: 'Ready', status: 'False' }] },
  { phase: 'Running' },
  {},
  null,
  { replicas: '1' },
];

const conditions = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      type: { type: 'string' },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: { type: 'string' },
      message: { type: 'string' },
      lastTransitionTime: { type: 'string', format: 'date-time' },
    },
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
};

const widgetSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['image'],
      properties: {
        replicas: { type: 'integer', minimum: 0, maximum: 10, default: 1 },
        image: { type: 'string', minLength: 1 },
        mode: { type: 'string', enum: ['fast', 'slow'], default: 'slow' },
        ports: {
          type: 'array',
          maxItems: 5,
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, port: { type: 'integer', format: 'int32', default: 80 } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
        nested: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'string', default: 'd' } } } } },
        when: { type: 'string', format: 'date-time' },
      },
      'x-kubernetes-validations': [{ rule: "self.mode != 'fast' || self.replicas > 0", message: 'fast needs replicas' }],
    },
    status: {
      type: 'object',
      properties: { replicas: { type: 'integer' }, observedGeneration: { type: 'integer' }, phase: { type: 'string' }, conditions },
    },
  },
};

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function crd(plural: string, kind: string, scope: string, versions: readonly Json[]): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.\${group}` },
    spec: { group: '${group}', scope, names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` }, versions },
  };
}

/** By plural. */
export const crds: Readonly<Record<string, JsonObject>> = {
  widgets: crd('widgets', 'Widget', 'Namespaced', [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: widgetSchema },
      subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
      additionalPrinterColumns: [{ name: 'Image', type: 'string', jsonPath: '.spec.image' }],
      selectableFields: [{ jsonPath: '.spec.mode' }],
    },
  ]),
  gadgets: crd('gadgets', 'Gadget', 'Namespaced', [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: { size: { type: 'number' }, only: { type: 'string' }, list: { type: 'array', items: { type: 'integer' } } },
            },
          },
        },
      },
    },
    { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema: free } },
  ]),
  beacons: crd('beacons', 'Beacon', 'Cluster', [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { lit: { type: 'boolean' }, color: { type: 'string', maxLength: 4 } } },
            status: free,
          },
        },
      },
      subresources: { status: {} },
    },
  ]),
};

/** The path of a kind's collection, in the conversation's namespace if it has one. */
export function collectionOf(kind: TalkedKind): string {
  const root = kind.apiVersion === 'v1' ? '/api/v1' : `/apis/${kind.apiVersion}`;
  return kind.namespaced ? `${root}/namespaces/\${ns}/${kind.plural}` : `${root}/${kind.plural}`;
}

/** Names of cluster-wide objects hold the namespace's, so that conversations do not meet. */
export function fullName(kind: TalkedKind, name: string): string {
  return kind.namespaced ? name : `\${ns}-${name}`;
}

/** Where one object is. */
export function pathOf(kind: TalkedKind, name: string): string {
  return `${collectionOf(kind)}/${fullName(kind, name)}`;
}

/** A JSON object: no list, not null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
