import type { KubeObject } from '../sim/etcd/object.js';
import { changes, heldAfter, isOperator, isTerminating, nameOf, notAtRest, restAfter, summaryOf } from './history.js';
import type { Case, Property } from './property.js';

const rests = ['settle', 'probe-deletion'] as const;

/** Nobody waits for ever for an operator to take its finalizer away. */
export const finalizersServed: Property = {
  name: 'finalizersServed',
  kind: 'eventually',
  about: 'an operator takes its finalizer from every object that is to be deleted',
  check(the) {
    const { trace } = the;
    const own = finalizersOfOperators(the);
    for (const phase of rests) {
      const end = restAfter(trace, phase);
      if (end === undefined) return notAtRest(trace, phase);
      for (const { object } of end.all()) {
        const finalizer = isTerminating(object) ? object.metadata.finalizers?.find((each) => own.has(each)) : undefined;
        if (finalizer === undefined) continue;
        return {
          message: `${nameOf(object)} is to be deleted and never goes: nobody takes the finalizer ${finalizer} away`,
          culprit: `finalizer of ${object.kind ?? 'object'}`,
          entries: [...deletionOf(trace, object), summaryOf(trace, phase)?.seq ?? 0],
        };
      }
    }
    return heldAfter(trace, 'probe-deletion');
  },
};

/** Finalizers that an operator has put on some object, in this run or in the calm one. */
function finalizersOfOperators({ world, trace, calm }: Case): ReadonlySet<string> {
  const own = new Set<string>();
  for (const run of [trace, calm])
    for (const { process, commit } of changes(run)) {
      if (!isOperator(world, process)) continue;
      const before = commit.previous?.metadata.finalizers ?? [];
      for (const finalizer of commit.object?.metadata.finalizers ?? []) if (!before.includes(finalizer)) own.add(finalizer);
    }
  return own;
}

function deletionOf(trace: Case['trace'], object: KubeObject): readonly number[] {
  const deletion = changes(trace).find(
    ({ commit }) => commit.object?.metadata.uid === object.metadata.uid && isTerminating(commit.object) && !isTerminating(commit.previous),
  );
  return deletion === undefined ? [] : [deletion.entry.seq];
}
