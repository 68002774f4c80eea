import { match, P } from 'ts-pattern';
import { passes } from '../properties/passes.js';
import type { Finding } from '../properties/property.js';
import { type EtcdKey, pathOf } from '../sim/etcd/etcd.js';
import type { ProcessEvent } from '../sim/host.js';
import { user } from '../sim/people.js';
import type { Trace, TraceEntry, TraceEvent } from '../sim/trace.js';
import { idOf } from './cache-lag.js';
import { callParts, type KindOf } from './decision-names.js';

/** A reconcile, from its first entry to its last. */
interface Pass {
  readonly process: string;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** What of a run has to do with a finding: the objects it is about, and the reconciles in which it came about. */
export class Focus {
  readonly #evidence: ReadonlySet<number>;
  readonly #operators: ReadonlySet<string>;
  /** Objects, as `resource path`. */
  readonly #objects: ReadonlySet<string>;
  /** What these objects and their owners are reconciled under: `default/a`. */
  readonly #paths: ReadonlySet<string>;
  readonly #passes: readonly Pass[];
  /** Those that hold evidence or a fault, the ones after them, and the last ones of our objects. */
  readonly #telling: ReadonlySet<Pass>;

  constructor(trace: Trace, calm: Trace, finding: Finding, kindOf: KindOf) {
    const { entries } = trace;
    this.#evidence = new Set(finding.entries);
    this.#operators = new Set(entries.flatMap(({ event }) => (isReconcile(event) ? [event.process] : [])));
    const named = [...storedKeys(trace), ...storedKeys(calm)].filter((key) =>
      isNamed(`${kindOf(key.resource)} ${pathOf(key)}`, finding.message),
    );
    const shown = finding.entries.flatMap((seq) => objectsOf(entries[seq - 1]));
    const struck = entries.flatMap(({ event }) => (event.kind === 'fault' && 'at' in event.fault ? askedFor(event.fault.at) : []));
    this.#objects = new Set([...named.map(idOf), ...shown, ...struck]);
    this.#paths = new Set([...this.#objects].flatMap((id) => [id.slice(id.indexOf(' ') + 1), ...ownersOf(id, trace)]));
    this.#passes = passesOf(trace);
    const signs = entries.filter((entry) => this.#evidence.has(entry.seq) || entry.event.kind === 'fault');
    const held = this.#passes.filter((pass) => signs.some((sign) => isIn(pass, sign)));
    const next = held.flatMap((pass) => this.#passes.find((each) => isSame(each, pass) && each.from > pass.to) ?? []);
    const end = Math.max(0, ...finding.entries);
    const last = this.#passes.filter(
      (pass) =>
        this.#paths.has(pass.key) &&
        pass.from < end &&
        !this.#passes.some((each) => isSame(each, pass) && each.from > pass.from && each.from < end),
    );
    this.#telling = new Set([...held, ...next, ...last]);
  }

  isEvidence(entry: TraceEntry): boolean {
    return this.#evidence.has(entry.seq);
  }

  /**
   * How much an entry tells about the finding, from 0 for nothing to 100 for the evidence.
   * @param before the entry before it: what a person's act did at the server
   * @param late whether a watch event is late
   */
  weight(entry: TraceEntry, before: TraceEntry | undefined, late: boolean): number {
    if (this.isEvidence(entry)) return 100;
    const { event } = entry;
    const ours = objectsOf(entry).some((id) => this.#objects.has(id));
    return (
      match(event)
        // The crash, the restart and the standstill are events of their own.
        .with({ kind: 'fault', fault: { kind: P.union('crash', 'restart', 'freeze') } }, () => 0)
        .with({ kind: 'fault' }, () => 90)
        .with({ kind: 'crashed' }, { kind: 'frozen' }, () => 85)
        // What an act of a person did is evidence of its own.
        .with(
          { kind: 'op' },
          () => this.#evidence.has(entry.seq - 1),
          () => 0,
        )
        .with({ kind: 'op' }, ({ op }) => (this.#isAside(before) ? 22 : typeof op === 'string' ? 50 : 80))
        .with({ kind: 'started' }, ({ life }) => (life > 1 ? 60 : 0))
        .with({ kind: 'handled' }, ({ commits, response, process, request }) => {
          if (process === user) return 0;
          if (!this.#operators.has(process)) return ours && commits.length > 0 && request.subresource === undefined ? 70 : 0;
          if (commits.length > 0) return ours ? 75 : this.#byPass(entry, 72, 20);
          return response.code < 400 ? 0 : ours ? 55 : 30;
        })
        .with({ kind: 'answered' }, ({ lost }) => (lost === undefined ? 0 : 70))
        .with({ kind: 'delivered' }, ({ process }) => (this.#operators.has(process) && ours ? (late ? 78 : 15) : late ? 25 : 0))
        .with({ kind: 'watch-ended' }, () => 45)
        .with({ kind: 'process', event: { kind: 'reconcile-start' } }, () => this.#byPass(entry, 65, 24))
        .with({ kind: 'process', event: { kind: 'reconcile-end' } }, ({ event: end }) =>
          end.error === undefined ? this.#byPass(entry, 30, 24) : this.#byPass(entry, 68, 45),
        )
        .with({ kind: 'process', event: { kind: 'cached-read' } }, () => this.#byPass(entry, 62, 23))
        .with({ kind: 'process' }, () => 0)
        .with({ kind: 'phase', phase: 'disturb' }, () => 0)
        .with({ kind: 'phase' }, () => 35)
        .with({ kind: 'sent' }, { kind: 'webhook' }, () => 0)
        .exhaustive()
    );
  }

  /** Whether an act of a person, by what it did, is about other objects than ours and those that these are reconciled for. */
  #isAside(done: TraceEntry | undefined): boolean {
    const touched = done?.event.kind === 'handled' && done.event.process === user ? objectsOf(done) : [];
    return touched.length > 0 && !touched.some((id) => this.#objects.has(id) || this.#paths.has(id.slice(id.indexOf(' ') + 1)));
  }

  /** By the reconcile that an entry is part of: a telling one, or another of the same objects. */
  #byPass(entry: TraceEntry, telling: number, related: number): number {
    const pass = this.#passes.find((each) => isIn(each, entry));
    if (pass === undefined) return 0;
    return this.#telling.has(pass) ? telling : this.#paths.has(pass.key) ? related : 0;
  }
}

/** In the order in which they ended. */
function passesOf(trace: Trace): readonly Pass[] {
  return passes(trace)
    .map(({ process, key, start, end }) => ({ process, key, from: start.seq, to: end?.seq ?? trace.entries.length }))
    .sort((a, b) => a.to - b.to);
}

type ReconcileEvent = Extract<TraceEvent, { kind: 'process' }> & {
  readonly event: Extract<ProcessEvent, { kind: 'reconcile-start' | 'reconcile-end' }>;
};

function isReconcile(event: TraceEvent): event is ReconcileEvent {
  return event.kind === 'process' && (event.event.kind === 'reconcile-start' || event.event.kind === 'reconcile-end');
}

function isSame(a: Pass, b: Pass): boolean {
  return a.process === b.process && a.key === b.key;
}

function isIn(pass: Pass, { seq, event }: TraceEntry): boolean {
  return pass.from <= seq && seq <= pass.to && processOf(event) === pass.process;
}

function processOf(event: TraceEvent): string | undefined {
  if (event.kind === 'fault') {
    if ('at' in event.fault) return callParts(event.fault.at)?.process;
    return 'process' in event.fault ? event.fault.process : undefined;
  }
  return 'process' in event ? event.process : undefined;
}

/** The objects that an entry is about, as `resource path`. */
function objectsOf(entry: TraceEntry | undefined): readonly string[] {
  if (entry === undefined) return [];
  const { event } = entry;
  if (event.kind === 'delivered') return [idOf(event.key)];
  if (event.kind !== 'handled' && event.kind !== 'answered') return [];
  const asked = askedFor(event.call);
  return event.kind === 'handled' ? [...asked, ...event.commits.map(({ key }) => idOf(key))] : asked;
}

/** The object that a call or a watch event is about, by its name; none when it has no name yet. */
function askedFor(name: string): readonly string[] {
  const call = callParts(name);
  return call === undefined ? [] : [`${call.resource} ${call.target}`];
}

function storedKeys(trace: Trace): readonly EtcdKey[] {
  return trace.entries.flatMap(({ event }) => (event.kind === 'handled' ? event.commits.map(({ key }) => key) : []));
}

/** The paths of the owners that an object has had. */
function ownersOf(id: string, trace: Trace): readonly string[] {
  return trace.entries.flatMap(({ event }) => {
    if (event.kind !== 'handled') return [];
    return event.commits
      .filter(({ key }) => idOf(key) === id)
      .flatMap(({ key, object }) => (object?.metadata.ownerReferences ?? []).map(({ name }) => pathOf({ namespace: key.namespace, name })));
  });
}

/** Whether a sentence has the name in it, and not as the beginning of a longer one. */
function isNamed(name: string, sentence: string): boolean {
  for (let at = sentence.indexOf(name); at >= 0; at = sentence.indexOf(name, at + 1))
    if (!/[a-z0-9-]/.test(sentence.charAt(at + name.length))) return true;
  return false;
}
