import { deepEqual, type KubeObject } from '../sim/etcd/object.js';
import { canonOf } from './canon.js';
import { differenceCulprit, differenceText } from './differences.js';
import { compareEnds } from './end-state.js';
import { beforeProbes, type Change, changes, type Handled, heldAfter, isOperator, nameOf, summaryOf } from './history.js';
import { basisOf, versionAt } from './passes.js';
import type { Case, Finding, Judgement, Property } from './property.js';

/** A status says what is so: it is stored, belongs to a generation that was read, does not go back, and is right in the end. */
export const statusHonest: Property = {
  name: 'statusHonest',
  kind: 'always',
  about: 'a status is stored, claims no generation that its writer has not read, does not go back, and is right in the end',
  check(the) {
    return neverStored(the) ?? wrongGeneration(the) ?? wrongAtEnd(the);
  },
};

/** A status that went to the main endpoint of a kind with a status subresource is accepted and ignored (UP-13). */
function neverStored({ world, trace }: Case): Finding | undefined {
  const writesStatus = new Set<string>();
  const ignored: { readonly seq: number; readonly process: string; readonly event: Handled; readonly stored: KubeObject }[] = [];
  for (const { seq, event } of trace.entries) {
    if (event.kind !== 'handled' || event.response.code !== 200 || !isOperator(world, event.process)) continue;
    const { request, process, response } = event;
    const writer = `${process} ${request.resource}.${request.group}`;
    if (request.subresource === 'status') writesStatus.add(writer);
    if (request.subresource !== undefined || (request.verb !== 'update' && request.verb !== 'patch')) continue;
    const [sent, stored] = [(request.body as KubeObject | undefined)?.status, response.body as KubeObject];
    if (sent === undefined || sent === null || holds(stored.status, sent) || wasStored(trace, stored, sent)) continue;
    ignored.push({ seq, process, event, stored });
  }
  const lost = ignored.findLast(({ process, event }) => !writesStatus.has(`${process} ${event.request.resource}.${event.request.group}`));
  if (lost === undefined) return undefined;
  return {
    message: `${lost.process} writes the status of ${nameOf(lost.stored)} to the object itself: the server answers 200 and keeps the old status; it must go to /status`,
    culprit: `${lost.stored.kind ?? 'object'} status written to the main endpoint`,
    entries: [lost.seq],
  };
}

/** Whether a value has everything that was sent; a patch sends only a part. */
function holds(stored: unknown, sent: unknown): boolean {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) return deepEqual(stored, sent);
  return Object.entries(sent).every(([field, value]) => holds((stored as Record<string, unknown> | undefined)?.[field], value));
}

/** A copy that was read earlier carries an earlier status along, and nobody means anything by it. */
function wasStored(trace: Case['trace'], { metadata }: KubeObject, status: unknown): boolean {
  return changes(trace).some(({ commit }) => commit.object?.metadata.uid === metadata.uid && holds(commit.object?.status, status));
}

function wrongGeneration({ world, trace }: Case): Finding | undefined {
  for (const change of changes(trace)) {
    if (!beforeProbes(change.entry)) break;
    const { object, previous } = change.commit;
    if (object === undefined || !isOperator(world, change.process)) continue;
    const [claimed, before] = [object.status?.observedGeneration, previous?.status?.observedGeneration];
    if (typeof claimed !== 'number' || claimed === before) continue;
    const say = (what: string, culprit: string): Finding => ({
      message: `${change.process} writes observedGeneration ${claimed} into the status of ${nameOf(object)}, ${what}`,
      culprit: `${object.kind ?? change.commit.key.resource} observedGeneration ${culprit}`,
      entries: [change.entry.seq],
    });
    const { generation } = object.metadata;
    if (generation !== undefined && claimed > generation) return say(`but its generation is only ${generation}`, 'ahead');
    if (typeof before === 'number' && claimed < before)
      return say(`after it had said ${before}: the pass worked on an old copy`, 'goes back');
    const read = generationRead(trace, change);
    if (read !== undefined && claimed > read) return say(`but the pass has read only generation ${read}`, 'not read');
  }
  return undefined;
}

function generationRead(trace: Case['trace'], change: Change): number | undefined {
  const basis = basisOf(trace, change);
  return basis === undefined ? undefined : versionAt(trace, change, basis)?.metadata.generation;
}

/** Everything is as on a calm day but what the status says of it. */
function wrongAtEnd(the: Case): Judgement {
  const comparison = compareEnds(the);
  if ('unclear' in comparison) return comparison.unclear;
  const [first] = comparison.differences;
  if (first === undefined) return heldAfter(the.trace, 'settle');
  if (comparison.differences.some(({ what, path }) => what !== 'differs' || !path.startsWith('status')))
    return { evidence: 'no status was dishonest; that the cluster ends otherwise than on a calm day is for converges to say' };
  const last = changes(the.trace).findLast(
    ({ entry, commit }) =>
      beforeProbes(entry) &&
      canonOf(the.trace).place(commit.key.resource, (commit.object ?? commit.previous) as KubeObject) ===
        canonOf(the.trace).place(first.resource, first.object),
  );
  return {
    message: `all is as in the calm run, but the status tells otherwise: ${differenceText(first)}`,
    culprit: differenceCulprit(first),
    entries: [...(last === undefined ? [] : [last.entry.seq]), summaryOf(the.trace, 'settle')?.seq ?? 0],
  };
}
