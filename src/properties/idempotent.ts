import { isHeartbeat } from '../sim/heartbeat.js';
import { compareEnds } from './end-state.js';
import { changes, heldAfter, isOperator, nameOf, notAtRest, restAfter } from './history.js';
import type { Judgement, Property } from './property.js';

const probes = ['probe-restart', 'probe-redelivery'] as const;

/** An operator that starts again, or is told everything again, finds nothing to do in a cluster that has settled. */
export const idempotent: Property = {
  name: 'idempotent',
  kind: 'eventually',
  about: 'a restart and a second delivery of everything write nothing',
  check(the) {
    const { world, trace } = the;
    const comparison = compareEnds(the);
    if ('differences' in comparison && comparison.differences.length > 0)
      return { evidence: 'the cluster had not come to its calm end, so a write afterwards may be the repair of that' };
    for (const phase of probes) {
      const write = changes(trace).find(
        ({ entry, process, commit }) => entry.phase === phase && isOperator(world, process) && !isHeartbeat(commit),
      );
      if (write !== undefined) {
        const { entry, process, commit, request } = write;
        const object = commit.object ?? commit.previous;
        const verb = commit.object === undefined ? 'deletes' : commit.previous === undefined ? 'creates' : 'changes';
        const when = phase === 'probe-restart' ? 'after a restart' : 'when everything is delivered again';
        return {
          message: `${when} ${process} ${verb} ${object === undefined ? commit.key.name : nameOf(object)}, although nothing was left to do`,
          culprit: `${verb} ${object?.kind ?? commit.key.resource}${request.subresource === undefined ? '' : `/${request.subresource}`} ${when}`,
          entries: [entry.seq],
        };
      }
      if (restAfter(trace, phase) === undefined) return notAtRest(trace, phase);
    }
    return weaker(heldAfter(trace, 'probe-restart'), heldAfter(trace, 'probe-redelivery'));
  },
};

function weaker(one: Judgement, other: Judgement): Judgement {
  return one === 'proved' ? other : one;
}
