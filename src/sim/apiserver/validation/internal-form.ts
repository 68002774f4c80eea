import { internalFormText } from '../data/internal-forms.js';
import { goJson, inKeyOrder } from '../field-errors.js';
import { setMember } from '../json.js';
import type { Fields } from './checks.js';
import { lineDiff } from './line-diff.js';

/**
 * A value as the server holds it: Go's names of fields, in their order, all of them (FE-7). A form lists its fields, each with a
 * sign: `s` text, `i` number, `b` boolean, `q` quantity, `n` anything that is null when absent, `j` what prints as it was sent; or
 * the name of another form, after `*` null when absent, after `[` a list, after `{` a map. `^` takes the fields of another form in.
 */
export function internalForm(name: string, value: Fields | undefined): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  fillForm(result, name, value ?? {});
  return result;
}

/** The internal forms of two values, line by line (TK-10). */
export function internalDiff(name: string, before: Fields | undefined, after: Fields | undefined): string {
  return lineDiff(indented(internalForm(name, before)), indented(internalForm(name, after)));
}

let forms: Readonly<Record<string, readonly string[]>> | undefined;

function fillForm(result: Record<string, unknown>, name: string, sent: Fields): void {
  forms ??= JSON.parse(internalFormText) as Record<string, readonly string[]>;
  const value = name === 'core.PodSpec' ? asInternalPod(sent) : sent;
  const byName = new Map(Object.keys(value).map((key) => [key.toLowerCase(), value[key]]));
  for (const entry of forms[name] ?? []) {
    if (entry === '^j') Object.assign(result, value.metadata);
    else if (entry.startsWith('^')) fillForm(result, entry.slice(1), value);
    else {
      const [field = '', sign = ''] = entry.split(' ');
      setMember(result, field, memberOf(sign, byName.get(field.toLowerCase())) as never);
    }
  }
}

function memberOf(sign: string, value: unknown): unknown {
  switch (sign) {
    case 's':
      return value ?? '';
    case 'i':
      return value ?? 0;
    case 'b':
      return value ?? false;
    case 'q':
      return value ?? '0';
    case 'n':
      return inKeyOrder(value ?? null);
    case 'j':
      return value ?? {};
  }
  switch (sign[0]) {
    case '*':
      return value === undefined || value === null ? null : internalForm(sign.slice(1), value as Fields);
    case '[':
      return Array.isArray(value) ? value.map((element) => internalForm(sign.slice(1), element)) : null;
    case '{':
      return value === undefined || value === null
        ? null
        : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, internalForm(sign.slice(1), member as Fields)]));
    default:
      return internalForm(sign, value as Fields | undefined);
  }
}

/** The internal PodSecurityContext has what clients find in the spec. */
function asInternalPod(spec: Fields): Fields {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext, ...rest } = spec;
  return { ...rest, securityContext: { ...securityContext, hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } };
}

/** JSON over many lines as Go indents it, with one blank for each level. */
function indented(value: unknown): string {
  return escaped(JSON.stringify(value, null, 1));
}

function escaped(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (mark) => goJson(mark).slice(1, -1));
}
