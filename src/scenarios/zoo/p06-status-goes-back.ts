import { deepCopy } from '../../sim/etcd/object.js';
import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import { mergeFrom } from '../../sim/runtime/patch-builder.js';
import { create, defineScenario, edit, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Cluster extends ClientObject {
  spec: { version: string };
  status?: { version: string; observedGeneration: number };
}

const Cluster = defineKind<Cluster>('infra.example.com/v1', 'Cluster');

function scenario(name: string, optimisticLock: boolean) {
  return defineScenario({
    name,
    crds: [plainCrd(Cluster)],
    operators: [
      {
        name: 'cluster-operator',
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(Cluster)
            .complete(async (request) => {
              const cluster = await client.get(Cluster, request).catch(ignoreNotFound);
              if (cluster === undefined) return;
              const base = deepCopy(cluster);
              cluster.status = { version: cluster.spec.version, observedGeneration: cluster.metadata.generation ?? 0 };
              if (base.status?.observedGeneration === cluster.status.observedGeneration) return;
              await client.status().patch(cluster, mergeFrom(base, { optimisticLock }));
            });
        },
      },
    ],
    workload: [
      create(wish(Cluster, 'blue', { version: '1.34' })),
      edit(target(Cluster, 'default/blue'), (cluster) => {
        cluster.spec.version = '1.35';
      }),
    ],
  });
}

/** A merge patch without a resourceVersion is taken however old the copy is that it was made from (D30, D31). */
export const statusGoesBack: Mistake = {
  id: 'P06',
  title: 'status patched from an old copy without a lock',
  property: 'statusHonest',
  broken: scenario('p06-status-goes-back', false),
  fixed: scenario('p06-status-goes-back-fixed', true),
};
