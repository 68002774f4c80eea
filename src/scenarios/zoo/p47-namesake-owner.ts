import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { ConfigMap } from '../../sim/runtime/built-in-kinds.js';
import { isControlledBy, setControllerReference } from '../../sim/runtime/controllerutil.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import { create, defineScenario, remove, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Tenant extends ClientObject {
  spec: { plan: string };
}

const Tenant = defineKind<Tenant>('saas.example.com/v1', 'Tenant');

function scenario(name: string, askWhose: boolean) {
  return defineScenario({
    name,
    crds: [plainCrd(Tenant)],
    operators: [
      {
        name: 'tenant-operator',
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(Tenant)
            .complete(async (request) => {
              const tenant = await client.get(Tenant, request).catch(ignoreNotFound);
              if (tenant === undefined || tenant.metadata.deletionTimestamp !== undefined) return undefined;
              const quota = await client.get(ConfigMap, request).catch(ignoreNotFound);
              if (quota !== undefined) {
                // A former tenant's: the collector is about to take it.
                return askWhose && !isControlledBy(quota, tenant) ? { requeueAfterMs: 5_000 } : undefined;
              }
              const wanted: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...request }, data: { plan: tenant.spec.plan } };
              setControllerReference(tenant, wanted);
              await client.create(wanted);
              return undefined;
            });
        },
      },
    ],
    workload: [
      create(wish(Tenant, 'acme', { plan: 'small' })),
      remove(target(Tenant, 'default/acme')),
      create(wish(Tenant, 'acme', { plan: 'small' }), { atMs: 33_000 }),
    ],
  });
}

/** The collector goes by uid: what belonged to the first owner is not the second one's, whatever its name (F51). */
export const namesakeOwner: Mistake = {
  id: 'P47',
  title: 'the child of a deleted owner taken for that of its successor of the same name',
  property: 'noDeadEnd',
  broken: scenario('p47-namesake-owner', false),
  fixed: scenario('p47-namesake-owner-fixed', true),
};
