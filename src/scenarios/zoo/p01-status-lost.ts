import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import type { Client } from '../../sim/runtime/client.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import type { Operator } from '../../sim/runtime/operator.js';
import { create, defineScenario, edit, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Site extends ClientObject {
  spec: { hostname: string };
  status?: { url: string; observedGeneration: number };
}

const Site = defineKind<Site>('web.example.com/v1', 'Site');

/** Publishes the address of a site in its status. */
function operator(writeStatus: (client: Client, site: Site) => Promise<unknown>): Operator {
  return {
    name: 'site-operator',
    setup(manager) {
      const { client } = manager;
      newControllerManagedBy(manager)
        .for(Site)
        .complete(async (request) => {
          const site = await client.get(Site, request).catch(ignoreNotFound);
          if (site === undefined) return;
          const url = `https://${site.spec.hostname}`;
          const observedGeneration = site.metadata.generation ?? 0;
          if (site.status?.url === url && site.status.observedGeneration === observedGeneration) return;
          site.status = { url, observedGeneration };
          await writeStatus(client, site);
        });
    },
  };
}

function scenario(name: string, writeStatus: (client: Client, site: Site) => Promise<unknown>) {
  return defineScenario({
    name,
    crds: [plainCrd(Site)],
    operators: [operator(writeStatus)],
    workload: [
      create(wish(Site, 'shop', { hostname: 'shop.example.com' })),
      edit(target(Site, 'default/shop'), (site) => {
        site.spec.hostname = 'www.example.com';
      }),
    ],
  });
}

/** With the status subresource on, a PUT of the object answers 200 and keeps the stored status (UP-13). */
export const statusLost: Mistake = {
  id: 'P01',
  title: 'status written with an update of the whole object',
  property: 'statusHonest',
  broken: scenario('p01-status-lost', (client, site) => client.update(site)),
  fixed: scenario('p01-status-lost-fixed', (client, site) => client.status().update(site)),
};
