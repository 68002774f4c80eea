import { ConnectionLost, ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { Pod } from '../../sim/runtime/built-in-kinds.js';
import type { Client } from '../../sim/runtime/client.js';
import { setControllerReference } from '../../sim/runtime/controllerutil.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import { create, defineScenario } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Backup extends ClientObject {
  spec: { source: string };
}

const Backup = defineKind<Backup>('backup.example.com/v1', 'Backup');

function podOf(backup: Backup, name: { readonly name: string } | { readonly generateName: string }): Pod {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...name, namespace: backup.metadata.namespace ?? '', labels: { backup: backup.metadata.name ?? '' } },
    spec: { containers: [{ name: 'backup', image: 'backup:1', args: [backup.spec.source] }] },
  };
  setControllerReference(backup, pod);
  return pod;
}

/** A bad connection is no reason to give up: it tries again at once. */
async function createWithRetries(client: Client, backup: Backup): Promise<void> {
  for (let tries = 3; ; tries--) {
    try {
      await client.create(podOf(backup, { generateName: `${backup.metadata.name}-` }));
      return;
    } catch (error) {
      if (!(error instanceof ConnectionLost) || tries === 1) throw error;
    }
  }
}

/** Under a name that follows from the backup a second try cannot make a second pod. */
async function createUnderFixedName(client: Client, backup: Backup): Promise<void> {
  await client.create(podOf(backup, { name: `${backup.metadata.name}-backup` }));
}

function scenario(name: string, createPod: (client: Client, backup: Backup) => Promise<void>) {
  return defineScenario({
    name,
    crds: [plainCrd(Backup)],
    operators: [
      {
        name: 'backup-operator',
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(Backup)
            .owns(Pod)
            .complete(async (request) => {
              const backup = await client.get(Backup, request).catch(ignoreNotFound);
              if (backup === undefined || backup.metadata.deletionTimestamp !== undefined) return;
              const pods = await client.list(Pod, { namespace: request.namespace, labels: { backup: request.name } });
              if (pods.items.length === 0) await createPod(client, backup);
            });
        },
      },
    ],
    workload: [create(wish(Backup, 'nightly', { source: 'orders' }))],
  });
}

/** The server had done the first create; only its answer was lost (ST-15). */
export const createRetried: Mistake = {
  id: 'P20',
  title: 'create under a generated name tried again after its answer was lost',
  property: 'noDuplicateCreates',
  broken: scenario('p20-create-retried', createWithRetries),
  fixed: scenario('p20-create-retried-fixed', createUnderFixedName),
};
