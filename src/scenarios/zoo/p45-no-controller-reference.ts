import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { ConfigMap } from '../../sim/runtime/built-in-kinds.js';
import { setControllerReference, setOwnerReference } from '../../sim/runtime/controllerutil.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import { create, defineScenario, remove, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Dashboard extends ClientObject {
  spec: { title: string };
}

const Dashboard = defineKind<Dashboard>('metrics.example.com/v1', 'Dashboard');

function scenario(name: string, own: (owner: Dashboard, object: ConfigMap) => void) {
  return defineScenario({
    name,
    crds: [plainCrd(Dashboard)],
    operators: [
      {
        name: 'dashboard-operator',
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(Dashboard)
            .owns(ConfigMap)
            .complete(async (request) => {
              const dashboard = await client.get(Dashboard, request).catch(ignoreNotFound);
              if (dashboard === undefined || dashboard.metadata.deletionTimestamp !== undefined) return;
              const there = await client.get(ConfigMap, request).catch(ignoreNotFound);
              if (there !== undefined) return;
              const panel: ConfigMap = {
                apiVersion: 'v1',
                kind: 'ConfigMap',
                metadata: { ...request },
                data: { title: dashboard.spec.title },
              };
              own(dashboard, panel);
              await client.create(panel);
            });
        },
      },
    ],
    workload: [create(wish(Dashboard, 'sales', { title: 'Sales' })), remove(target(ConfigMap, 'default/sales'))],
  });
}

/** `owns` listens to children of which the owner is the controller (D13); collection does not depend on it. */
export const noControllerReference: Mistake = {
  id: 'P45',
  title: 'owner reference without `controller: true`: the owner never hears of its child',
  property: 'idempotent',
  broken: scenario('p45-no-controller-reference', setOwnerReference),
  fixed: scenario('p45-no-controller-reference-fixed', setControllerReference),
};
