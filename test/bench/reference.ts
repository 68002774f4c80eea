import { create, defineScenario, edit, type Scenario, target } from '../../src/scenarios/scenario.js';
import { isNotFound } from '../../src/sim/runtime/api-errors.js';
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

const crd = {
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
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' } } },
              status: { type: 'object', properties: { ready: { type: 'integer' } } },
            },
          },
        },
        subresources: { status: {} },
      },
    ],
  },
};

/** One operator that keeps a Deployment and reports how many pods are ready. @param syncPeriodMs resync, in virtual milliseconds */
export function reference(options: {
  readonly name: string;
  readonly syncPeriodMs?: number;
  readonly lastEditAtMs?: number;
  readonly edits?: number;
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
    crds: [crd],
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
              const web = await client.get(Web, request).catch(orNothing);
              if (web === undefined) return;
              const deployment = await client.get(Deployment, request).catch(orNothing);
              if (deployment === undefined) {
                const wanted = deploymentOf(web);
                setControllerReference(web, wanted);
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

function orNothing(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
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
