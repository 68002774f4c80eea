import { ignoreNotFound, isConflict } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { type ClientObject, defineKind, type ObjectKey } from '../../sim/runtime/kind.js';
import { create, defineScenario, edit, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Lock extends ClientObject {
  spec: { holder: string };
  status?: { holder: string };
}

const Lock = defineKind<Lock>('sync.example.com/v1', 'Lock');

function scenario(name: string, readAgain: boolean) {
  return defineScenario({
    name,
    crds: [plainCrd(Lock)],
    operators: [
      {
        name: 'lock-operator',
        setup(manager) {
          const { client, apiReader } = manager;
          const find = (reader: Pick<typeof client, 'get'>, key: ObjectKey) => reader.get(Lock, key).catch(ignoreNotFound);
          newControllerManagedBy(manager)
            .for(Lock)
            .complete(async (request, context) => {
              let lock = await find(client, request);
              while (lock !== undefined && lock.status?.holder !== lock.spec.holder) {
                try {
                  await client.status().update({ ...lock, status: { holder: lock.spec.holder } });
                  return;
                } catch (error) {
                  if (!isConflict(error)) throw error;
                  await context.sleep(500);
                  if (readAgain) lock = await find(apiReader, request);
                }
              }
            });
        },
      },
    ],
    workload: [
      create(wish(Lock, 'leader', { holder: 'a' })),
      edit(target(Lock, 'default/leader'), (lock) => {
        lock.spec.holder = 'b';
      }),
    ],
  });
}

/** A conflict says that the copy is old, and it will be no younger the next time. */
export const staleRetry: Mistake = {
  id: 'P31',
  title: 'after a conflict the same old copy is sent again and again',
  property: 'noHotLoop',
  broken: scenario('p31-stale-retry', false),
  fixed: scenario('p31-stale-retry-fixed', true),
};
