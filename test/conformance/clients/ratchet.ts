import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './compare.js';

const file = new URL('../golden-clients-ratchet.json', import.meta.url);

/** `NNN profile`, as the ratchet names what was equal once and must stay so. */
export function nameOf({ number, profile }: Outcome): string {
  return `${String(number).padStart(3, '0')} ${profile}`;
}

export function equalOnes(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter(({ differences }) => differences.length === 0).map(nameOf);
}

export function readRatchet(): string[] {
  return JSON.parse(readFileSync(file, 'utf8')) as string[];
}

export function writeRatchet(names: readonly string[]): void {
  writeFileSync(file, `${JSON.stringify([...names].sort(), undefined, 1)}\n`);
}
