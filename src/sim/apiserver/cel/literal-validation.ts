import { GoRegExpError, goRegExp } from '../schema/go-regexp.js';
import { childrenOf, type Expr } from './ast.js';
import { CelIssue } from './issue.js';
import { parseDuration, parseTimestamp } from './time-library.js';
import { dynType, heldBy, sameType, type Type, typeText } from './value-types.js';
import { CelError } from './values.js';

/**
 * Literals that could never be what they are used as (CD-44): durations, timestamps, patterns; and lists and maps of several
 * types, which only `format` may be given.
 */
export function literalIssues(expr: Expr, mayMix = false): readonly CelIssue[] {
  const mix = mayMix || (expr.kind === 'call' && expr.fn === 'format');
  const issues = childrenOf(expr).flatMap((child) => literalIssues(child, mix));
  if (!mix && expr.kind === 'list') issues.push(...mixed(expr.elements, (index) => expr.optional.has(index)));
  if (!mix && expr.kind === 'map') {
    issues.push(...mixed(expr.entries.map(({ key }) => key)));
    issues.push(
      ...mixed(
        expr.entries.map(({ value }) => value),
        (index) => expr.entries[index]?.optional === true,
      ),
    );
  }
  if (expr.kind !== 'call') return issues;
  const literal = expr.fn === 'matches' ? expr.args.at(-1) : expr.args.length === 1 ? expr.args[0] : undefined;
  if (literal?.kind !== 'const' || typeof literal.value !== 'string') return issues;
  return isSound(expr.fn, literal.value) ? issues : [...issues, new CelIssue(`invalid ${expr.fn} argument`, literal.at)];
}

/** The first that is not of the type of those before it. */
function mixed(exprs: readonly Expr[], optional: (index: number) => boolean = () => false): readonly CelIssue[] {
  const types = exprs.map(({ type = dynType }, index) => (optional(index) ? (heldBy(type) ?? type) : type));
  const wrong = types.findIndex((type) => !sameType(type, types[0] as Type));
  if (wrong < 0) return [];
  const text = `expected type '${typeText(types[0] as Type)}' but found '${typeText(types[wrong] as Type)}'`;
  return [new CelIssue(text, (exprs[wrong] as Expr).at)];
}

function isSound(fn: string, text: string): boolean {
  try {
    if (fn === 'duration') return parseDuration(text) !== undefined;
    if (fn === 'timestamp') return parseTimestamp(text) !== undefined;
    if (fn === 'matches') goRegExp(text);
    return true;
  } catch (error) {
    if (error instanceof CelError || error instanceof GoRegExpError) return false;
    throw error;
  }
}
