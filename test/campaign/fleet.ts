import {
  type ClientObject,
  create,
  defineKind,
  defineScenario,
  edit,
  isNotFound,
  type KubeObject,
  newControllerManagedBy,
  type Operator,
  PersistentVolumeClaim,
  Pod,
  setControllerReference,
  target,
} from 'seatrial';

/** So many pods, each with a claim of its own, and a count of those that are ready. */
interface Fleet extends ClientObject {
  spec: { ships: number };
  status?: { ready: number };
}
const Fleet = defineKind<Fleet>('example.com/v1', 'Fleet');

const fleetCrd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'fleets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'fleets', singular: 'fleet', kind: 'Fleet', listKind: 'FleetList' },
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
              spec: { type: 'object', properties: { ships: { type: 'integer' } } },
              status: { type: 'object', properties: { ready: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

export function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/** Keeps the pods of a fleet: makes those that are missing, replaces those that have failed. @param counts whether a pod counts as ready */
function fleetOperator(counts: (pod: Pod) => boolean): Operator {
  return {
    name: 'fleet-operator',
    setup(manager) {
      const { client } = manager;
      newControllerManagedBy(manager)
        .for(Fleet)
        .owns(Pod)
        .owns(PersistentVolumeClaim)
        .complete(async (key) => {
          const fleet = await unlessMissing(client.get(Fleet, key));
          if (fleet === undefined || fleet.metadata.deletionTimestamp !== undefined) return;
          let ready = 0;
          for (let number = 0; number < fleet.spec.ships; number++) {
            const place = { name: `${key.name}-${number}`, namespace: key.namespace ?? '' };
            if ((await unlessMissing(client.get(PersistentVolumeClaim, place))) === undefined) {
              const claim: PersistentVolumeClaim = {
                apiVersion: 'v1',
                kind: 'PersistentVolumeClaim',
                metadata: place,
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              };
              setControllerReference(fleet, claim);
              await client.create(claim);
            }
            const pod = await unlessMissing(client.get(Pod, place));
            if (pod === undefined) {
              const made: Pod = {
                apiVersion: 'v1',
                kind: 'Pod',
                metadata: place,
                spec: {
                  containers: [{ name: 'ship', image: 'ship:1', readinessProbe: { httpGet: { path: '/', port: 80 as never } } }],
                  volumes: [{ name: 'hold', persistentVolumeClaim: { claimName: place.name } }],
                },
              };
              setControllerReference(fleet, made);
              await client.create(made);
            } else if (pod.metadata.deletionTimestamp === undefined) {
              if (isFinished(pod)) await client.delete(pod, { preconditions: { uid: pod.metadata.uid ?? '' } }).catch(ignoreMissing);
              else if (counts(pod)) ready += 1;
            }
          }
          const beyond = await unlessMissing(client.get(Pod, { ...key, name: `${key.name}-${fleet.spec.ships}` }));
          if (beyond !== undefined && beyond.metadata.deletionTimestamp === undefined) await client.delete(beyond).catch(ignoreMissing);
          if (fleet.status?.ready === ready) return;
          fleet.status = { ready };
          await client.status().update(fleet);
        });
    },
  };
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

function fleetScenario(name: string, counts: (pod: Pod) => boolean) {
  return defineScenario({
    name,
    crds: [fleetCrd],
    operators: [fleetOperator(counts)],
    workload: [
      create({ apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'a', namespace: 'default' }, spec: { ships: 3 } }),
      edit(target(Fleet, 'default/a'), (fleet) => {
        fleet.spec.ships = 2;
      }),
    ],
    goal: (state) => state.get('fleets.example.com', 'default', 'a')?.status?.ready === 2 || 'two ready ships',
  });
}

export const soundFleet = fleetScenario('sound-fleet', isReady);

/** Takes a pod that has ever been restarted for one that is not well. */
export const miscountedFleet = fleetScenario(
  'miscounted-fleet',
  (pod) => isReady(pod) && (pod.status?.containerStatuses ?? []).every(({ restartCount }) => restartCount === 0),
);
