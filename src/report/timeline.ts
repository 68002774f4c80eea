import { match } from 'ts-pattern';
import type { Counterexample } from '../campaign/counterexample.js';
import type { Status } from '../sim/apiserver/request.js';
import { type EtcdKey, pathOf } from '../sim/etcd/etcd.js';
import { user } from '../sim/people.js';
import type { FaultKind } from '../sim/plan.js';
import type { Trace, TraceEntry } from '../sim/trace.js';
import { cacheLag, commitTimes, firstAsked } from './cache-lag.js';
import { callParts, type KindOf } from './decision-names.js';
import { Focus } from './focus.js';
import { isLifeFault, type LifeFault, lifeInBrief } from './life-words.js';
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
const mostErrorText = 100;
/** What tells little is shown only until there are so many lines. */
const fewLines = 12;
const tellingWeight = 30;
/** A watch event that takes longer than this is late. */
const lateMs = 100;

/** The events that matter for a finding: what went wrong, what was done to the objects in question, and by which reconciles. */
export function timeline({ trace, calm, finding }: Told, kindOf: KindOf): readonly TimelineLine[] {
  const teller = new Teller(trace, new Focus(trace, calm, finding, kindOf), kindOf);
  const last = finding.entries.length === 0 ? trace.entries.length : Math.max(...finding.entries);
  const ranked = collapsed(trace.entries.filter((entry) => entry.seq <= last).flatMap((entry) => teller.line(entry) ?? []))
    .sort((a, b) => b.weight - a.weight || b.line.seq - a.line.seq)
    .filter(({ weight }, index) => index < (weight < tellingWeight ? fewLines : mostLines));
  return ranked.map(({ line }) => line).sort((a, b) => a.seq - b.seq);
}

type Told = Pick<Counterexample, 'trace' | 'calm' | 'finding'>;

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
  readonly #entries: readonly TraceEntry[];
  readonly #focus: Focus;
  readonly #kindOf: KindOf;
  readonly #behind: (process: string, seq: number) => readonly EtcdKey[];
  readonly #committedAtMs: ReadonlyMap<number, number>;
  readonly #askedAtMs: ReturnType<typeof firstAsked>;

  constructor(trace: Trace, focus: Focus, kindOf: KindOf) {
    this.#entries = trace.entries;
    this.#focus = focus;
    this.#kindOf = kindOf;
    this.#behind = cacheLag(trace);
    this.#committedAtMs = commitTimes(trace.entries);
    this.#askedAtMs = firstAsked(trace);
  }

  /** The entry as a line; nothing for one that tells nothing. */
  line(entry: TraceEntry): Weighed | undefined {
    const weight = this.#focus.weight(entry, this.#entries[entry.seq - 2], this.#lateMs(entry) > lateMs);
    if (weight === 0) return undefined;
    const { seq, atMs } = entry;
    const [who, what] = this.#tell(entry);
    return { line: { seq, atMs, who, what, evidence: this.#focus.isEvidence(entry) }, weight };
  }

  #tell(entry: TraceEntry): readonly [who: string, what: string] {
    return match(entry.event)
      .returnType<readonly [string, string]>()
      .with({ kind: 'phase' }, ({ phase }) => [
        '',
        this.#focus.isEvidence(entry) ? 'the cluster is at rest, and not as it should be' : phases[phase],
      ])
      .with({ kind: 'op' }, ({ op, done, why }) => {
        const what = typeof op === 'string' ? workWords(op, this.#kindOf) : opWords(op, this.#kindOf).replace(/^A user /, '');
        return [user, why === undefined ? what : `${what}: ${done ? '' : 'not done, '}${why}`];
      })
      .with({ kind: 'fault' }, ({ fault }) => ['(fault)', isLifeFault(fault) ? lifeInBrief(fault) : faultsInBrief[fault.kind]])
      .with({ kind: 'started' }, ({ process, life }) => [process, life === 1 ? 'starts' : 'starts again with empty memory'])
      .with({ kind: 'crashed' }, ({ process }) => [process, entry.phase === 'probe-restart' ? 'is restarted' : 'crashes'])
      .with({ kind: 'frozen' }, ({ process, untilMs }) => [process, `stands still until ${timeText(untilMs)}`])
      .with({ kind: 'sent' }, ({ process, call }) => [process, `sends: ${this.#call(call)}`])
      .with({ kind: 'handled' }, ({ process, call, response, commits }) => {
        const made = commits.find((commit) => commit.previous === undefined)?.key.name;
        const name = made === undefined || call.includes(made) ? '' : ` (${made})`;
        return [process, `${this.#call(call)}${name}: ${response.code}${answerText(response.body)}`];
      })
      .with({ kind: 'webhook' }, ({ process, call }) => [process, call])
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
          .with(
            { kind: 'reconcile-end' },
            ({ key, result, error }) => `reconcile ${key} ends: ${error === undefined ? result : briefly(error)}`,
          )
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

  #lateMs({ event, atMs, seq }: TraceEntry): number {
    if (event.kind !== 'delivered') return 0;
    const committedAtMs = this.#committedAtMs.get(event.revision);
    const askedAtMs = this.#askedAtMs(event.process, event.resource, seq) ?? 0;
    return committedAtMs === undefined ? 0 : atMs - Math.max(committedAtMs, askedAtMs);
  }
}

const phases = {
  disturb: 'the cluster begins',
  settle: '--- from here on nothing goes wrong any more ---',
  'probe-restart': '--- the cluster is at rest; operators are restarted with empty memory ---',
  'probe-redelivery': '--- the cluster is at rest; every event is delivered again ---',
  'probe-deletion': '--- the cluster is at rest; what people made is deleted ---',
} as const;

const faultsInBrief: Readonly<Record<Exclude<FaultKind, LifeFault['kind']>, string>> = {
  'request-lost': 'the request is lost on its way',
  rejected: 'the server refuses the request',
  conflict: 'somebody else changes the object first',
  'reply-lost': 'the reply is lost',
  'watch-ended': 'the server ends the watch',
  'watch-reset': 'the connection of the watch breaks',
  'watch-expired': 'the watch is too old: 410 Gone',
  'stale-read': 'the answer comes from a server whose cache is behind',
  'webhook-unreachable': 'the webhook cannot be reached',
  'webhook-timed-out': 'the webhook does not answer in time',
  crash: 'the process crashes',
  restart: 'the process is killed',
  freeze: 'the process stands still',
};

/** `default/a@1007` without its revision, which means nothing to a person. */
function foundText(found: string): string {
  return found.replace(/@\d*$/, '');
}

/** Why a call was refused. */
function answerText(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('status' in body) || body.status !== 'Failure') return '';
  const { reason, message } = body as Status;
  return ` ${briefly(message ?? reason ?? '')}`;
}

/** An error in a line. A conflict is known well enough by its name. */
function briefly(error: string): string {
  if (error.startsWith('Operation cannot be fulfilled')) return 'Conflict';
  return error.length > mostErrorText ? `${error.slice(0, mostErrorText)}…` : error;
}
