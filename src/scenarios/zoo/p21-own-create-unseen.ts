import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { Pod } from '../../sim/runtime/built-in-kinds.js';
import type { Client } from '../../sim/runtime/client.js';
import { setControllerReference } from '../../sim/runtime/controllerutil.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import { create, defineScenario, edit, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Farm extends ClientObject {
  spec: { workers: number };
}

const Farm = defineKind<Farm>('render.example.com/v1', 'Farm');

function workerOf(farm: Farm, name: { readonly name: string } | { readonly generateName: string }): Pod {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...name, namespace: farm.metadata.namespace ?? '', labels: { farm: farm.metadata.name ?? '' } },
    spec: { containers: [{ name: 'worker', image: 'worker:1' }] },
  };
  setControllerReference(farm, pod);
  return pod;
}

/** Makes as many as the list is short of. */
async function fillUp(client: Client, farm: Farm, workers: readonly Pod[]): Promise<void> {
  for (let missing = farm.spec.workers - workers.length; missing > 0; missing--)
    await client.create(workerOf(farm, { generateName: `${farm.metadata.name}-` }));
}

/** Each worker has a name of its own, so one that the cache does not show yet cannot be made again. */
async function fillByName(client: Client, farm: Farm, workers: readonly Pod[]): Promise<void> {
  for (let index = 0; index < farm.spec.workers; index++) {
    const name = `${farm.metadata.name}-${index}`;
    if (!workers.some(({ metadata }) => metadata.name === name)) await client.create(workerOf(farm, { name }));
  }
}

function scenario(name: string, fill: (client: Client, farm: Farm, workers: readonly Pod[]) => Promise<void>) {
  return defineScenario({
    name,
    crds: [plainCrd(Farm)],
    operators: [
      {
        name: 'farm-operator',
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(Farm)
            .owns(Pod)
            .complete(async (request) => {
              const farm = await client.get(Farm, request).catch(ignoreNotFound);
              if (farm === undefined || farm.metadata.deletionTimestamp !== undefined) return;
              const workers = await client.list(Pod, { namespace: request.namespace, labels: { farm: request.name } });
              await fill(client, farm, workers.items);
            });
        },
      },
    ],
    workload: [
      create(wish(Farm, 'night', { workers: 2 })),
      edit(target(Farm, 'default/night'), (farm) => {
        farm.spec.workers = 3;
      }),
    ],
  });
}

/** The cache does not read its own writes (D20): the next pass counts without what the last one has made. */
export const ownCreateUnseen: Mistake = {
  id: 'P21',
  title: 'own create not yet in the cache, so the next pass creates again',
  property: 'noDuplicateCreates',
  broken: scenario('p21-own-create-unseen', fillUp),
  fixed: scenario('p21-own-create-unseen-fixed', fillByName),
};
