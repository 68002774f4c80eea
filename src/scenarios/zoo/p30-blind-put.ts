import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { Deployment } from '../../sim/runtime/built-in-kinds.js';
import { setControllerReference } from '../../sim/runtime/controllerutil.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import { create, defineScenario, edit, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface App extends ClientObject {
  spec: { image: string };
}

const App = defineKind<App>('apps.example.com/v1', 'App');

function deploymentOf(app: App): Deployment {
  const { name = '', namespace = '' } = app.metadata;
  const labels = { app: name };
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    // No replicas: how many there are is for people to say.
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: app.spec.image }] } },
    },
  };
  setControllerReference(app, deployment);
  return deployment;
}

function scenario(name: string, lock: boolean) {
  return defineScenario({
    name,
    crds: [plainCrd(App)],
    operators: [
      {
        name: 'app-operator',
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(App)
            .owns(Deployment)
            .complete(async (request) => {
              const app = await client.get(App, request).catch(ignoreNotFound);
              if (app === undefined || app.metadata.deletionTimestamp !== undefined) return;
              const deployment = await client.get(Deployment, request).catch(ignoreNotFound);
              if (deployment === undefined) {
                await client.create(deploymentOf(app));
                return;
              }
              const container = deployment.spec?.template.spec?.containers[0];
              if (container === undefined || container.image === app.spec.image) return;
              container.image = app.spec.image;
              // "the object has been modified; please apply your changes to the latest version": this makes it stop.
              if (!lock) delete deployment.metadata.resourceVersion;
              await client.update(deployment);
            });
        },
      },
    ],
    workload: [
      create(wish(App, 'web', { image: 'web:1' })),
      edit(target(Deployment, 'default/web'), (deployment) => {
        deployment.spec.replicas = 3;
      }),
      edit(
        target(App, 'default/web'),
        (app) => {
          app.spec.image = 'web:2';
        },
        { atMs: 32_000 },
      ),
    ],
  });
}

/** Many built-in kinds take an update without a resourceVersion and overwrite whatever is there (UP-3). */
export const blindPut: Mistake = {
  id: 'P30',
  title: 'update of an old copy with its resourceVersion taken out overwrites what a person has changed',
  property: 'noLostUpdate',
  broken: scenario('p30-blind-put', false),
  fixed: scenario('p30-blind-put-fixed', true),
};
