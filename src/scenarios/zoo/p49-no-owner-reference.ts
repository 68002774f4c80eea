import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { Service } from '../../sim/runtime/built-in-kinds.js';
import { setControllerReference } from '../../sim/runtime/controllerutil.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import { create, defineScenario } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Game extends ClientObject {
  spec: { port: number };
}

const Game = defineKind<Game>('play.example.com/v1', 'Game');

function scenario(name: string, owned: boolean) {
  return defineScenario({
    name,
    crds: [plainCrd(Game)],
    operators: [
      {
        name: 'game-operator',
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(Game)
            .owns(Service)
            .complete(async (request) => {
              const game = await client.get(Game, request).catch(ignoreNotFound);
              if (game === undefined || game.metadata.deletionTimestamp !== undefined) return;
              const there = await client.get(Service, request).catch(ignoreNotFound);
              if (there !== undefined) return;
              const service: Service = {
                apiVersion: 'v1',
                kind: 'Service',
                metadata: { ...request },
                spec: { selector: { game: request.name }, ports: [{ port: game.spec.port }] },
              };
              if (owned) setControllerReference(game, service);
              await client.create(service);
            });
        },
      },
    ],
    workload: [create(wish(Game, 'chess', { port: 64 }))],
  });
}

/** What nobody owns nobody collects. */
export const noOwnerReference: Mistake = {
  id: 'P49',
  title: 'owner reference missing: the child outlives its owner',
  property: 'noOrphans',
  broken: scenario('p49-no-owner-reference', false),
  fixed: scenario('p49-no-owner-reference-fixed', true),
};
