import type { KubeObject } from '../sim/etcd/object.js';
import type { Trace } from '../sim/trace.js';
import { canonOf } from './canon.js';
import { beforeProbes, type Change, changes, isOperator, isTerminating, nameOf, notAtRest, restAfter, sameActs } from './history.js';
import type { Case, Property } from './property.js';

const collector = 'garbage-collector';

/** A child that a calm day keeps is not deleted while its owner lives. */
export const noPrematureDelete: Property = {
  name: 'noPrematureDelete',
  kind: 'always',
  about: 'no child of a live owner is deleted that the calm run keeps',
  check(the) {
    const { world, trace, calm } = the;
    if (!sameActs(trace, calm)) return { evidence: 'an act of a person came out otherwise than on the calm day' };
    const [end, calmEnd] = [restAfter(trace, 'settle'), restAfter(calm, 'settle')];
    if (end === undefined) return notAtRest(trace, 'settle');
    if (calmEnd === undefined) return notAtRest(calm, 'settle');
    const canon = canonOf(trace);
    const [here, there] = [placesOf(end, trace), placesOf(calmEnd, calm)];
    const usual = new Set(deletions(calm).map(({ commit }) => canonOf(calm).place(commit.key.resource, commit.previous as KubeObject)));
    for (const change of deletions(trace)) {
      const { key } = change.commit;
      const object = change.commit.previous as KubeObject;
      const byOperator = isOperator(world, change.process);
      if (!byOperator && change.process !== collector) continue;
      const place = canon.place(key.resource, object);
      const kept = (there.get(place) ?? 0) > 0 && !usual.has(place);
      const madeAgain = (here.get(place) ?? 0) >= (there.get(place) ?? 0);
      if (!kept || (madeAgain && !holdsData(key.resource)) || !madeByOperator(the, object)) continue;
      const owner = liveOwner(the, change, object);
      if (owner === undefined) continue;
      const who = byOperator ? change.process : 'the garbage collector';
      const stale = byOperator ? '' : `: it carries the uid of an earlier ${owner.kind} of that name`;
      return {
        message: `${who} deletes ${nameOf(object)} although ${nameOf(owner)} lives and the calm run keeps it${stale}`,
        culprit: `${object.kind ?? key.resource} deleted by ${byOperator ? 'the operator' : 'the collector'}`,
        entries: [change.entry.seq],
      };
    }
    return { evidence: 'nothing that the calm run keeps was deleted in this run' };
  },
};

/** What is lost with such an object does not come back with a new one of its name. */
function holdsData(resource: string): boolean {
  return resource === 'persistentvolumeclaims';
}

/** The moment at which each object was let go: its deletion, or the mark that it is to be deleted. */
function deletions(trace: Trace): readonly Change[] {
  return changes(trace).filter(({ entry, commit: { object, previous } }) => {
    if (!beforeProbes(entry) || previous === undefined || isTerminating(previous)) return false;
    return object === undefined || isTerminating(object);
  });
}

function placesOf(state: NonNullable<ReturnType<typeof restAfter>>, trace: Trace): Map<string, number> {
  const places = new Map<string, number>();
  for (const { key, object } of state.all()) {
    const place = canonOf(trace).place(key.resource, object);
    if (!isTerminating(object)) places.set(place, (places.get(place) ?? 0) + 1);
  }
  return places;
}

function madeByOperator({ world, trace }: Case, object: KubeObject): boolean {
  return changes(trace).some(
    ({ process, commit }) =>
      commit.previous === undefined && commit.object?.metadata.uid === object.metadata.uid && isOperator(world, process),
  );
}

/** An owner of that kind and name that lives when the child is deleted, whatever its uid. */
function liveOwner({ trace }: Case, change: Change, child: KubeObject): KubeObject | undefined {
  const references = child.metadata.ownerReferences ?? [];
  return trace
    .stateAt(change.entry.revision)
    .all()
    .map(({ object }) => object)
    .find(
      (object) =>
        !isTerminating(object) &&
        references.some(({ kind, name }) => object.kind === kind && object.metadata.name === name) &&
        (object.metadata.namespace === undefined || object.metadata.namespace === child.metadata.namespace),
    );
}
