import { bytesOf, fnv1, fnv1a } from './fnv.js';
import { goDump } from './go-dump.js';

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** A hash in letters that make no words, and are safe in names. */
function encoded(hash: number): string {
  return [...String(hash)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}

/** WL-30: the hash of a pod template and of how often a hash of the owner's has collided; undefined: it never has. */
export function templateHash(template: unknown, collisions?: number): string {
  const count =
    collisions === undefined ? [] : [0, 8, 16, 24, 32, 32, 32, 32].map((shift) => (shift < 32 ? (collisions >>> shift) & 255 : 0));
  return encoded(fnv1a(bytesOf(goDump('core/v1.PodTemplateSpec', template), ...count)));
}

/** WL-56: the hash of what a StatefulSet's ControllerRevision keeps, and of how often that has collided. */
export function revisionHash(data: unknown, collisions: number): string {
  return encoded(fnv1(bytesOf(`${goJson(data)}${collisions}`)));
}

/** JSON as Go writes maps: the keys in order, and what could be HTML written otherwise. */
function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join()}]`;
  if (value === null || typeof value !== 'object') return escaped(JSON.stringify(value) ?? 'null');
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${escaped(JSON.stringify(key))}:${goJson(inner)}`).join()}}`;
}

function escaped(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
