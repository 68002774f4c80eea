import type { KubeObject } from '../sim/etcd/object.js';
import type { Trace } from '../sim/trace.js';
import type { World } from '../sim/world.js';
import { canonOf, looksMadeUp } from './canon.js';
import { beforeProbes, type Change, changes, isOperator, isTerminating, nameOf, sameActs } from './history.js';
import type { Property } from './property.js';

/** An operator does not make the same thing twice for one owner. */
export const noDuplicateCreates: Property = {
  name: 'noDuplicateCreates',
  kind: 'always',
  about: 'an operator never has more equal objects for one owner than it has on a calm day',
  check({ world, trace, calm }) {
    if (!sameActs(trace, calm)) return { evidence: 'an act of a person came out otherwise than on the calm day' };
    const usual = mostAtOnce(world, calm);
    for (const [role, peak] of mostAtOnce(world, trace)) {
      const expected = usual.get(role)?.together.length ?? 0;
      if (expected === 0 || peak.together.length <= expected) continue;
      const [last, ...others] = [...peak.together].reverse() as [Change, ...Change[]];
      const twin = others[0] as Change;
      const [object, earlier] = [last.commit.object as KubeObject, twin.commit.object as KubeObject];
      return {
        message: `${last.process} makes ${nameOf(object)} although ${nameOf(earlier)} is there: ${peak.together.length} alike for one owner, ${expected} on a calm day${whyText(trace, twin)}`,
        culprit: `${object.kind ?? last.commit.key.resource} ${object.metadata.generateName === undefined ? 'under a new name' : 'under a generated name'}`,
        entries: [twin.entry.seq, last.entry.seq],
      };
    }
    return { evidence: 'no operator made the same thing twice in this run' };
  },
};

interface Peak {
  /** Creations of objects that were there together and alike, when there were most of them. */
  readonly together: readonly Change[];
}

/**
 * For each role, which is a kind of object under an owner, the most objects made by an operator that lived at one time, were
 * made with equal content and under names that do not matter. The owner counts by its uid, so a new owner of the same name
 * does not count the children of the old one.
 */
function mostAtOnce(world: World, trace: Trace): Map<string, Peak> {
  const canon = canonOf(trace);
  const living = new Map<string, Map<string, Change>>();
  const groupOfUid = new Map<string, { readonly role: string; readonly group: string }>();
  const peaks = new Map<string, Peak>();
  for (const change of changes(trace)) {
    if (!beforeProbes(change.entry)) break;
    const { object, previous, key } = change.commit;
    const uid = (object ?? previous)?.metadata.uid ?? '';
    if (object !== undefined && previous === undefined) {
      if (!isOperator(world, change.process) || !isInterchangeable(object)) continue;
      const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true) ?? object.metadata.ownerReferences?.[0];
      const role = `${key.resource} of ${owner === undefined ? `nobody in ${key.namespace}` : `${owner.kind} ${key.namespace}/${owner.name}`}`;
      const group = `${role} ${owner?.uid ?? ''} ${JSON.stringify(canon.content(object, false))}`;
      groupOfUid.set(uid, { role, group });
      const alike = living.get(group) ?? new Map<string, Change>();
      alike.set(uid, change);
      living.set(group, alike);
      if (alike.size > (peaks.get(role)?.together.length ?? 0)) peaks.set(role, { together: [...alike.values()] });
    } else if (object === undefined || isTerminating(object)) {
      const known = groupOfUid.get(uid);
      if (known !== undefined) living.get(known.group)?.delete(uid);
    }
  }
  return peaks;
}

/** Only what has a generated name, or one that looks made up, can be made twice without the server's refusal. */
function isInterchangeable({ metadata }: KubeObject): boolean {
  return (metadata.generateName ?? '') !== '' || looksMadeUp(metadata.name ?? '');
}

/** What came between the two creations. */
function whyText(trace: Trace, first: Change): string {
  if (first.entry.event.kind !== 'handled') return '';
  const { call, process } = first.entry.event;
  const after = trace.entries.slice(first.entry.seq);
  const answer = after.find(({ event }) => event.kind === 'answered' && event.call === call);
  if (answer?.event.kind === 'answered' && answer.event.lost !== undefined)
    return '. The answer to the first create was lost; the second try made a second object';
  if (answer === undefined && after.some(({ event }) => event.kind === 'crashed' && event.process === process))
    return '. The operator died before it got the answer to the first create';
  return '. The operator had not yet seen its own first create in its cache';
}
