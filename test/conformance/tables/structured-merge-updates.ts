import { parse, stringify } from 'yaml';
import { compare } from '../../../src/sim/apiserver/structured-merge/comparison.js';
import { FieldSet } from '../../../src/sim/apiserver/structured-merge/field-set.js';
import { merge } from '../../../src/sim/apiserver/structured-merge/merging.js';
import { pathText } from '../../../src/sim/apiserver/structured-merge/path-element.js';
import { extractItems } from '../../../src/sim/apiserver/structured-merge/removing.js';
import type { TypedValue } from '../../../src/sim/apiserver/structured-merge/typed-value.js';
import {
  applied,
  Conflicts,
  type Managers,
  ownersAfterUpdate,
  type Versions,
} from '../../../src/sim/apiserver/structured-merge/updating.js';
import { asTyped } from '../../../src/sim/apiserver/structured-merge/validation.js';
import { isMap } from '../../../src/sim/apiserver/structured-merge/value.js';
import type { JsonValue } from '../../../src/sim/etcd/object.js';
import { file, type Go, rowsOf } from './data.js';
import { managers, type Names, path, plain, set } from './go-literals.js';
import { deducedParser, type Parser, parser } from './merge-schema.js';
import { type Row, row } from './row.js';

const folder = 'structured-merge-diff/tables';
const files = [
  'merge-deduced',
  'merge-default_keys',
  'merge-duplicates',
  'merge-extract_apply',
  'merge-field_level_overrides',
  'merge-ignore',
  'merge-key',
  'merge-leaf',
  'merge-multiple_appliers',
  'merge-nested',
  'merge-preserve_unknown',
  'merge-schema_change',
  'merge-set',
];

type Converter = (parserNow: Parser, value: TypedValue, version: string) => TypedValue | undefined;

/** Which schema and which conversion a table is played with, where that is not the one schema of its file and none. */
const uses: Readonly<Record<string, { readonly parser?: string; readonly converter?: Converter }>> = {
  TestDefaultKeysFlat: { parser: 'portListParser' },
  TestDefaultKeysFlatErrors: { parser: 'portListParser' },
  TestDefaultKeysNested: { parser: 'bookParser' },
  TestIgnoreFilter: { parser: 'deduced' },
  TestIgnoredFields: { parser: 'deduced' },
  TestFilteredFieldsUsesVersions: { parser: 'nestedTypeParser', converter: repeating },
  TestDeduced: { parser: 'deduced' },
  TestMultipleAppliersSet: { parser: 'associativeListParser' },
  testMultipleAppliersFieldUnsetting: { parser: 'structMultiversionParser', converter: renaming },
  TestMultipleAppliersNestedType: { parser: 'nestedTypeParser' },
  TestMultipleAppliersDeducedType: { parser: 'deduced' },
  TestMultipleAppliersRealConversion: { parser: 'nestedTypeParser', converter: repeating },
  testMultipleAppliersFieldRenameConversions: { parser: 'structMultiversionParser', converter: renaming },
  TestMultipleApplierAtomicMaps: { parser: 'atomicMapParser' },
  TestGranularToAtomicSchemaChanges: { parser: 'structParser' },
  TestAtomicToGranularSchemaChanges: { parser: 'structWithAtomicParser' },
  TestAssociativeListSchemaChanges: { parser: 'associativeListParserOld' },
  TestPromoteFieldToAssociativeListKey: { parser: 'associativeListParserPromoteKeyBefore' },
};

/** The version says how often each letter of a field's name stands: `a` in v1 is `aaa` in v3. */
function repeating(of: Parser, value: TypedValue, version: string): TypedValue | undefined {
  const times = Number(/^v(\d+)$/.exec(version)?.[1] ?? Number.NaN);
  if (Number.isNaN(times)) return undefined;
  const renamed = (inner: JsonValue, depth: number): JsonValue =>
    isMap(inner)
      ? Object.fromEntries(
          Object.entries(inner).map(([key, each]) => [depth === 0 ? key : (key[0] as string).repeat(times), renamed(each, depth + 1)]),
        )
      : inner;
  return asTyped(renamed(value.value ?? null, 0), of.schema, of.typeFor(version), 'refused');
}

/** The version is the end of each field's name. */
function renaming(of: Parser, value: TypedValue, version: string): TypedValue | undefined {
  const from = value.type.name as string;
  const renamed = (inner: JsonValue): JsonValue => {
    if (Array.isArray(inner)) return inner.map((each: JsonValue) => renamed(each));
    if (!isMap(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, each]) => [key.endsWith(from) ? key.slice(0, -from.length) + version : key, renamed(each)]),
    );
  };
  return asTyped(renamed(value.value ?? null), of.schema, of.typeFor(version), 'refused');
}

const parsers: Record<string, Parser> = { deduced: deducedParser };

export function updateRows(): readonly Row[] {
  for (const name of files) {
    for (const [parserName, text] of Object.entries(file(`${folder}/${name}.json`).parsers ?? {})) parsers[parserName] = parser(text);
  }
  return files.flatMap((name) => {
    const { tables, parsers: own = {} } = file(`${folder}/${name}.json`);
    return tables.flatMap((table) => {
      const func = String(table.func);
      if (table.var === 'versions' || func === 'TestMultipleAppliersReliantFieldsConversions') return [];
      return rowsOf(table).flatMap(([rowName, values]) => {
        if (rowName === 'apply_does_not_steal_ignored') return [];
        const use = uses[func] ?? {};
        const of = parsers[use.parser ?? (Object.keys(own)[0] as string)] as Parser;
        return namesFor(values).map((names) =>
          row(`${name}/${func}/${rowName}${Object.keys(names).length === 0 ? '' : ` ${Object.values(names).join('-')}`}`, () =>
            new State(of, use.converter, values, names).play(),
          ),
        );
      });
    });
  });
}

/** Rows that name versions v1, v2 and v3 are played with every choice of them. */
function namesFor(values: Go): readonly Names[] {
  if (!JSON.stringify(values).includes('"$ref":"v1"')) return [{}];
  const versions = ['v1', 'v2', 'v3'];
  return versions.flatMap((v1) => versions.flatMap((v2) => versions.map((v3) => ({ v1, v2, v3 }))));
}

class State {
  #live: TypedValue | undefined;
  #managers: Managers = new Map();

  constructor(
    public parser: Parser,
    readonly converter: Converter | undefined,
    readonly values: Go,
    readonly names: Names,
  ) {}

  play(): string | undefined {
    const ops = this.values.Ops as readonly Go[];
    for (const [index, op] of ops.entries()) {
      const fault = this.#operate(op);
      if (fault !== undefined) {
        const expected = this.values.RequiresError ?? this.#expectsError();
        return expected === true && index === ops.length - 1 ? undefined : `operation ${index}: ${fault}`;
      }
    }
    if (this.#expectsError()) return 'the last operation should have failed';
    return this.#objectFault() ?? this.#managersFault();
  }

  #expectsError(): boolean {
    return this.values.Object === undefined && this.values.Managed === undefined;
  }

  #objectFault(): string | undefined {
    if (this.values.Object === undefined) return undefined;
    const version = String(plain(this.values.APIVersion, this.names));
    const expected = this.#typed(this.values.Object, version, 'allowed');
    const { added, modified, removed } = compare(this.#convert(this.#live as TypedValue, version) as TypedValue, expected);
    const all = [...added.paths(), ...modified.paths(), ...removed.paths()];
    return all.length === 0 ? undefined : `live differs at ${all.map(pathText).join(' ')}: ${stringify(this.#live?.value)}`;
  }

  #managersFault(): string | undefined {
    for (const [manager, { set: fields }] of this.#managers) if (fields.isEmpty) return `${manager} owns nothing`;
    if (this.values.Managed === undefined) return undefined;
    const expected = managers(this.values.Managed, this.names);
    for (const manager of new Set([...expected.keys(), ...this.#managers.keys()])) {
      const a = expected.get(manager);
      const b = this.#managers.get(manager);
      const same = a !== undefined && b !== undefined ? a.apiVersion === b.apiVersion && a.set.equals(b.set) : (a ?? b)?.set.isEmpty;
      if (!same) return `${manager}: expected ${shown(a?.set)} in ${a?.apiVersion}, is ${shown(b?.set)} in ${b?.apiVersion}`;
    }
    return undefined;
  }

  #operate(op: Go): string | undefined {
    const version = String(plain(op.APIVersion, this.names));
    const manager = String(op.Manager);
    try {
      switch (String(op.$type).replace(/^.*\./, '')) {
        case 'Update':
          this.#update(this.#typed(op.Object, version, 'allowed'), version, manager);
          break;
        case 'Apply':
          return this.#applyExpecting(this.#typed(op.Object, version, 'refused'), version, manager, op.Conflicts as readonly Go[]);
        case 'ForceApply':
          this.#apply(this.#typed(op.Object, version, 'refused'), version, manager, true);
          break;
        case 'ExtractApply':
          this.#extractApply(this.#typed(op.Object, version, 'refused'), version, manager);
          break;
        case 'ChangeParser':
          this.#changeParser(op.Parser);
          break;
        default:
          throw new Error(`no operation ${op.$type}`);
      }
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #typed(object: unknown, version: string, duplicates: 'allowed' | 'refused'): TypedValue {
    const lines = String(plain(object, this.names)).split('\n');
    const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^\t*/.exec(line)?.[0].length ?? 0));
    const text = lines.map((line) => line.slice(indent)).join('\n');
    const value = (parse(text.replaceAll('\t', '  '), { uniqueKeys: false }) ?? null) as JsonValue;
    return asTyped(value, this.parser.schema, this.parser.typeFor(version), duplicates);
  }

  #convert(value: TypedValue, version: string): TypedValue | undefined {
    return this.converter === undefined ? value : this.converter(this.parser, value, version);
  }

  #versions(): Versions {
    const exclude = (this.values.IgnoreFilter ?? this.values.IgnoredFields ?? {}) as Readonly<Record<string, Go>>;
    return {
      convert: (value, version) => this.#convert(value, version),
      filter: (fields, version) => {
        const literal = exclude[version];
        if (literal === undefined) return fields;
        const call = String(literal.$call);
        return fields.recursiveDifference(set(call.endsWith('NewExcludeSetFilter') ? (literal.args as unknown[])[0] : literal));
      },
    };
  }

  #liveIn(version: string): TypedValue {
    this.#live ??= asTyped(null, this.parser.schema, this.parser.typeFor(version), 'allowed');
    return this.#convert(this.#live, version) as TypedValue;
  }

  #update(object: TypedValue, version: string, manager: string): void {
    const live = this.#liveIn(version);
    this.#managers = ownersAfterUpdate(this.#versions(), live, object, version, this.#managers, manager);
    this.#live = object;
  }

  #apply(object: TypedValue, version: string, manager: string, force: boolean): void {
    const live = this.#liveIn(version);
    this.#live = live;
    const result = applied(this.#versions(), live, object, version, this.#managers, manager, force);
    this.#managers = result.managers;
    if (result.next !== undefined) this.#live = result.next;
  }

  #applyExpecting(object: TypedValue, version: string, manager: string, conflicts: readonly Go[] | undefined): string | undefined {
    let found: readonly string[] = [];
    try {
      this.#apply(object, version, manager, false);
    } catch (error) {
      if (!(error instanceof Conflicts)) throw error;
      found = error.conflicts.map((conflict) => `${conflict.manager}${pathText(conflict.path)}`);
      if (conflicts === undefined) return `conflicts ${found.join(' ')}`;
    }
    const wanted = (conflicts ?? []).map((each) => `${plain(each.Manager, this.names)}${pathText(path(each.Path, this.names))}`);
    const same = [...wanted].sort().join('\n') === [...found].sort().join('\n');
    return same ? undefined : `expected conflicts ${wanted.join(' ')}, found ${found.join(' ')}`;
  }

  #extractApply(object: TypedValue, version: string, manager: string): void {
    if (this.#live === undefined) {
      this.#apply(object, version, manager, true);
      return;
    }
    const owned = this.#managers.get(manager);
    if (owned !== undefined && owned.apiVersion !== version) throw new Error('cannot extract what is owned in another version');
    const extracted = extractItems(this.#convert(this.#live, version) as TypedValue, owned?.set.leaves() ?? new FieldSet());
    this.#apply(merge(extracted, object), version, manager, true);
  }

  #changeParser(literal: unknown): void {
    this.parser = parsers[String((literal as Go).$ref)] as Parser;
    const live = this.#live as TypedValue;
    this.#live = asTyped(live.value, this.parser.schema, live.type, 'refused');
  }
}

function shown(fields: FieldSet | undefined): string {
  return fields === undefined ? 'nothing' : [...fields.paths()].map(pathText).join(' ');
}
