import { create, defineScenario, edit, type Scenario, target } from '../../src/scenarios/scenario.js';
import { ignoreNotFound } from '../../src/sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../src/sim/runtime/builder.js';
import { Deployment } from '../../src/sim/runtime/built-in-kinds.js';
import { setControllerReference } from '../../src/sim/runtime/controllerutil.js';
import type { ClientObject } from '../../src/sim/runtime/kind.js';
import { defineKind } from '../../src/sim/runtime/kind.js';

interface Web extends ClientObject {
  spec: { size: number };
  status?: { ready: number };
}

const Web = defineKind<Web>('bench.seatrial.dev/v1', 'Web');

const plainSchema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { size: { type: 'integer' } } },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  },
};

/** What a schema can ask of the server at each write: defaults, patterns, keyed lists, rules about one object and about two. */
const fullSchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 0, maximum: 100 },
        version: { type: 'string', default: '1.2.3', pattern: '^[0-9]+(\\.[0-9]+)*$' },
        storage: { 'x-kubernetes-int-or-string': true, default: '1Gi' },
        ports: {
          type: 'array',
          maxItems: 16,
          default: [{ name: 'http', port: 80 }],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string', maxLength: 63 }, port: { type: 'integer' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
      },
      'x-kubernetes-validations': [
        { rule: 'self.size <= 50 || self.ports.all(port, port.port > 1024)', message: 'large webs need high ports' },
        { rule: 'self.version == oldSelf.version || self.size <= oldSelf.size', message: 'no growth during an upgrade' },
      ],
    },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  },
};

const crd = (schema: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'webs.bench.seatrial.dev' },
  spec: {
    group: 'bench.seatrial.dev',
    scope: 'Namespaced',
    names: { plural: 'webs', singular: 'web', kind: 'Web', listKind: 'WebList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {} },
      },
    ],
  },
});

/**
 * One operator that keeps a Deployment and reports how many pods are ready.
 * @param syncPeriodMs resync, in virtual milliseconds
 * @param fullSchema whether its own kind has a schema with defaults and rules
 * @param requeueAfterMs when it asks to be woken again, in virtual milliseconds
 * @param byApply whether it writes its Deployment by server-side apply and reads who owns the fields
 */
export function reference(options: {
  readonly name: string;
  readonly syncPeriodMs?: number;
  readonly lastEditAtMs?: number;
  readonly edits?: number;
  readonly fullSchema?: boolean;
  readonly byApply?: boolean;
  readonly requeueAfterMs?: number;
}): Scenario {
  const edits = Array.from({ length: options.edits ?? 1 }, (_, index) =>
    edit(
      target(Web, 'default/a'),
      (web) => {
        web.spec.size = 2 + (index % 3);
      },
      { atMs: (options.lastEditAtMs ?? 30_000) + index * 1_000 },
    ),
  );
  return defineScenario({
    name: options.name,
    crds: [crd(options.fullSchema ? fullSchema : plainSchema)],
    operators: [
      {
        name: 'web-operator',
        ...(options.syncPeriodMs === undefined ? {} : { options: { syncPeriodMs: options.syncPeriodMs } }),
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(Web)
            .owns(Deployment)
            .complete(async (request) => {
              const web = await client.get(Web, request).catch(ignoreNotFound);
              if (web === undefined) return;
              const deployment = await client.get(Deployment, request).catch(ignoreNotFound);
              const wanted = deploymentOf(web);
              setControllerReference(web, wanted);
              if (options.byApply && !owns(deployment, web.spec.size)) {
                await client.apply(wanted, { fieldManager: 'web-operator', force: true });
                return;
              }
              if (deployment === undefined) {
                await client.create(wanted);
                return;
              }
              if (deployment.spec?.replicas !== web.spec.size) {
                deployment.spec = { ...deployment.spec, replicas: web.spec.size } as NonNullable<typeof deployment.spec>;
                await client.update(deployment);
              }
              const ready = deployment.status?.readyReplicas ?? 0;
              if (web.status?.ready !== ready) {
                web.status = { ready };
                await client.status().update(web);
              }
              return options.requeueAfterMs === undefined ? undefined : { requeueAfterMs: options.requeueAfterMs };
            });
        },
      },
    ],
    workload: [
      create({ apiVersion: 'bench.seatrial.dev/v1', kind: 'Web', metadata: { name: 'a', namespace: 'default' }, spec: { size: 1 } }),
      ...edits,
    ],
  });
}

/** Whether the operator has applied this size, as the object's managedFields tell. */
function owns(deployment: Deployment | undefined, size: number): boolean {
  const applied = deployment?.metadata.managedFields?.find(({ manager, operation }) => manager === 'web-operator' && operation === 'Apply');
  return applied !== undefined && deployment?.spec?.replicas === size;
}

function deploymentOf(web: Web) {
  const labels = { app: web.metadata.name ?? '' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: web.metadata.name ?? '', namespace: web.metadata.namespace ?? '' },
    spec: {
      replicas: web.spec.size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  };
}
