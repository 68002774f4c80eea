import { ignoreNotFound, isConflict } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import { generationChanged, or, type Predicate } from '../../sim/runtime/predicates.js';
import { create, defineScenario, edit, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Topic extends ClientObject {
  spec: { partitions: number };
  status?: { partitions: number; observedGeneration: number };
}

const Topic = defineKind<Topic>('queue.example.com/v1', 'Topic');

/** One that was deleted and made again during a gap of the watch comes as an update, and its generation may be the same (D16). */
const uidChanged: Predicate = { update: (old, new_) => old.metadata.uid !== new_.metadata.uid };

function scenario(name: string, onConflict: 'swallow' | 'try again') {
  return defineScenario({
    name,
    crds: [plainCrd(Topic)],
    operators: [
      {
        name: 'topic-operator',
        setup(manager) {
          const { client } = manager;
          newControllerManagedBy(manager)
            .for(Topic, { predicates: [or(generationChanged(), uidChanged)] })
            .complete(async (request) => {
              const topic = await client.get(Topic, request).catch(ignoreNotFound);
              if (topic === undefined) return;
              topic.status = { partitions: topic.spec.partitions, observedGeneration: topic.metadata.generation ?? 0 };
              try {
                await client.status().update(topic);
              } catch (error) {
                // "Somebody has changed it, so an event is on its way and we are called again."
                if (onConflict === 'swallow' && isConflict(error)) return;
                throw error;
              }
            });
        },
      },
    ],
    workload: [
      create(wish(Topic, 'orders', { partitions: 3 })),
      edit(target(Topic, 'default/orders'), (topic) => {
        topic.spec.partitions = 6;
      }),
    ],
  });
}

/** The event does come, and the predicate drops it: an annotation changes no generation (D16). */
export const conflictSwallowed: Mistake = {
  id: 'P03',
  title: 'conflict of a status write swallowed, while a predicate hides the change of the other writer',
  property: 'noDeadEnd',
  broken: scenario('p03-conflict-swallowed', 'swallow'),
  fixed: scenario('p03-conflict-swallowed-fixed', 'try again'),
};
