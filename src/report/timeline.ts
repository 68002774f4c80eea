import { match, P } from 'ts-pattern';
import type { Status } from '../sim/apiserver/request.js';
import { type EtcdKey, pathOf } from '../sim/etcd/etcd.js';
import type { FaultKind } from '../sim/plan.js';
import type { Trace, TraceEntry } from '../sim/trace.js';
import { cacheLag, commitTimes } from './cache-lag.js';
import { callParts, type KindOf } from './decision-names.js';
import { counted, durationText, timeText } from './numbers.js';
import { opWords, workWords } from './words.js';

/** One event of a run, for a person. */
export interface TimelineLine {
  readonly seq: number;
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
  /** Whether the property's evidence is here. */
  readonly evidence: boolean;
}

const mostLines = 25;
/** A watch event that takes longer than this is late. */
const lateMs = 100;

/** The events that matter for a finding: what went wrong, what was done to the objects in question, and by which reconciles. */
export function timeline(trace: Trace, evidence: readonly number[], kindOf: KindOf): readonly TimelineLine[] {
  const teller = new Teller(trace, evidence, kindOf);
  const last = evidence.length === 0 ? trace.entries.length : Math.max(...evidence);
  const weighed = trace.entries.filter((entry) => entry.seq <= last).flatMap((entry) => teller.line(entry) ?? []);
  return collapsed(weighed)
    .sort((a, b) => b.weight - a.weight || b.line.seq - a.line.seq)
    .slice(0, mostLines)
    .map(({ line }) => line)
    .sort((a, b) => a.seq - b.seq);
}

interface Weighed {
  readonly line: TimelineLine;
  /** How much it tells. */
  readonly weight: number;
}

/** What one process does again and again, without anything in between, is one line. */
function collapsed(all: readonly Weighed[]): Weighed[] {
  const runs: { first: Weighed; last: Weighed; times: number }[] = [];
  for (const each of all) {
    const run = runs.at(-1);
    if (run !== undefined && run.first.line.who === each.line.who && run.first.line.what === each.line.what) {
      run.last = each;
      run.times += 1;
    } else runs.push({ first: each, last: each, times: 1 });
  }
  return runs.map(({ first, last, times }) => {
    if (times === 1) return first;
    const { line } = first;
    const what = `${line.what} (${times} times until ${timeText(last.line.atMs)})`;
    return { line: { ...line, what, evidence: line.evidence || last.line.evidence }, weight: Math.max(first.weight, last.weight) };
  });
}

/** The lines as aligned text, the evidence marked. */
export function timelineText(lines: readonly TimelineLine[]): readonly string[] {
  const time = Math.max(0, ...lines.map((line) => timeText(line.atMs).length));
  const who = Math.max(0, ...lines.map((line) => line.who.length));
  return lines.map((line) => `${line.evidence ? '►' : ' '} ${timeText(line.atMs).padEnd(time)}  ${line.who.padEnd(who)}  ${line.what}`);
}

class Teller {
  readonly #evidence: ReadonlySet<number>;
  readonly #kindOf: KindOf;
  readonly #behind: (process: string, seq: number) => readonly EtcdKey[];
  readonly #committedAtMs: ReadonlyMap<number, number>;
  /** Objects that the evidence is about. */
  readonly #keys: ReadonlySet<string>;
  /** Numbers of the entries that lie in a reconcile which is part of the evidence. */
  readonly #passes: readonly { readonly process: string; readonly from: number; readonly to: number }[];

  constructor(trace: Trace, evidence: readonly number[], kindOf: KindOf) {
    this.#evidence = new Set(evidence);
    this.#kindOf = kindOf;
    this.#behind = cacheLag(trace);
    this.#committedAtMs = commitTimes(trace.entries);
    this.#keys = new Set(evidence.flatMap((seq) => keysOf(trace.entries[seq - 1])).map(keyText));
    this.#passes = passesOf(trace.entries, this.#evidence);
  }

  /** The entry as a line; nothing for one that tells nothing. */
  line(entry: TraceEntry): Weighed | undefined {
    const weight = this.#weight(entry);
    if (weight === 0) return undefined;
    const { seq, atMs } = entry;
    const [who, what] = this.#tell(entry);
    return { line: { seq, atMs, who, what, evidence: this.#evidence.has(seq) }, weight };
  }

  #weight(entry: TraceEntry): number {
    if (this.#evidence.has(entry.seq)) return 100;
    const { event } = entry;
    const ours = keysOf(entry).some((key) => this.#keys.has(keyText(key)));
    return (
      match(event)
        // The crash, the restart and the standstill are events of their own.
        .with({ kind: 'fault', fault: { kind: P.union('crash', 'restart', 'freeze') } }, () => 0)
        .with({ kind: 'fault' }, () => 90)
        .with({ kind: 'crashed' }, { kind: 'frozen' }, () => 85)
        .with({ kind: 'op' }, () => 80)
        .with({ kind: 'started' }, ({ life }) => (life > 1 ? 60 : 0))
        .with({ kind: 'handled' }, ({ commits, response, process }) => {
          if (process === 'a user') return 0;
          if (commits.length > 0) return ours ? 75 : 20;
          return response.code >= 400 ? 50 : 0;
        })
        .with({ kind: 'answered' }, ({ lost }) => (lost === undefined ? 0 : 70))
        .with({ kind: 'delivered' }, () => (this.#lateMs(entry) > lateMs ? (ours ? 78 : 40) : ours ? 15 : 0))
        .with({ kind: 'watch-ended' }, () => 45)
        .with({ kind: 'process', event: { kind: 'reconcile-start' } }, () => (this.#inPass(entry) ? 65 : 0))
        .with({ kind: 'process', event: { kind: 'reconcile-end' } }, ({ event: end }) => {
          if (end.error !== undefined) return 55;
          return this.#inPass(entry) ? 30 : 0;
        })
        .with({ kind: 'process', event: { kind: 'cached-read' } }, () => (this.#inPass(entry) ? 62 : 0))
        .with({ kind: 'process' }, () => 0)
        .with({ kind: 'phase', phase: 'disturb' }, () => 0)
        .with({ kind: 'phase' }, () => 35)
        .with({ kind: 'sent' }, () => 0)
        .exhaustive()
    );
  }

  #tell(entry: TraceEntry): readonly [who: string, what: string] {
    return match(entry.event)
      .returnType<readonly [string, string]>()
      .with({ kind: 'phase' }, ({ phase }) => [
        '',
        this.#evidence.has(entry.seq) ? 'the cluster is at rest, and not as it should be' : phases[phase],
      ])
      .with({ kind: 'op' }, ({ op, done, why }) => {
        const what = typeof op === 'string' ? workWords(op, this.#kindOf) : opWords(op, this.#kindOf).replace(/^A user /, '');
        return ['a user', done ? what : `${what}: not done, ${why}`];
      })
      .with({ kind: 'fault' }, ({ fault }) => ['(fault)', faultsInBrief[fault.kind]])
      .with({ kind: 'started' }, ({ process, life }) => [process, life === 1 ? 'starts' : 'starts again with empty memory'])
      .with({ kind: 'crashed' }, ({ process }) => [process, entry.phase === 'probe-restart' ? 'is restarted' : 'crashes'])
      .with({ kind: 'frozen' }, ({ process, untilMs }) => [process, `stands still until ${timeText(untilMs)}`])
      .with({ kind: 'sent' }, ({ process, call }) => [process, `sends: ${this.#call(call)}`])
      .with({ kind: 'handled' }, ({ process, call, response, commits }) => {
        const made = commits.find((commit) => commit.previous === undefined)?.key.name;
        const name = made === undefined || call.includes(made) ? '' : ` (${made})`;
        return [process, `${this.#call(call)}${name}: ${response.code}${answerText(response.body)}`];
      })
      .with({ kind: 'answered' }, ({ process, call, code, lost }) => [
        process,
        `${this.#call(call)}: ${lost === undefined ? code : `no answer, the connection is gone (${lost})`}`,
      ])
      .with({ kind: 'delivered' }, ({ process, resource, key, type }) => {
        const late = this.#lateMs(entry);
        return [process, `hears ${type} ${this.#kindOf(resource)} ${pathOf(key)}${late > lateMs ? `, ${durationText(late)} late` : ''}`];
      })
      .with({ kind: 'watch-ended' }, ({ process, resource, how }) => [process, `its watch of ${resource} has ended (${how})`])
      .with({ kind: 'process' }, ({ process, event }) => {
        const what = match(event)
          .with({ kind: 'reconcile-start' }, ({ key }) => {
            const behind = this.#behind(process, entry.seq).map((each) => `${this.#kindOf(each.resource)} ${pathOf(each)}`);
            if (behind.length === 0) return `reconcile ${key}`;
            return `reconcile ${key}; its cache is behind: ${behind.length > 2 ? counted(behind.length, 'object') : behind.join(', ')}`;
          })
          .with({ kind: 'reconcile-end' }, ({ key, result, error }) => `reconcile ${key} ends: ${error ?? result}`)
          .with({ kind: 'cached-read' }, ({ verb, resource, key, found }) => {
            const where = verb === 'get' ? ` ${key}` : key === '' ? 's' : `s in ${key}`;
            return `reads ${this.#kindOf(resource)}${where} from its cache: ${found.length === 0 ? 'nothing there' : found.map(foundText).join(', ')}`;
          })
          .with({ kind: 'relist' }, ({ resource }) => `lists ${resource} again`)
          .with({ kind: 'log' }, ({ message }) => message)
          .exhaustive();
        return [process, what];
      })
      .exhaustive();
  }

  /** `create Deployment default/web`, or the name as it is. */
  #call(name: string): string {
    const call = callParts(name);
    if (call === undefined) return name;
    const part = call.subresource === undefined ? '' : ` ${call.subresource} of`;
    return `${call.verb}${part} ${this.#kindOf(call.resource)} ${call.target}`.trim();
  }

  #lateMs({ event, atMs }: TraceEntry): number {
    if (event.kind !== 'delivered') return 0;
    const committedAtMs = this.#committedAtMs.get(event.revision);
    return committedAtMs === undefined ? 0 : atMs - committedAtMs;
  }

  #inPass({ seq, event }: TraceEntry): boolean {
    return 'process' in event && this.#passes.some((pass) => pass.process === event.process && pass.from <= seq && seq <= pass.to);
  }
}

const phases = {
  disturb: 'the cluster begins',
  settle: '--- from here on nothing goes wrong any more ---',
  'probe-restart': '--- the cluster is at rest; operators are restarted with empty memory ---',
  'probe-redelivery': '--- the cluster is at rest; every event is delivered again ---',
  'probe-deletion': '--- the cluster is at rest; what people made is deleted ---',
} as const;

const faultsInBrief: Readonly<Record<FaultKind, string>> = {
  'request-lost': 'the request is lost on its way',
  rejected: 'the server refuses the request',
  conflict: 'somebody else changes the object first',
  'reply-lost': 'the reply is lost',
  'watch-ended': 'the server ends the watch',
  'watch-reset': 'the connection of the watch breaks',
  'watch-expired': 'the watch is too old: 410 Gone',
  'stale-read': 'the answer comes from a server whose cache is behind',
  crash: 'the process crashes',
  restart: 'the process is killed',
  freeze: 'the process stands still',
};

/** The reconciles that hold one of the entries. */
function passesOf(entries: readonly TraceEntry[], seqs: ReadonlySet<number>) {
  const open = new Map<string, { readonly process: string; readonly from: number; readonly key: string }>();
  const passes: { readonly process: string; readonly from: number; readonly to: number }[] = [];
  const close = (id: string, to: number): void => {
    const begun = open.get(id);
    open.delete(id);
    if (begun === undefined) return;
    for (let seq = begun.from; seq <= to; seq++) {
      const event = entries[seq - 1]?.event;
      if (seqs.has(seq) && event !== undefined && 'process' in event && event.process === begun.process) {
        passes.push({ process: begun.process, from: begun.from, to });
        return;
      }
    }
  };
  for (const { event, seq } of entries) {
    if (event.kind === 'process' && event.event.kind === 'reconcile-start') {
      const { controller, key } = event.event;
      open.set(`${event.process} ${controller} ${key}`, { process: event.process, from: seq, key });
    } else if (event.kind === 'process' && event.event.kind === 'reconcile-end')
      close(`${event.process} ${event.event.controller} ${event.event.key}`, seq);
    else if (event.kind === 'crashed') for (const [id, { process }] of [...open]) if (process === event.process) close(id, seq);
  }
  for (const id of [...open.keys()]) close(id, entries.length);
  return passes;
}

function keysOf(entry: TraceEntry | undefined): readonly EtcdKey[] {
  if (entry === undefined) return [];
  if (entry.event.kind === 'handled') return entry.event.commits.map((commit) => commit.key);
  return entry.event.kind === 'delivered' ? [entry.event.key] : [];
}

function keyText(key: EtcdKey): string {
  return `${key.resource} ${pathOf(key)}`;
}

/** `default/a@1007` without its revision, which means nothing to a person. */
function foundText(found: string): string {
  return found.replace(/@\d*$/, '');
}

/** Why a call was refused. A conflict is known well enough by its name. */
function answerText(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('status' in body) || body.status !== 'Failure') return '';
  const { reason, message } = body as Status;
  return reason === 'Conflict' ? ' Conflict' : ` ${message ?? reason ?? ''}`.slice(0, 120);
}
