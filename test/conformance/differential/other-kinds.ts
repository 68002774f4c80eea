import type { TalkedKind } from './kinds.js';

const selector = { matchLabels: { app: 'a' } };
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'img:1' }] } };

/** Kinds that operators write now and then. */
export const otherKinds: readonly TalkedKind[] = [
  {
    kind: 'DaemonSet',
    apiVersion: 'apps/v1',
    plural: 'daemonsets',
    namespaced: true,
    status: true,
    weight: 1,
    body: { spec: { selector, template } },
    fields: [
      ['/spec/updateStrategy', [{ type: 'OnDelete' }, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } }]],
      ['/spec/minReadySeconds', [5, 0]],
      ['/spec/template/spec/containers/0/image', ['img:2']],
      ['/spec/template/metadata/annotations', [{ r: 'x' }, null]],
    ],
  },
  {
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    plural: 'replicasets',
    namespaced: true,
    status: true,
    scale: true,
    weight: 1,
    body: { spec: { replicas: 1, selector, template } },
    fields: [
      ['/spec/replicas', [0, 3, null]],
      ['/spec/minReadySeconds', [5, 0]],
      ['/spec/template/spec/containers/0/image', ['img:2']],
    ],
  },
  {
    kind: 'CronJob',
    apiVersion: 'batch/v1',
    plural: 'cronjobs',
    namespaced: true,
    status: true,
    weight: 1,
    body: {
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: { spec: { template: { spec: { containers: [{ name: 'c', image: 'img:1' }], restartPolicy: 'Never' } } } },
      },
    },
    fields: [
      ['/spec/schedule', ['0 0 * * *', 'x', '@daily']],
      ['/spec/suspend', [true, false, null]],
      ['/spec/concurrencyPolicy', ['Forbid', 'Nope']],
      ['/spec/startingDeadlineSeconds', [10, null, -1]],
    ],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    plural: 'horizontalpodautoscalers',
    namespaced: true,
    status: true,
    weight: 1,
    body: { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, maxReplicas: 3 } },
    fields: [
      ['/spec/minReplicas', [2, null]],
      ['/spec/maxReplicas', [5, 0]],
      [
        '/spec/metrics',
        [[{ type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 60 } } }], [], null],
      ],
      ['/spec/behavior', [{ scaleDown: { stabilizationWindowSeconds: 10 } }, null]],
    ],
  },
  {
    kind: 'NetworkPolicy',
    apiVersion: 'networking.k8s.io/v1',
    plural: 'networkpolicies',
    namespaced: true,
    weight: 1,
    body: { spec: { podSelector: selector, ingress: [{ ports: [{ port: 80 }] }] } },
    fields: [
      ['/spec/podSelector', [{}, { matchLabels: { app: 'b' } }]],
      ['/spec/egress', [[{ to: [{ namespaceSelector: {} }] }], [], null]],
      ['/spec/policyTypes', [['Ingress'], ['Egress', 'Ingress'], null]],
    ],
  },
  {
    kind: 'ResourceQuota',
    apiVersion: 'v1',
    plural: 'resourcequotas',
    namespaced: true,
    status: true,
    weight: 1,
    body: { spec: { hard: { 'count/ingresses.networking.k8s.io': '100' } } },
    fields: [['/spec/hard', [{ 'count/ingresses.networking.k8s.io': '200' }, {}, null]]],
  },
  {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    plural: 'endpointslices',
    namespaced: true,
    weight: 1,
    body: { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ name: 'h', port: 80 }] },
    fields: [
      ['/endpoints', [[{ addresses: ['10.1.2.3'], conditions: { ready: true } }, { addresses: ['10.1.2.4'] }], [], null]],
      ['/ports', [[{ name: 'h', port: 81 }], [], null]],
    ],
  },
  {
    kind: 'StorageClass',
    apiVersion: 'storage.k8s.io/v1',
    plural: 'storageclasses',
    namespaced: false,
    weight: 1,
    body: { provisioner: 'example.com/p' },
    fields: [
      ['/parameters', [{ a: 'b' }, null]],
      ['/allowVolumeExpansion', [true, false]],
      ['/mountOptions', [['ro'], []]],
    ],
  },
];
