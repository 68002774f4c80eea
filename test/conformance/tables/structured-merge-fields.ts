import { FieldSet } from '../../../src/sim/apiserver/structured-merge/field-set.js';
import { fromFieldsV1, toFieldsV1 } from '../../../src/sim/apiserver/structured-merge/fields-v1.js';
import { PathElementFault, parseElement, pathText } from '../../../src/sim/apiserver/structured-merge/path-element.js';
import { compareValues, type Value } from '../../../src/sim/apiserver/structured-merge/value.js';
import type { JsonValue } from '../../../src/sim/etcd/object.js';
import { file, type Go, rowsOf, type Table } from './data.js';
import { element, type Names, path, set } from './go-literals.js';
import { difference, type Row, row } from './row.js';

const folder = 'structured-merge-diff/tables';

/** The set that one of the tables calls `s1`. */
const names: Names = {
  s1: FieldSet.of(
    [
      ['foo', 0, 'bar', 'baz'],
      ['foo', 0, 'bar'],
      ['foo', 0],
      ['foo', 1, 'bar', 'baz'],
      ['foo', 1, 'bar'],
      ['qux', ['name', 'first']],
      ['qux', ['name', 'first'], 'bar'],
      ['qux', ['name', 'second'], 'bar'],
      ['canonicalOrder', ['a', 'a', 'b', 'a', 'c', 'a', 'd', 'a', 'e', 'a', 'f', 'a']],
    ].map((parts) => parts.map((part) => element(Array.isArray(part) ? { $call: '_KBF', args: part } : part))),
  ),
};

export function fieldRows(): readonly Row[] {
  return [...pathRows(), ...elementRows(), ...setRows(), ...orderRows()];
}

function table(name: string, func: string): Table {
  return file(`${folder}/${name}.json`).tables.find((each) => each.func === func) as Table;
}

function pathRows(): Row[] {
  return rowsOf(table('fieldpath-path', 'TestPathString')).map(([name, values]) =>
    row(`fieldpath-path/${name}`, () => difference(values.expect, pathText(path(values.fp)))),
  );
}

function elementRows(): Row[] {
  const good = ['TestPathElementRoundTrip', 'TestDeserializePathElementSuccess'].flatMap((func) =>
    rowsOf(table('fieldpath-serialize-pe', func)).map(([name, { stringValue, pathElement }]) =>
      row(`fieldpath-serialize-pe/${func}/${name}`, () => {
        const parsed = parseElement(String(stringValue));
        const expected = element(pathElement);
        return difference(expected.text, parsed?.text);
      }),
    ),
  );
  const bad = (table('fieldpath-serialize-pe', 'TestDeserializePathElementError').rows as readonly string[]).map((text) =>
    row(`fieldpath-serialize-pe/error ${text}`, () => {
      try {
        return parseElement(text) === undefined ? undefined : `${text} is read`;
      } catch (error) {
        if (error instanceof PathElementFault) return undefined;
        throw error;
      }
    }),
  );
  const texts = (table('fieldpath-serialize', 'TestSerializeV1GoldenData').rows as readonly string[]).map((text, index) =>
    row(`fieldpath-serialize/golden ${index}`, () => {
      const written = JSON.stringify(toFieldsV1(fromFieldsV1(JSON.parse(text) as JsonValue)));
      return written === text ? undefined : `expected ${text}\n      actual   ${written}`;
    }),
  );
  const untidy = rowsOf(table('fieldpath-serialize', 'TestDeserializeForValidNonNormalized')).map(([name, values]) =>
    row(`fieldpath-serialize/untidy ${name}`, () =>
      difference(
        JSON.parse(String(values.normalizedString)),
        toFieldsV1(fromFieldsV1(JSON.parse(String(values.nonNormalizedString)) as JsonValue)),
      ),
    ),
  );
  return [...good, ...bad, ...texts, ...untidy];
}

function setRows(): Row[] {
  const of = (literal: unknown) => set(literal, names);
  const rows = (func: string, use: (values: Go) => string | undefined | false) =>
    rowsOf(table('fieldpath-set', func)).map(([name, values], index) => row(`fieldpath-set/${func}/${name} ${index}`, () => use(values)));
  return [
    ...rows('TestSetInsertHas', (values) => difference(values.expectMembership ?? false, of(values.set).has(path(values.check)))),
    ...rows('TestSetEquals', (values) => difference(values.equal ?? false, of(values.a).equals(of(values.b)))),
    ...rows('TestSetLeaves', (values) => !of(values.expected).equals(of(values.input).leaves()) && 'other leaves'),
    ...rows('TestSetDifference', ({ a, b, expectDifference, expectRecursiveDifference }) => {
      if (!of(expectDifference).equals(of(a).difference(of(b)))) return 'other difference';
      return !of(expectRecursiveDifference).equals(of(a).recursiveDifference(of(b))) && 'other recursive difference';
    }),
  ];
}

/** Every value of the table against every other: the rows say which is the lesser. */
function orderRows(): Row[] {
  const value = (literal: unknown): Value =>
    literal !== null && typeof literal === 'object' && '$ref' in literal ? undefined : (literal as JsonValue);
  return rowsOf(table('value-less', 'TestValueLess')).map(([name, { a, b, eq }]) =>
    row(`value-less/${name}`, () => {
      const order = Math.sign(compareValues(value(a), value(b)));
      const back = Math.sign(compareValues(value(b), value(a)));
      if (eq === true) return order === 0 && back === 0 ? undefined : 'not equal';
      return order < 0 && back > 0 ? undefined : 'in another order';
    }),
  );
}
