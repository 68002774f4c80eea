import { deepEqual, type KubeObject } from '../sim/etcd/object.js';
import { touchedAnnotation } from '../sim/network.js';
import { canonOf } from './canon.js';
import { type FieldChange, fieldChanges, valueAt } from './fields.js';
import { beforeProbes, type Change, changes, isOperator, nameOf, restAfter, sameActs } from './history.js';
import { basisOf } from './passes.js';
import type { Case, Property } from './property.js';

/** A write that was made from an old version does not undo what somebody else has changed since. */
export const noLostUpdate: Property = {
  name: 'noLostUpdate',
  kind: 'always',
  about: 'no write of an operator undoes a change that it has not seen',
  check(the) {
    const { world, trace } = the;
    const all = changes(trace);
    for (const [index, change] of all.entries()) {
      if (!beforeProbes(change.entry)) break;
      const { object, previous } = change.commit;
      if (object === undefined || previous === undefined || !isOperator(world, change.process) || isLocked(change)) continue;
      const fields = fieldChanges(previous, object);
      const basis = fields.length === 0 ? undefined : basisOf(trace, change);
      if (basis === undefined || basis >= Number(previous.metadata.resourceVersion)) continue;
      for (const field of fields) {
        const other = lastWriter(all.slice(0, index), change, field);
        if (other === undefined || other.process === change.process || other.commit.revision <= basis) continue;
        if (!isTouch(change, field) && !isMissedAtEnd(the, change, field)) continue;
        return {
          message: `${change.process} writes ${nameOf(object)} from an old version and undoes what ${other.process} has changed since: ${field.path.join('.')}`,
          culprit: `${object.kind ?? change.commit.key.resource} ${field.path.slice(0, 2).join('.')}`,
          entries: [other.entry.seq, change.entry.seq],
        };
      }
    }
    return { evidence: 'no write undid a change that its writer had not seen in this run' };
  },
};

/** The server has compared versions, so nothing can have come between. */
function isLocked({ request, commit }: Change): boolean {
  const version = (request.body as KubeObject | undefined)?.metadata?.resourceVersion;
  return version !== undefined && version !== '' && version === commit.previous?.metadata.resourceVersion;
}

function lastWriter(earlier: readonly Change[], { commit: { previous } }: Change, field: FieldChange): Change | undefined {
  return earlier.findLast(
    ({ commit }) =>
      commit.object?.metadata.uid === previous?.metadata.uid &&
      commit.previous !== undefined &&
      !deepEqual(valueAt(commit.previous, field.path), valueAt(commit.object, field.path)),
  );
}

/** Somebody's harmless mark is gone because the whole object was sent as it had once been read. Who makes objects anew has no uid in them. */
function isTouch({ request }: Change, field: FieldChange): boolean {
  const metadata = (request.body as KubeObject | undefined)?.metadata;
  return field.path[2] === touchedAnnotation && request.verb === 'update' && metadata?.uid !== undefined;
}

/** The calm run ends with the value that was undone here, so nobody meant to take it back. */
function isMissedAtEnd({ trace, calm }: Case, change: Change, field: FieldChange): boolean {
  const [end, calmEnd] = [restAfter(trace, 'settle'), restAfter(calm, 'settle')];
  if (end === undefined || calmEnd === undefined || !sameActs(trace, calm)) return false;
  const { key, previous } = change.commit;
  const here = end.get(key.resource, key.namespace, key.name);
  const place = canonOf(trace).place(key.resource, previous as KubeObject);
  const there = calmEnd.list(key.resource).filter((object) => canonOf(calm).place(key.resource, object) === place);
  if (here === undefined || there.length !== 1) return false;
  const [value, calmValue] = [valueAt(here, field.path), valueAt(there[0], field.path)];
  return deepEqual(calmValue, field.before) && !deepEqual(value, calmValue);
}
