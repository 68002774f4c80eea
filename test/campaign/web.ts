import {
  type ClientObject,
  ConfigMap,
  create,
  defineKind,
  defineScenario,
  edit,
  ignoreNotFound,
  type KubeObject,
  newControllerManagedBy,
  type Operator,
  setControllerReference,
  target,
} from 'seatrial';

/** A small kind with one child, for the tests of campaigns. */
export interface Web extends ClientObject {
  spec: { text: string };
}
export const Web = defineKind<Web>('example.com/v1', 'Web');

export const webCrd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'webs.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'webs', singular: 'web', kind: 'Web', listKind: 'WebList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { text: { type: 'string' } } } } },
        },
      },
    ],
  },
};

export const webA: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Web',
  metadata: { name: 'a', namespace: 'default' },
  spec: { text: 'hello' },
};

/** Looks for the child by its fixed name: sound whatever happens. */
export const soundOperator: Operator = {
  name: 'web-operator',
  setup(manager) {
    const { client } = manager;
    newControllerManagedBy(manager)
      .for(Web)
      .owns(ConfigMap)
      .complete(async ({ namespace, name }) => {
        const web = await client.get(Web, { namespace, name }).catch(ignoreNotFound);
        if (web === undefined || web.metadata.deletionTimestamp !== undefined) return;
        const found = await client.get(ConfigMap, { namespace, name }).catch(ignoreNotFound);
        if (found !== undefined) {
          if (found.data?.text === web.spec.text) return;
          found.data = { text: web.spec.text };
          await client.update(found);
          return;
        }
        const child: ConfigMap = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, namespace },
          data: { text: web.spec.text },
        };
        setControllerReference(web, child);
        await client.create(child);
      });
  },
};

/** Lists its children in the cache and, when there is none, makes one under a generated name: twice when the cache is behind. */
export const twiceOperator: Operator = {
  name: 'web-operator',
  setup(manager) {
    const { client } = manager;
    newControllerManagedBy(manager)
      .for(Web)
      .owns(ConfigMap)
      .complete(async ({ namespace, name }) => {
        const web = await client.get(Web, { namespace, name }).catch(ignoreNotFound);
        if (web === undefined || web.metadata.deletionTimestamp !== undefined) return;
        const children = await client.list(ConfigMap, { namespace, labels: { web: name } });
        if (children.items.length > 0) return;
        const child: ConfigMap = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { generateName: `${name}-`, namespace, labels: { web: name } },
          data: { text: 'x' },
        };
        setControllerReference(web, child);
        await client.create(child);
      });
  },
};

const shared = {
  crds: [webCrd],
  workload: [
    create(webA),
    edit(target(Web, 'default/a'), (web) => {
      web.spec.text = 'goodbye';
    }),
  ],
};

export const sound = defineScenario({ ...shared, name: 'sound-web', operators: [soundOperator] });
export const twice = defineScenario({ ...shared, name: 'twice-web', operators: [twiceOperator] });

/** Writes what time it is: no two runs of it are the same. */
export const clockedOperator: Operator = {
  name: 'web-operator',
  setup(manager) {
    const { client } = manager;
    newControllerManagedBy(manager)
      .for(Web)
      .complete(async ({ namespace, name }) => {
        const stamp: ConfigMap = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, namespace },
          data: { at: `${Date.now()} ${Math.random()}` },
        };
        await client.create(stamp).catch(() => undefined);
      });
  },
};
