import type { ApiRequest, ApiResponse } from '../sim/apiserver/request.js';
import type { ClusterState } from '../sim/cluster-state.js';
import type { Commit } from '../sim/etcd/etcd.js';
import type { KubeObject } from '../sim/etcd/object.js';
import type { DecisionName } from '../sim/kernel/decisions.js';
import { touchedAnnotation } from '../sim/network.js';
import type { PlannedOp } from '../sim/plan.js';
import type { Phase, PhaseSummary, Trace, TraceEntry, TraceEvent } from '../sim/trace.js';
import type { World } from '../sim/world.js';
import type { Judgement } from './property.js';

/** A commit, and who made it. */
export interface Change {
  readonly entry: TraceEntry;
  readonly process: string;
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  readonly commit: Commit;
}

/** What one entry of a trace is, when it is of that kind. */
export type Handled = Extract<TraceEvent, { kind: 'handled' }>;

const changesOf = new WeakMap<Trace, readonly Change[]>();

/** Every commit of a run in order. Leases and Events are left out: they are signs of life, not part of anybody's wish. */
export function changes(trace: Trace): readonly Change[] {
  let all = changesOf.get(trace);
  if (all === undefined) {
    all = trace.entries.flatMap((entry) => {
      const { event } = entry;
      if (event.kind !== 'handled') return [];
      const { process, request, response } = event;
      return event.commits.filter(({ key }) => !isNoise(key.resource)).map((commit) => ({ entry, process, request, response, commit }));
    });
    changesOf.set(trace, all);
  }
  return all;
}

/** Leases are renewed and Events written for ever; what they say is nobody's wanted state. */
function isNoise(resource: string): boolean {
  return resource === 'events' || resource === 'events.events.k8s.io' || resource === 'leases.coordination.k8s.io';
}

/** Whether the process is one of the operators under test. */
export function isOperator(world: World, process: string): boolean {
  return world.operators.some((operator) => operator.name === process);
}

/** People, as opposed to processes: whoever is neither an operator nor one of the cluster's own controllers. */
export function isPerson(world: World, process: string): boolean {
  return !isOperator(world, process) && !(world.controllers as readonly string[]).includes(process);
}

/** How a phase ended; undefined when the run did not get as far. */
export function summaryOf(trace: Trace, phase: Phase): PhaseSummary | undefined {
  return trace.phases.find((summary) => summary.phase === phase);
}

/** Whether the entry belongs to the run itself, and not to the questions that come after it. */
export function beforeProbes({ phase }: TraceEntry): boolean {
  return phase === 'disturb' || phase === 'settle';
}

/** The cluster at the end of a phase that came to rest; undefined when the phase did not. */
export function restAfter(trace: Trace, phase: Phase): ClusterState | undefined {
  const summary = summaryOf(trace, phase);
  return summary === undefined || summary.end === 'budget' ? undefined : trace.stateAt(summary.revision);
}

/** What a property says when a phase that it needs has not come to rest. */
export function notAtRest(trace: Trace, phase: Phase): Judgement {
  return summaryOf(trace, phase) === undefined
    ? { inconclusive: `the run did not get as far as ${phase}` }
    : { inconclusive: `the cluster was still busy when the budget of ${phase} was used up` };
}

/** How firmly something holds at the end of a phase: proved when nothing can happen any more. */
export function heldAfter(trace: Trace, phase: Phase): Judgement {
  return summaryOf(trace, phase)?.end === 'quiescent'
    ? 'proved'
    : { evidence: 'the cluster keeps polling, and two rounds of it changed nothing' };
}

/** Whether the acts of people came out as in the calm run. If not, the two runs had different wishes to fulfil. */
export function sameActs(trace: Trace, calm: Trace): boolean {
  const outcomes = (of: Trace) =>
    of.entries.flatMap(({ event }) => (event.kind === 'op' && !(typeof event.op === 'object' && isTouch(event.op)) ? [event.done] : []));
  const [mine, theirs] = [outcomes(trace), outcomes(calm)];
  return mine.length === theirs.length && mine.every((done, index) => done === theirs[index]);
}

/** Whether an act of people wishes for nothing: it only makes a new version of an object. */
export function isTouch(op: PlannedOp): boolean {
  return op.op === 'touch' && op.target !== undefined;
}

/** What a call was, whichever time: `create pods default/a by web-operator` of `create pods default/a by web-operator #2`. */
export function withoutNumber(call: DecisionName): string {
  return call.replace(/ #\d+$/, '');
}

/** `Widget default/a`, for a person. */
export function nameOf(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return `${object.kind ?? 'object'} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`;
}

export function isTerminating(object: KubeObject | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined;
}

/** Annotations without those that mean nothing to anybody. */
export function annotationsOf(object: KubeObject): Readonly<Record<string, string>> {
  const { [touchedAnnotation]: _, ...rest } = object.metadata.annotations ?? {};
  return rest;
}
