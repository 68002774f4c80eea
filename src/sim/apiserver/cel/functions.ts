import { splitTypes, type Type, typeFrom } from './value-types.js';
import type { CelValue } from './values.js';

/** What a function does with values that fit its types. @throws CelError */
export type Run = (...args: CelValue[]) => CelValue;

/** One signature of a function. */
export interface Overload {
  readonly id: string;
  /** Called as `target.name(...)`; the target is the first argument. */
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  readonly run: Run;
}

export type Functions = ReadonlyMap<string, readonly Overload[]>;

/** A signature (`list(A).indexOf(A): int`, `size(string): int`), its id, and what it does. */
export type Declaration = readonly [signature: string, id: string, run: Run];

/** @throws when a signature cannot be read: that is a mistake in this program. */
export function functionsOf(...libraries: readonly (readonly Declaration[])[]): Functions {
  const functions = new Map<string, Overload[]>();
  for (const [signature, id, run] of libraries.flat()) {
    const { name, ...overload } = readSignature(signature);
    const known = functions.get(name);
    const entry = { ...overload, id, run };
    if (known === undefined) functions.set(name, [entry]);
    else known.push(entry);
  }
  return functions;
}

function readSignature(signature: string): Omit<Overload, 'id' | 'run'> & { readonly name: string } {
  // The receiver may have parentheses of its own: the arguments are the last pair before the colon.
  const colon = signature.lastIndexOf('):');
  const open = openingOf(signature, colon);
  const head = signature.slice(0, open);
  const args = splitTypes(signature.slice(open + 1, colon)).map(typeFrom);
  const result = typeFrom(signature.slice(colon + 2));
  const operator = head.startsWith('_') || head.startsWith('@') || head.startsWith('!') || head.startsWith('-');
  const qualified = /^(strings|sets|lists|optional|cel|format|ip)\./.test(head) && !signature.startsWith('optional(');
  const dot = operator || qualified ? -1 : head.lastIndexOf('.');
  if (dot < 0) return { name: head, member: false, args, result };
  return { name: head.slice(dot + 1), member: true, args: [typeFrom(head.slice(0, dot)), ...args], result };
}

function openingOf(signature: string, close: number): number {
  let depth = 0;
  for (let index = close; index >= 0; index--) {
    if (signature[index] === ')') depth += 1;
    else if (signature[index] === '(') depth -= 1;
    if (depth === 0) return index;
  }
  throw new Error(`not a signature: ${signature}`);
}
