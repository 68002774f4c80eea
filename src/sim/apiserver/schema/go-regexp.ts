import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** A pattern as Go reads it: RE2's syntax, and a search anywhere in the text. */
export interface GoRegExp {
  test(text: string): boolean;
}

/** Go's words about a pattern that is none: ``error parsing regexp: missing closing ): `(` ``. */
export class GoRegExpError extends Error {}

const compiled = new Map<string, GoRegExp>();

/** @throws GoRegExpError */
export function goRegExp(pattern: string): GoRegExp {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = asNative(pattern) ?? asRe2(pattern);
    compiled.set(pattern, expression);
  }
  return expression;
}

/** The whole RE2 engine, for groups and positions. @throws GoRegExpError */
export function re2(pattern: string): RE2JS {
  let expression = engines.get(pattern);
  if (expression === undefined) {
    try {
      expression = library().compile(pattern);
    } catch (error) {
      throw new GoRegExpError(error instanceof Error ? error.message : String(error));
    }
    engines.set(pattern, expression);
  }
  return expression;
}

const engines = new Map<string, RE2JS>();
let loaded: typeof RE2JS | undefined;

/** The engine is large, and most schemas never need it: it is loaded by the first pattern that does. */
function library(): typeof RE2JS {
  loaded ??= (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS;
  return loaded;
}

function asRe2(pattern: string): GoRegExp {
  const expression = re2(pattern);
  return { test: (text) => expression.matcher(text).find() };
}

/**
 * What both dialects read alike: ASCII letters, escapes of punctuation, `\d` and `\w`, plain classes and groups, one quantifier
 * after each atom. Go's dot stops at a line feed only.
 */
const shared =
  /^(?:[\w \-,:;=@/'"!#%&<>~`]|\\[dDwW.\-/+*?()[\]{}|^$\\]|\.|\((?:\?:)?(?!\?)|\)|\||\^|\$|\[\^?(?:[\w .,:;=@/'"!#%&<>~`+*?(){}|$]|\\[dw.\-/[\]\\^]|-)+\]|(?<=[^(|^*+?}])(?:[*+?]|\{\d{1,3}(?:,(?:\d{1,3})?)?\})(?![*+?{]))*$/;

function asNative(pattern: string): GoRegExp | undefined {
  if (!shared.test(pattern)) return undefined;
  // With the `u` flag, which counts characters as Go does, a dash outside a class needs no escape and may have none.
  const source = pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\./g, (part) => (part === '.' ? '[^\\n]' : part === '\\-' ? '-' : part));
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}
