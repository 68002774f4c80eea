import { parseFieldSelector } from '../../../src/sim/apiserver/field-selector.js';
import { matchesLabels, parseLabelSelector, type Requirement } from '../../../src/sim/apiserver/label-selector.js';
import { type LabelSelector, selectorText } from '../../../src/sim/apiserver/object-selector.js';
import type { StatusCause } from '../../../src/sim/apiserver/request.js';
import { checkSelector } from '../../../src/sim/apiserver/validation/checks.js';
import { file, type Go, rowsOf, type Table } from './data.js';
import { evaluate, withJsonNames } from './go-constants.js';
import { difference, type Row, row } from './row.js';

/** Operators that objects' selectors have. */
const written: Readonly<Record<string, string>> = {
  'selection.In': 'In',
  'selection.NotIn': 'NotIn',
  'selection.Exists': 'Exists',
  'selection.DoesNotExist': 'DoesNotExist',
};

/** Operators that a selector in a query comes to. */
const parsed: Readonly<Record<string, Requirement['operator']>> = {
  'selection.In': 'in',
  'selection.Equals': 'in',
  'selection.DoubleEquals': 'in',
  'selection.NotIn': 'notin',
  'selection.NotEquals': 'notin',
  'selection.Exists': 'exists',
  'selection.DoesNotExist': '!',
  'selection.GreaterThan': 'gt',
  'selection.LessThan': 'lt',
};

/** Label and field selectors: as texts of a query and as members of objects. */
export function selectorRows(): readonly Row[] {
  return ['labels', 'fields', 'labelselector-helpers'].flatMap((name) =>
    file(`selectors/${name}.json`).tables.flatMap((table) =>
      rowsOf(table).flatMap(([id, go], index) => {
        const check = checkOf(name, table, go, id);
        return check === undefined ? [] : [row(`${name}/${table.func}/${table.var}/${id || index}/${index}`, check)];
      }),
    ),
  );
}

function checkOf(file: string, { func, var: name }: Table, go: Go, id: string): (() => string | undefined) | undefined {
  const parse = file === 'fields' ? parseFieldSelector : parseLabelSelector;
  switch (`${func} ${name}`) {
    case 'TestSelectorParse testGoodStrings':
      return () => accepts(parse, go as unknown as string, true);
    case 'TestSelectorParse testBadStrings':
      return () => accepts(parse, go as unknown as string, false);
    case 'TestSetSelectorParser setSelectorParserTests':
      return () => (go.Valid === true ? parsedAs(String(go.In), go) : accepts(parse, String(go.In), false));
    case 'TestRequirementConstructor requirementConstructorTests':
      return operatorOf(go.Op) in written ? () => constructed(go) : undefined;
    case 'TestToString toStringTests':
      return isWritten(go.In) ? () => difference(go.Out, selectorText({ matchExpressions: (go.In as Go[]).map(expressionOf) })) : undefined;
    case 'TestRequirementSelectorMatching labelSelectorMatchingTests':
      return isKnown(go.Sel) ? () => matching(go) : undefined;
    case 'TestSetSelectorString cases':
      return () => difference(go.out, selectorText(evaluate(go.set) as Readonly<Record<string, string>>));
    case 'TestSplitTerm testcases':
      return () => term(id, go);
    case 'TestEscapeValue testcases':
      return () => difference(id, parseFieldSelector(`a=${go as unknown as string}`)[0]?.value);
    case 'TestEscapeValue invalidTestcases':
      return () => accepts(parse, `a=${go as unknown as string}`, false);
    case 'TestLabelSelectorAsSelector tc':
      return () => asSelector(go);
    default:
      return undefined;
  }
}

function accepts(parse: (text: string) => unknown, text: string, good: boolean): string | undefined {
  try {
    parse(text);
    return good ? undefined : 'should be refused';
  } catch (error) {
    return good ? String(error) : undefined;
  }
}

function operatorOf(go: unknown): string {
  return String((go as Go | undefined)?.$ref);
}

/** `getRequirement("x", selection.In, sets.NewString("a"), t)` */
function isKnown(list: unknown): list is Go[] {
  return Array.isArray(list) && list.every((each) => (each as Go).$call === 'getRequirement');
}

function isWritten(list: unknown): boolean {
  return isKnown(list) && list.every((each) => operatorOf((each.args as unknown[])[1]) in written);
}

function argumentsOf(go: Go): { readonly key: string; readonly operator: string; readonly values: readonly string[] } {
  const [key, operator, values] = go.args as readonly [string, Go, Go | null];
  return { key, operator: operatorOf(operator), values: (values?.args ?? []) as readonly string[] };
}

function expressionOf(go: Go): { readonly key: string; readonly operator: string; readonly values: readonly string[] } {
  const { key, operator, values } = argumentsOf(go);
  return { key, operator: String(written[operator]), values };
}

function requirementOf(go: Go): Requirement {
  const { key, operator, values } = argumentsOf(go);
  return { key, operator: parsed[operator] as Requirement['operator'], values: [...values].sort() };
}

/** Rows that do not match are about the order, in which no server looks. */
function parsedAs(text: string, go: Go): string | undefined {
  if (go.Match !== true) return accepts(parseLabelSelector, text, true);
  const wanted = isKnown(go.Out) ? go.Out.map(requirementOf) : [];
  const sorted = (list: readonly Requirement[]) => [...list].sort((a, b) => (a.key < b.key ? -1 : 1));
  return difference(sorted(wanted), sorted(parseLabelSelector(text)));
}

function constructed(go: Go): string | undefined {
  const faults: StatusCause[] = [];
  const values = go.Vals === undefined ? undefined : ((evaluateSet(go.Vals) ?? []) as readonly string[]);
  const expression = {
    key: String(evaluate(go.Key)),
    operator: String(written[operatorOf(go.Op)]),
    ...(values !== undefined && { values }),
  };
  checkSelector(faults, 'selector', { matchExpressions: [expression] });
  const good = go.WantErr === undefined || go.WantErr === null;
  return good === (faults.length === 0) ? undefined : JSON.stringify(faults);
}

function evaluateSet(go: unknown): unknown {
  return evaluate((go as Go).args);
}

function matching({ Set: labels, Sel, Match }: Go): string | undefined {
  const requirements = (Sel as Go[]).map(requirementOf);
  return difference(Match, matchesLabels(requirements, evaluate(labels) as Readonly<Record<string, string>>));
}

function term(text: string, go: Go): string | undefined {
  if (go.ok !== true) return text === '' ? undefined : accepts(parseFieldSelector, text, false);
  // The value is read further: whatever Go would refuse there is not the term's fault.
  const { rhs, lhs, op } = go as { readonly rhs: string; readonly lhs: string; readonly op: string };
  if (/\\(?![\\,=])|\\$/.test(rhs.replaceAll('\\\\', ''))) return accepts(parseFieldSelector, text, false);
  const [found] = parseFieldSelector(text);
  return difference([lhs, op !== '!='], [found?.field, found?.equal]);
}

const names: Go = {
  matchLabels: { foo: 'bar' },
  matchExpressions: [{ Key: 'baz', Operator: 'In', Values: ['qux', 'norf'] }],
};

function asSelector(go: Go): string | undefined {
  if (go.in === null) return difference('', selectorText(undefined));
  const selector = withJsonNames(evaluate(go.in, names)) as LabelSelector;
  const labels = Object.entries((evaluate(go.in, names) as Go).MatchLabels ?? {});
  const whole = labels.length === 0 ? selector : { ...selector, matchLabels: Object.fromEntries(labels) as Record<string, string> };
  if (go.expectErr === true) {
    const faults: StatusCause[] = [];
    checkSelector(faults, 'selector', whole);
    return faults.length > 0 ? undefined : 'should be refused';
  }
  const call = go.out as Go;
  return difference(call.$call === 'labels.Everything' ? '' : (call.args as readonly string[])[0], selectorText(whole));
}
