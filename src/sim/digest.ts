import { createHash } from 'node:crypto';
import { canonicalText } from './etcd/object.js';
import type { Trace, TraceEntry } from './trace.js';

/** SHA-256 of everything that a run did and came to, in hexadecimal. Costs about as much as the run: ask when it is needed. */
export function traceDigest(trace: Trace): string {
  const hash = createHash('sha256');
  for (const entry of trace.entries) hash.update(canonicalText(entry)).update('\n');
  for (const phase of trace.phases) hash.update(canonicalText(phase)).update('\n');
  for (const { key, object } of finalState(trace)) hash.update(canonicalText([key, object])).update('\n');
  return hash.digest('hex');
}

/** Where two runs part: the first entry that is not the same, as each has it. */
export interface Divergence {
  readonly seq: number;
  readonly first?: TraceEntry;
  readonly second?: TraceEntry;
}

/** Compares two runs entry by entry. @returns undefined when they are the same */
export function firstDifference(first: Trace, second: Trace): Divergence | undefined {
  const length = Math.max(first.entries.length, second.entries.length);
  for (let index = 0; index < length; index++) {
    const a = first.entries[index];
    const b = second.entries[index];
    if (a === undefined || b === undefined || canonicalText(a) !== canonicalText(b))
      return { seq: index + 1, ...(a === undefined ? {} : { first: a }), ...(b === undefined ? {} : { second: b }) };
  }
  return undefined;
}

function finalState(trace: Trace) {
  const last = trace.entries.at(-1);
  return last === undefined ? [] : trace.stateAt(last.revision).all();
}
