import { parse } from 'yaml';
import { compare } from '../../../src/sim/apiserver/structured-merge/comparison.js';
import { fieldsOf } from '../../../src/sim/apiserver/structured-merge/fields-of.js';
import { merge } from '../../../src/sim/apiserver/structured-merge/merging.js';
import { reconciled } from '../../../src/sim/apiserver/structured-merge/reconciling.js';
import { extractItems, removeItems } from '../../../src/sim/apiserver/structured-merge/removing.js';
import { type TypedValue, TypeFaults } from '../../../src/sim/apiserver/structured-merge/typed-value.js';
import { asTyped } from '../../../src/sim/apiserver/structured-merge/validation.js';
import type { JsonValue } from '../../../src/sim/etcd/object.js';
import { file, type Go, rowsOf, type Table } from './data.js';
import { set } from './go-literals.js';
import { deducedParser, type Parser, parser } from './merge-schema.js';
import { difference, type Row, row } from './row.js';

const folder = 'structured-merge-diff/tables';

function typed(of: Parser, type: string, text: unknown, duplicates: 'allowed' | 'refused' = 'allowed'): TypedValue {
  // Some rows have one brace too many, which their own reader does not mind.
  const tidy = String(text).replace(/^(\{.*\})\}$/, (whole, inner: string) => (isJson(inner) ? inner : whole));
  const value = text === '' ? null : (parse(tidy, { uniqueKeys: false }) as JsonValue);
  return asTyped(value, of.schema, of.typeFor(type), duplicates);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const paths = (of: { paths(): Iterable<readonly { readonly text: string }[]> }) =>
  [...of.paths()].map((path) => path.map(({ text }) => text).join('/')).sort();

/** Calls `use` for each inner row of the tables of a file that have a schema of their own. */
function withSchemas(name: string, inner: string, use: (of: Parser, type: string, values: Go) => string | undefined): Row[] {
  return file(`${folder}/${name}.json`).tables.flatMap((table: Table) =>
    rowsOf(table).flatMap(([rowName, values]) => {
      if (values[inner] === undefined) return [];
      const of = parser(String(values.schema));
      return (values[inner] as readonly Go[]).map((each, index) =>
        row(`${name}/${rowName}/${inner} ${index}`, () => use(of, String(values.rootTypeName), each)),
      );
    }),
  );
}

function symmetricDifference(of: Parser, type: string, { lhs, rhs, removed, modified, added }: Go): string | undefined {
  const actual = compare(typed(of, type, lhs), typed(of, type, rhs));
  return difference(
    { removed: paths(set(removed)), modified: paths(set(modified)), added: paths(set(added)) },
    { removed: paths(actual.removed), modified: paths(actual.modified), added: paths(actual.added) },
  );
}

function merged(of: Parser, type: string, lhs: unknown, rhs: unknown, out: unknown): string | undefined {
  const actual = merge(typed(of, type, lhs), typed(of, type, rhs)).value;
  return difference(typed(of, type, out).value, actual);
}

function removal(of: Parser, type: string, { object, set: items, removeOutput, extractOutput }: Go): string | undefined {
  const value = typed(of, type, object);
  const check = (text: unknown, actual: TypedValue) =>
    // What is called unparseable has a null in a list, and is not compared.
    text === 'unparseable' ? undefined : difference(text === '' || text === undefined ? null : parse(String(text)), actual.value);
  return check(removeOutput, removeItems(value, set(items))) ?? check(extractOutput, extractItems(value, set(items)));
}

function validity(): Row[] {
  return rowsOf(file(`${folder}/typed-validate.json`).tables[0] as Table).flatMap(([name, values]) => {
    const of = parser(String(values.schema));
    const type = String(values.rootTypeName);
    const check = (text: unknown, duplicates: 'allowed' | 'refused') => {
      try {
        typed(of, type, text, duplicates);
        return true;
      } catch (error) {
        if (error instanceof TypeFaults) return false;
        throw error;
      }
    };
    const list = (key: string) => (values[key] ?? []) as readonly unknown[];
    return [
      ...list('validObjects').map((text, index) =>
        row(`typed-validate/${name}/valid ${index}`, () => (check(text, 'refused') ? undefined : `${text} is refused`)),
      ),
      ...list('invalidObjects').map((text, index) =>
        row(`typed-validate/${name}/invalid ${index}`, () => (check(text, 'refused') ? `${text} is accepted` : undefined)),
      ),
      ...list('duplicatesObjects').map((text, index) =>
        row(`typed-validate/${name}/duplicates ${index}`, () =>
          check(text, 'allowed') && !check(text, 'refused') ? undefined : `${text} is not a matter of duplicates`,
        ),
      ),
    ];
  });
}

function deduced(): Row[] {
  return file(`${folder}/typed-deduced.json`).tables.flatMap((table) =>
    (table.rows as readonly unknown[]).map((values, index) =>
      row(`typed-deduced/${table.func} ${index}`, () => {
        switch (table.func) {
          case 'TestValidateDeducedType':
            typed(deducedParser, '', values);
            return undefined;
          case 'TestMergeDeduced': {
            const [lhs, rhs, out] = values as readonly string[];
            return merged(deducedParser, '', lhs, rhs, out);
          }
          case 'TestToSetDeduced': {
            const [object, fields] = values as readonly unknown[];
            return difference(paths(set(fields)), paths(fieldsOf(typed(deducedParser, '', object))));
          }
          default:
            return symmetricDifference(deducedParser, '', values as Go);
        }
      }),
    ),
  );
}

/** The two schemas of the table of changed schemas; they differ in relationships alone. */
function changedSchemas(): Row[] {
  const schemaText = (relationships: Readonly<Record<'struct' | 'list' | 'objectList' | 'stringMap', string>>) => `types:
- name: v1
  map:
    fields:
      - {name: struct, type: {namedType: struct}}
      - {name: list, type: {namedType: list}}
      - {name: objectList, type: {namedType: objectList}}
      - {name: stringMap, type: {namedType: stringMap}}
      - {name: unchanged, type: {namedType: unchanged}}
- name: struct
  map:
    fields: [{name: numeric, type: {scalar: numeric}}, {name: string, type: {scalar: string}}]
    elementRelationship: ${relationships.struct}
- name: list
  list: {elementType: {scalar: string}, elementRelationship: ${relationships.list}}
- name: objectList
  list:
    elementType: {namedType: listItem}
    elementRelationship: ${relationships.objectList}
    keys: [keyA, keyB]
- name: listItem
  map:
    fields: [{name: keyA, type: {scalar: string}}, {name: keyB, type: {scalar: string}}, {name: value, type: {scalar: numeric}}]
- name: stringMap
  map: {elementType: {scalar: string}, elementRelationship: ${relationships.stringMap}}
- name: unchanged
  map: {fields: [{name: numeric, type: {scalar: numeric}}]}
- name: emptyWithPreserveUnknown
  map: {fields: [{name: preserveField, type: {map: {elementType: {namedType: __untyped_deduced_}}}}]}
- name: populatedWithPreserveUnknown
  map:
    fields:
      - name: preserveField
        type:
          map: {fields: [{name: list, type: {namedType: list}}], elementType: {namedType: __untyped_deduced_}}
`;
  const schemas = {
    granularSchema: parser(schemaText({ struct: 'separable', list: 'associative', objectList: 'associative', stringMap: 'separable' })),
    atomicSchema: parser(schemaText({ struct: 'atomic', list: 'atomic', objectList: 'atomic', stringMap: 'atomic' })),
  };
  return rowsOf(file(`${folder}/typed-reconcile_schema.json`).tables[0] as Table)
    .filter(([, values]) => String((values.newSchema as Go).$call) in schemas)
    .map(([name, values]) =>
      row(`typed-reconcile_schema/${name}`, () => {
        const of = schemas[String((values.newSchema as Go).$call) as keyof typeof schemas];
        const before = set(values.oldFields);
        const expected = values.fixedFields === undefined || values.fixedFields === null ? before : set(values.fixedFields);
        return difference(paths(expected), paths(reconciled(before, of.schema, of.typeFor(String(values.rootTypeName)))));
      }),
    );
}

export function typedRows(): readonly Row[] {
  return [
    ...validity(),
    ...deduced(),
    ...changedSchemas(),
    ...withSchemas('typed-merge', 'triplets', (of, type, { lhs, rhs, out }) => merged(of, type, lhs, rhs, out)),
    ...withSchemas('typed-symdiff', 'quints', symmetricDifference),
    ...withSchemas('typed-toset', 'pairs', (of, type, { object, set: fields }) =>
      difference(paths(set(fields)), paths(fieldsOf(typed(of, type, object)))),
    ),
    ...withSchemas('typed-remove', 'quadruplets', removal),
  ];
}
