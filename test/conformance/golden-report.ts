import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, type Difference, type Normal, normalise, type Part, runSequence, type Sequence } from './golden/runner.mjs';
import { GoldenWorld } from './golden-world.js';

/** One sequence played, against what was recorded. */
export interface Played {
  readonly sequence: Sequence;
  readonly recorded: Normal;
  readonly failures: readonly { readonly step: string; readonly message: string }[];
  readonly parts: readonly PlayedPart[];
}

/** An exchange, a watch or a call of a webhook that was recorded. */
export interface PlayedPart {
  readonly side: 'exchanges' | 'watches' | 'calls';
  readonly id: string;
  readonly expected: Part;
  /** All differences, and those that are left when managedFields are not compared. */
  readonly differences: readonly Difference[];
  readonly essential: readonly Difference[];
}

export interface Count {
  equal: number;
  total: number;
}

export function sequencesIn(directory: string): readonly string[] {
  return readdirSync(join(directory, 'sequences'))
    .filter((file) => file.endsWith('.json'))
    .sort();
}

/** Plays a sequence in a cluster of its own. */
export async function play(directory: string, file: string): Promise<Played> {
  const sequence = JSON.parse(readFileSync(join(directory, 'sequences', file), 'utf8')) as Sequence;
  const recorded = JSON.parse(readFileSync(join(directory, 'recorded', file), 'utf8')) as Normal;
  const raw = await runSequence(sequence, new GoldenWorld({ workloads: groupOf(sequence) === 'controllers' }));
  const actual = normalise(raw);
  const whole = compare(recorded, actual);
  const essential = compare(withoutManagedFields(recorded), withoutManagedFields(actual));
  const parts: PlayedPart[] = [];
  for (const side of ['exchanges', 'watches', 'calls'] as const) {
    for (const expected of recorded[side] ?? []) {
      const at = `${side}/${expected.id}`;
      const mine = (difference: Difference) => difference.at === at || difference.at.startsWith(`${at}/`);
      parts.push({ side, id: expected.id, expected, differences: whole.filter(mine), essential: essential.filter(mine) });
    }
  }
  return { sequence, recorded, failures: raw.failures, parts };
}

/** The group of a sequence: `store` of `store/crud-configmap`. */
export function groupOf(sequence: Sequence): string {
  return sequence.name.split('/')[0] as string;
}

/** In a sequence that is mostly different, what is equal is so by accident: the ratchet does not hold anybody to it. */
export function isWorthKeeping(played: Played): boolean {
  return 2 * equalParts(played).length >= played.parts.length;
}

/** What the ratchet keeps of a sequence: the parts that are equal when managedFields are left out. */
export function equalParts(played: Played): readonly string[] {
  return played.parts.filter((part) => part.essential.length === 0).map((part) => `${part.side}/${part.id}`);
}

export function count(parts: readonly PlayedPart[], side: PlayedPart['side'], which: 'differences' | 'essential'): Count {
  const ofSide = parts.filter((part) => part.side === side);
  return { equal: ofSide.filter((part) => part[which].length === 0).length, total: ofSide.length };
}

function withoutManagedFields<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutManagedFields) as T;
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key]) => !/(^|\/)managedFields(\/|$)/.test(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutManagedFields(inner)])) as T;
}
