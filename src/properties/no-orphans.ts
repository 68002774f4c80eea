import type { KubeObject } from '../sim/etcd/object.js';
import { compareEnds } from './end-state.js';
import { type Change, changes, heldAfter, isOperator, isTerminating, nameOf, notAtRest, restAfter, summaryOf } from './history.js';
import type { Case, Finding, Property } from './property.js';

/** What operators made is gone once people have deleted what they had asked for. */
export const noOrphans: Property = {
  name: 'noOrphans',
  kind: 'eventually',
  about: 'nothing that an operator made outlives what it was made for',
  check(the) {
    const comparison = compareEnds(the);
    if ('differences' in comparison) {
      const made = madeByOperators(the);
      const left = comparison.differences.find(
        ({ what, object }) =>
          what === 'extra' && made.has(object.metadata.uid ?? '') && !isTerminating(object) && isWithoutOwner(the, object),
      );
      if (left !== undefined) return finding(the, 'settle', made.get(left.object.metadata.uid ?? ''), left.object);
    }
    const end = restAfter(the.trace, 'probe-deletion');
    if (end === undefined) return notAtRest(the.trace, 'probe-deletion');
    const made = madeByOperators(the);
    for (const { object } of end.all()) {
      const creation = made.get(object.metadata.uid ?? '');
      if (creation === undefined || isTerminating(object)) continue;
      return finding(the, 'probe-deletion', creation, object);
    }
    return heldAfter(the.trace, 'probe-deletion');
  },
};

function finding({ trace }: Case, phase: 'settle' | 'probe-deletion', creation: Change | undefined, object: KubeObject): Finding {
  const owned = (object.metadata.ownerReferences ?? []).length > 0;
  const why = phase === 'settle' ? 'the object it was made for is gone' : 'everything that people had asked for is deleted';
  const remedy = owned ? 'its owner reference does not lead to the deleted object' : 'it has no owner reference, and nobody has deleted it';
  return {
    message: `${nameOf(object)} is left over although ${why}: ${remedy}`,
    culprit: `${object.kind ?? 'object'} ${owned ? 'with' : 'without'} an owner`,
    entries: [...(creation === undefined ? [] : [creation.entry.seq]), summaryOf(trace, phase)?.seq ?? 0],
  };
}

function madeByOperators({ world, trace }: Case): Map<string, Change> {
  const made = new Map<string, Change>();
  for (const change of changes(trace)) {
    const { object, previous } = change.commit;
    if (object?.metadata.uid !== undefined && previous === undefined && isOperator(world, change.process))
      made.set(object.metadata.uid, change);
  }
  return made;
}

/** Whether none of the owners that it names is there at the end: an object too many with an owner is another matter. */
function isWithoutOwner({ trace }: Case, object: KubeObject): boolean {
  const end = restAfter(trace, 'settle');
  const uids = new Set(end?.all().map((each) => each.object.metadata.uid));
  const references = object.metadata.ownerReferences ?? [];
  return references.length > 0 && !references.some(({ uid }) => uids.has(uid));
}
