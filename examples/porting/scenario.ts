import { type ClusterState, create, defineScenario, edit, type KubeObject, remove, target } from 'seatrial';
import { setupWithManager, Website } from './website-controller.js';

const crd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'websites.web.example.com' },
  spec: {
    group: 'web.example.com',
    names: { kind: 'Website', plural: 'websites', singular: 'website', listKind: 'WebsiteList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['image', 'host', 'content'],
                properties: {
                  image: { type: 'string' },
                  replicas: { type: 'integer', minimum: 1 },
                  host: { type: 'string' },
                  content: { type: 'string' },
                },
              },
              status: {
                type: 'object',
                properties: {
                  observedGeneration: { type: 'integer' },
                  readyReplicas: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
                      properties: {
                        type: { type: 'string' },
                        status: { type: 'string' },
                        reason: { type: 'string' },
                        message: { type: 'string' },
                        lastTransitionTime: { type: 'string', format: 'date-time' },
                        observedGeneration: { type: 'integer' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

function website(name: string): KubeObject {
  return {
    apiVersion: 'web.example.com/v1',
    kind: 'Website',
    metadata: { name, namespace: 'default' },
    spec: { image: 'nginx:1.29', host: `${name}.example.com`, content: 'pages' },
  };
}

const pages = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'pages', namespace: 'default' }, data: { index: 'hello' } };

/** A site waits for its pages, grows, and gets new pages; another is given up. */
export default defineScenario({
  name: 'porting',
  about: 'the operator of docs/porting.md',
  crds: [crd],
  objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dns' } }],
  operators: [{ name: 'website-operator', setup: setupWithManager }],
  workload: [
    create(website('home')),
    create(pages, { atMs: 5_000 }),
    create(website('trial'), { atMs: 10_000 }),
    edit(target(Website, 'default/home'), ({ spec }) => Object.assign(spec, { replicas: 2 }), { atMs: 20_000 }),
    edit({ resource: 'configmaps', namespace: 'default', name: 'pages' }, ({ data }) => Object.assign(data, { index: 'hello again' }), {
      atMs: 30_000,
    }),
    remove(target(Website, 'default/trial'), { atMs: 40_000 }),
  ],
  goal: (state) => reached(state),
});

function reached(state: ClusterState): true | string {
  const { status } = state.get('websites.web.example.com', 'default', 'home') as KubeObject;
  if (status?.readyReplicas !== 2) return 'home has not 2 ready replicas';
  const records = state.list('configmaps').filter(({ metadata }) => metadata.namespace === 'dns');
  return records.length === 1 || `there are ${records.length} records`;
}
