import { match } from 'ts-pattern';
import type { EtcdKey } from '../sim/etcd/etcd.js';
import type { Trace, TraceEntry } from '../sim/trace.js';
import { cacheLag, commitTimes } from './cache-lag.js';
import { callParts, type KindOf } from './decision-names.js';
import { counted, durationText, timeText } from './numbers.js';
import { faultWords, opWords } from './words.js';

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
  const ranked = trace.entries
    .filter((entry) => entry.seq <= last)
    .map((entry) => ({ entry, weight: teller.weight(entry) }))
    .filter(({ weight }) => weight > 0);
  const kept = [...ranked]
    .sort((a, b) => b.weight - a.weight || b.entry.seq - a.entry.seq)
    .slice(0, mostLines)
    .sort((a, b) => a.entry.seq - b.entry.seq);
  return kept.flatMap(({ entry }) => teller.line(entry) ?? []);
}

/** The lines as aligned text, the evidence marked. */
export function timelineText(lines: readonly TimelineLine[]): readonly string[] {
  const time = Math.max(0, ...lines.map((line) => timeText(line.atMs).length));
  const who = Math.max(0, ...lines.map((line) => line.who.length));
  return lines.map(
    (line) => `${line.evidence ? '►' : ' '} ${timeText(line.atMs).padEnd(time)}  ${line.who.padEnd(who)}  ${line.what}`,
  );
}

class Teller {
  readonly #evidence: ReadonlySet<number>;
  readonly #kindOf: KindOf;
  readonly #lag: (process: string, seq: number) => number;
  readonly #committedAtMs: ReadonlyMap<number, number>;
  /** Objects that the evidence is about. */
  readonly #keys: ReadonlySet<string>;
  /** Numbers of the entries that lie in a reconcile which is part of the evidence. */
  readonly #passes: readonly { readonly process: string; readonly from: number; readonly to: number }[];

  constructor(trace: Trace, evidence: readonly number[], kindOf: KindOf) {
    this.#evidence = new Set(evidence);
    this.#kindOf = kindOf;
    this.#lag = cacheLag(trace);
    this.#committedAtMs = commitTimes(trace.entries);
    this.#keys = new Set(evidence.flatMap((seq) => keysOf(trace.entries[seq - 1])).map(keyText));
    this.#passes = passesOf(trace.entries, this.#evidence);
  }

  /** How much an entry tells; 0 for nothing. */
  weight(entry: TraceEntry): number {
    if (this.#evidence.has(entry.seq)) return 100;
    const { event } = entry;
    const ours = keysOf(entry).some((key) => this.#keys.has(keyText(key)));
    return match(event)
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
      .exhaustive();
  }

  line(entry: TraceEntry): TimelineLine | undefined {
    const { seq, atMs } = entry;
    const told = this.#tell(entry);
    return told === undefined ? undefined : { seq, atMs, who: told[0], what: told[1], evidence: this.#evidence.has(seq) };
  }

  #tell(entry: TraceEntry): readonly [who: string, what: string] | undefined {
    return match(entry.event)
      .returnType<readonly [string, string] | undefined>()
      .with({ kind: 'phase' }, ({ phase }) => ['', phases[phase]])
      .with({ kind: 'op' }, ({ op, done, why }) => {
        const what = typeof op === 'string' ? op : lowered(opWords(op, this.#kindOf).replace(/^A user /, ''));
        return ['a user', done ? what : `${what}: not done, ${why}`];
      })
      .with({ kind: 'fault' }, ({ fault }) => ['(fault)', faultWords(fault, this.#kindOf)])
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
        return [process, `hears ${type} ${this.#kindOf(resource)} ${pathText(key)}${late > lateMs ? `, ${durationText(late)} late` : ''}`];
      })
      .with({ kind: 'watch-ended' }, ({ process, resource, how }) => [process, `its watch of ${resource} has ended (${how})`])
      .with({ kind: 'process' }, ({ process, event }) => {
        const what = match(event)
          .returnType<string | undefined>()
          .with({ kind: 'reconcile-start' }, ({ key }) => {
            const lag = this.#lag(process, entry.seq);
            return `reconcile ${key}${lag === 0 ? '' : `: its cache is ${counted(lag, 'event')} behind`}`;
          })
          .with({ kind: 'reconcile-end' }, ({ key, result, error }) => `reconcile ${key} ends: ${error ?? result}`)
          .with({ kind: 'cached-read' }, ({ verb, resource, key, found }) => {
            const where = verb === 'get' ? ` ${key}` : key === '' ? 's' : `s in ${key}`;
            return `reads ${this.#kindOf(resource)}${where} from its cache: ${found.length === 0 ? 'nothing there' : found.map(foundText).join(', ')}`;
          })
          .with({ kind: 'relist' }, ({ resource }) => `lists ${resource} again`)
          .with({ kind: 'log' }, ({ message }) => message)
          .exhaustive();
        return what === undefined ? undefined : [process, what];
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
    else if (event.kind === 'crashed')
      for (const [id, { process }] of [...open]) if (process === event.process) close(id, seq);
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
  return `${key.resource} ${pathText(key)}`;
}

function pathText({ namespace, name }: EtcdKey): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** `default/a@1007` without its revision, which means nothing to a person. */
function foundText(found: string): string {
  return found.replace(/@\d*$/, '');
}

function answerText(body: unknown): string {
  const refused = typeof body === 'object' && body !== null && 'status' in body && body.status === 'Failure' && 'message' in body;
  return refused ? ` ${String(body.message)}` : '';
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
