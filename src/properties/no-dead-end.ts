import { endpointOf } from '../sim/call-name.js';
import type { EtcdKey } from '../sim/etcd/etcd.js';
import type { KubeObject } from '../sim/etcd/object.js';
import type { Trace, TraceEntry } from '../sim/trace.js';
import { type Difference, differenceText } from './differences.js';
import { compareEnds } from './end-state.js';
import { beforeProbes, changes, isOperator, summaryOf, withoutNumber } from './history.js';
import { entriesOf, type Pass, passes } from './passes.js';
import type { Case, Finding, Property } from './property.js';

/** The cluster is not done only because everybody sleeps: whoever still has something to do will wake. */
export const noDeadEnd: Property = {
  name: 'noDeadEnd',
  kind: 'eventually',
  about: 'at rest there is no work left that nobody will wake for',
  check(the) {
    const comparison = compareEnds(the);
    if ('unclear' in comparison) return comparison.unclear;
    if (comparison.differences.length === 0) return 'proved';
    if (summaryOf(the.trace, 'settle')?.end !== 'quiescent') return { evidence: 'operators poll, so somebody will wake' };
    for (const difference of comparison.differences) {
      const found = deadEndAt(the, difference);
      if (found !== undefined) return found;
    }
    return { evidence: 'whoever had work to do had seen everything: that it was not done is for converges to say' };
  },
};

function deadEndAt(the: Case, difference: Difference): Finding | undefined {
  const { world, trace } = the;
  const keys = new Set([identityOf(difference.object), ...ownersOf(trace, difference.object)].map(keyOf));
  const last = passes(trace).findLast(({ process, key, start }) => beforeProbes(start) && isOperator(world, process) && keys.has(key));
  if (last === undefined || last.result !== 'done') return undefined;
  const why = differenceText(difference);
  const swallowed = swallowedIn(the, last);
  if (swallowed !== undefined)
    return {
      message: `${why}: the last reconcile of ${last.key} met an error (${swallowed.what}) and ended as if all were well, so nobody tries again`,
      culprit: `${difference.kind} error swallowed`,
      entries: [swallowed.entry.seq, last.end?.seq ?? last.start.seq],
    };
  const missed = missedBy(the, last, difference);
  if (missed === undefined) return undefined;
  return {
    message: `${why}: the last reconcile of ${last.key} did not know of ${missed.what}, and nothing has woken it since`,
    culprit: `${difference.kind} does not notice ${missed.kind}`,
    entries: [missed.entry.seq, last.start.seq].sort((a, b) => a - b),
  };
}

/** The last call of a pass that failed and was not made good by the same call later in it. */
function swallowedIn({ trace }: Case, pass: Pass): { readonly what: string; readonly entry: TraceEntry } | undefined {
  const failed = new Map<string, { readonly what: string; readonly entry: TraceEntry }>();
  for (const entry of entriesOf(trace, pass)) {
    const { event } = entry;
    if (event.kind !== 'answered') continue;
    const call = withoutNumber(event.call);
    if (event.lost !== undefined) failed.set(call, { what: `no answer to ${call}`, entry });
    else if (event.code !== undefined && event.code >= 400 && event.code !== 404)
      failed.set(call, { what: `${event.code} for ${call}`, entry });
    else failed.delete(call);
  }
  return [...failed.values()].at(-1);
}

/** A change by others that the last pass should have known: made since, or still on its way then. What came or went says most. */
function missedBy({ trace }: Case, pass: Pass, difference: Difference) {
  const read = resourcesRead(trace, pass.process);
  const missed = changes(trace).filter(
    ({ entry, process, commit: { key, revision, object, previous } }) =>
      beforeProbes(entry) &&
      process !== pass.process &&
      read.has(key.resource) &&
      matters(trace, (object ?? previous) as KubeObject, difference) &&
      (entry.seq > pass.start.seq || cameLater(trace, pass, key, revision)),
  );
  const change = missed.findLast(({ commit }) => commit.object === undefined || commit.previous === undefined) ?? missed.at(-1);
  if (change === undefined) return undefined;
  const { entry, process, commit } = change;
  const object = (commit.object ?? commit.previous) as KubeObject;
  const verb = commit.object === undefined ? 'deletion' : commit.previous === undefined ? 'creation' : 'change';
  return { what: `the ${verb} of ${object.kind} ${object.metadata.name} by ${process}`, kind: object.kind ?? commit.key.resource, entry };
}

/** Whether what differs should follow a change of this object: of itself, of an owner, and a status of its children too. */
function matters(trace: Trace, changed: KubeObject, { object, path }: Difference): boolean {
  if (isSame(changed, identityOf(object)) || ownersOf(trace, object).some((owner) => isSame(changed, owner))) return true;
  return path.startsWith('status') && ownersOf(trace, changed).some((owner) => isSame(object, owner));
}

interface Identity {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

function identityOf({ kind = '', metadata: { namespace, name = '' } }: KubeObject): Identity {
  return { kind, namespace, name };
}

/** As reconcile requests are named. */
function keyOf({ namespace, name }: Identity): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function isSame(object: KubeObject, identity: Identity): boolean {
  return object.kind === identity.kind && object.metadata.name === identity.name && object.metadata.namespace === identity.namespace;
}

/** The owners of an object, their owners, and so on. */
function ownersOf(trace: Trace, object: KubeObject): readonly Identity[] {
  const { namespace } = object.metadata;
  return (object.metadata.ownerReferences ?? []).flatMap(({ kind, name, uid }) => {
    const owner = changes(trace).find(({ commit }) => commit.object?.metadata.uid === uid)?.commit.object;
    return [
      { kind, namespace: owner === undefined ? namespace : owner.metadata.namespace, name },
      ...(owner === undefined ? [] : ownersOf(trace, owner)),
    ];
  });
}

/** What a process has ever looked at: nothing else can matter to it. */
function resourcesRead(trace: Trace, process: string): ReadonlySet<string> {
  const read = new Set<string>();
  for (const { event } of trace.entries) {
    if (!('process' in event) || event.process !== process) continue;
    if (event.kind === 'process' && event.event.kind === 'cached-read') read.add(event.event.resource);
    else if (event.kind === 'delivered') read.add(event.resource);
    else if (event.kind === 'handled' && event.request.verb === 'get') read.add(endpointOf(event.request));
  }
  return read;
}

/** Whether the watch brought a commit only after the pass had begun. */
function cameLater({ entries }: Trace, pass: Pass, key: EtcdKey, revision: number): boolean {
  const first = entries.find(
    ({ event }) =>
      event.kind === 'delivered' &&
      event.process === pass.process &&
      event.revision >= revision &&
      event.key.resource === key.resource &&
      event.key.namespace === key.namespace &&
      event.key.name === key.name,
  );
  return first !== undefined && first.seq > pass.start.seq && beforeProbes(first);
}
