import { isDeepStrictEqual } from 'node:util';
import { beyondSimulation } from './beyond-simulation.js';
import { players } from './players.js';
import type { Conversation, StepRecord } from './script.js';

export interface Difference {
  readonly step: number;
  readonly does: string;
  readonly lane: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** How one script went with one profile. */
export interface Outcome {
  readonly number: number;
  readonly name: string;
  readonly kind: string;
  readonly profile: string;
  readonly differences: readonly Difference[];
  /** Why a difference is left as it is. */
  readonly reason?: string;
}

/** Plays every script that `wanted` lets pass, with every profile that was recorded. */
export async function compareAll(
  conversations: readonly Conversation[],
  wanted: (number: number) => boolean = () => true,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { script, recordings } of conversations) {
    if (!wanted(script.number)) continue;
    for (const { profiles, steps } of recordings) {
      for (const profile of profiles) {
        const differences = await play({ script, recordings }, profile, steps);
        const reason = differences.length > 0 ? beyondSimulation[script.number] : undefined;
        const { number, name, kind } = script;
        outcomes.push({ number, name, kind, profile, differences, ...(reason === undefined ? {} : { reason }) });
      }
    }
  }
  return outcomes;
}

async function play({ script }: Conversation, profile: string, expected: readonly StepRecord[]): Promise<Difference[]> {
  const load = players[script.kind];
  if (load === undefined) return [{ step: 0, does: '', lane: 'player', expected: `a player for ${script.kind}`, found: 'none' }];
  try {
    const { play } = await load();
    return differencesOf(expected, plain(await play(script, profile)));
  } catch (error) {
    return [
      {
        step: 0,
        does: '',
        lane: 'player',
        expected: 'no error',
        found: error instanceof Error ? (error.stack ?? error.message) : String(error),
      },
    ];
  }
}

function plain(records: readonly StepRecord[]): StepRecord[] {
  return JSON.parse(JSON.stringify(records)) as StepRecord[];
}

function differencesOf(expected: readonly StepRecord[], found: readonly StepRecord[]): Difference[] {
  const differences: Difference[] = [];
  for (const [step, record] of expected.entries()) {
    const other = found[step] ?? {};
    for (const lane of new Set([...Object.keys(record), ...Object.keys(other)])) {
      if (lane === 'step' || lane === 'does' || sameLane(record[lane], other[lane])) continue;
      differences.push({ step, does: String(record.does), lane, expected: record[lane], found: other[lane] });
    }
  }
  return differences;
}

function sameLane(expected: unknown, found: unknown): boolean {
  if (!Array.isArray(expected) || !Array.isArray(found)) return isDeepStrictEqual(expected, found);
  return expected.length === found.length && expected.every((entry, i) => isDeepStrictEqual(comparable(entry), comparable(found[i])));
}

/** Error texts are Go's: where an error has a code and a reason, these count. Addresses of sockets are nobody's. */
function comparable(entry: unknown): unknown {
  if (typeof entry === 'string') return entry.replaceAll('http://127.0.0.1:8001', '').replaceAll('tcp 127.0.0.1:8001:', 'tcp:');
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) return entry;
  if ('error' in entry) return { ...entry, error: comparable(entry.error) };
  const { text, ...rest } = entry as { text?: unknown };
  if (text === undefined) return entry;
  return 'code' in rest ? rest : { ...rest, text: comparable(text) };
}
