import {
  type ClientObject,
  create,
  defineKind,
  defineScenario,
  edit,
  ignoreNotFound,
  newControllerManagedBy,
  type Operator,
  PersistentVolumeClaim,
  Pod,
  setControllerReference,
  target,
} from 'seatrial';
import { plainCrd, wish } from '../../src/scenarios/zoo/plain-crd.js';

/** So many pods, each with a claim of its own, and a count of those that are ready. */
interface Fleet extends ClientObject {
  spec: { ships: number };
  status?: { ready: number };
}
const Fleet = defineKind<Fleet>('example.com/v1', 'Fleet');

function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

function isReady({ status }: Pod): boolean {
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
          const fleet = await client.get(Fleet, key).catch(ignoreNotFound);
          if (fleet === undefined || fleet.metadata.deletionTimestamp !== undefined) return;
          let ready = 0;
          for (let number = 0; number < fleet.spec.ships; number++) {
            const place = { name: `${key.name}-${number}`, namespace: key.namespace ?? '' };
            if ((await client.get(PersistentVolumeClaim, place).catch(ignoreNotFound)) === undefined) {
              const claim: PersistentVolumeClaim = {
                apiVersion: 'v1',
                kind: 'PersistentVolumeClaim',
                metadata: place,
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              };
              setControllerReference(fleet, claim);
              await client.create(claim);
            }
            const pod = await client.get(Pod, place).catch(ignoreNotFound);
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
              if (isFinished(pod)) await client.delete(pod, { preconditions: { uid: pod.metadata.uid ?? '' } }).catch(ignoreNotFound);
              else if (counts(pod)) ready += 1;
            }
          }
          const beyond = await client.get(Pod, { ...key, name: `${key.name}-${fleet.spec.ships}` }).catch(ignoreNotFound);
          if (beyond !== undefined && beyond.metadata.deletionTimestamp === undefined) await client.delete(beyond).catch(ignoreNotFound);
          if (fleet.status?.ready === ready) return;
          fleet.status = { ready };
          await client.status().update(fleet);
        });
    },
  };
}

function fleetScenario(name: string, counts: (pod: Pod) => boolean) {
  return defineScenario({
    name,
    crds: [plainCrd(Fleet)],
    operators: [fleetOperator(counts)],
    workload: [
      create(wish(Fleet, 'a', { ships: 3 })),
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
