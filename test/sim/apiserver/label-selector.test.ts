import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matchesLabels, parseLabelSelector, type Requirement } from '../../../src/sim/apiserver/label-selector.js';

interface Row {
  readonly In: string;
  readonly Out: unknown;
  readonly Match: boolean;
  readonly Valid: boolean;
}

const file = new URL('../../conformance/data/selectors/labels.json', import.meta.url);
const { tables } = JSON.parse(readFileSync(file, 'utf8')) as { tables: { func: string; var: string; rows: never[] }[] };
const rowsOf = <T>(name: string): readonly T[] => tables.find((table) => table.var === name)?.rows ?? [];

/** What `getRequirement("x", selection.In, sets.NewString("a"))` of the Go table is here. */
function requirementOf(call: {
  readonly args: readonly [string, { readonly $ref: string }, { readonly args: readonly string[] } | null];
}): Requirement {
  const [key, { $ref }, values] = call.args;
  const operators: Readonly<Record<string, Requirement['operator']>> = {
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
  return { key, operator: operators[$ref] as Requirement['operator'], values: [...(values?.args ?? [])].sort() };
}

describe("apimachinery's own table of selectors", () => {
  for (const row of rowsOf<Row>('setSelectorParserTests')) {
    const shown = JSON.stringify(row.In);
    if (!row.Valid) it(`refuses ${shown}`, () => expect(() => parseLabelSelector(row.In)).toThrow());
    else if (Array.isArray(row.Out) && row.Match) {
      const wanted = row.Out.map(requirementOf).sort((a, b) => (a.key < b.key ? -1 : 1));
      it(`reads ${shown}`, () => {
        expect([...parseLabelSelector(row.In)].sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual(wanted);
      });
    }
  }
  it.each(rowsOf<string>('testGoodStrings'))('reads %j', (text) => expect(() => parseLabelSelector(text)).not.toThrow());
  it.each(rowsOf<string>('testBadStrings'))('refuses %j', (text) => expect(() => parseLabelSelector(text)).toThrow());
});

describe('matching labels', () => {
  const matches = (selector: string, labels: Record<string, string> | undefined) => matchesLabels(parseLabelSelector(selector), labels);

  it('lets an object without the key pass != and notin, but not = and in (LW-9)', () => {
    expect(matches('app!=x', {})).toBe(true);
    expect(matches('app notin (x)', undefined)).toBe(true);
    expect(matches('app=x', {})).toBe(false);
    expect(matches('app in (x)', {})).toBe(false);
  });

  it('compares numbers of any length with > and <, and never matches what is no number', () => {
    expect(matches('n>9007199254740992', { n: '9007199254740993' })).toBe(true);
    expect(matches('n<3', { n: '3' })).toBe(false);
    expect(matches('n>1', { n: 'two' })).toBe(false);
  });

  it('takes an empty list for the empty value', () => {
    expect(matches('app in ()', { app: '' })).toBe(true);
    expect(matches('app in ()', { app: 'x' })).toBe(false);
  });

  it('does not find inherited properties among the labels', () => {
    expect(matches('constructor', {})).toBe(false);
    expect(matches('!constructor', {})).toBe(true);
  });
});
