import { celEquals } from '../../../src/sim/apiserver/cel/equality.js';
import { compile } from '../../../src/sim/apiserver/cel/program.js';
import { CostMeter } from '../../../src/sim/apiserver/cel/runtime-cost.js';
import { parseDuration, parseTimestamp } from '../../../src/sim/apiserver/cel/time-library.js';
import { dynType, type Type, typeFrom } from '../../../src/sim/apiserver/cel/value-types.js';
import { CelList, CelType, CelUint, type CelValue, LiteralMap, typeNameOf } from '../../../src/sim/apiserver/cel/values.js';
import { type Go, text } from './data.js';
import { type LeftOut, leftOutFor, type Row, row } from './row.js';

interface Case {
  readonly name: string;
  readonly expr: string;
  readonly value?: Go;
  readonly evalError?: unknown;
  readonly disableCheck?: boolean;
  readonly container?: string;
  readonly typeEnv?: readonly Go[];
  readonly bindings?: Readonly<Record<string, { readonly value?: Go }>>;
}

interface Suite {
  readonly section: readonly { readonly name: string; readonly test: readonly Case[] }[];
}

const suites = [
  'basic',
  'comparisons',
  'conversions',
  'fields',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'macros2',
  'optionals',
  'parse',
  'string',
  'string_ext',
  'timestamps',
];

const oldFormat: ReadonlySet<string> = new Set([
  'scientific notation formatting clause',
  'default precision for scientific notation',
  'positive infinity support for scientific notation',
  'negative infinity support for scientific notation',
  'NaN support for decimal',
  'positive infinity support for decimal',
  'negative infinity support for decimal',
  'positive infinity support for fixed-point',
  'negative infinity support for fixed-point',
  'list support for string',
  'map support for string',
  'map support (all key types)',
  'dyntype support for scientific notation',
  'dyntype NaN/infinity support',
  'dyntype support for lists',
  'dyntype support for maps',
  'scientific notation formatting clause in a string variable',
  'indexof_out_of_range',
  'lastindexof_out_of_range',
]);

export function celRows(): readonly Row[] {
  return cases()
    .filter(({ each }) => leftOutBecause(each) === undefined)
    .map(({ id, each }) => row(id, () => fault(each)));
}

/** How many rows are left out for each reason. */
export function celLeftOut(): readonly LeftOut[] {
  return leftOutFor(cases().flatMap(({ each }) => leftOutBecause(each) ?? []));
}

function cases(): { readonly id: string; readonly each: Case }[] {
  return suites.flatMap((suite) =>
    (JSON.parse(text(`cel-conformance/${suite}.json`)) as Suite).section.flatMap(({ name, test }) =>
      test.map((each) => ({ id: `${suite}/${name}/${each.name}`, each })),
    ),
  );
}

function leftOutBecause(each: Case): string | undefined {
  const all = JSON.stringify(each);
  if (/TestAllTypes|google\.protobuf\.(?!Timestamp|Duration)|type\.googleapis\.com|NestedEnum/.test(all) && !isTime(each)) {
    return 'about protocol buffers, which the API server has not';
  }
  if (each.container !== undefined) return 'with a container of names, which the API server has not';
  if (/ERROR: <input>:\d+:\d+: expected type/.test(String(compile(each.expr, typesOf(each))))) {
    return 'with lists or maps of several types, which the API server refuses';
  }
  if (oldFormat.has(each.name)) return 'about `format` and `indexOf` as they are in a later version of the library than the server has';
  if (each.disableCheck === true) return 'not checked before it runs, which the API server always does';
  return undefined;
}

function isTime({ expr, value }: Case): boolean {
  return (
    !/google\.protobuf\.(?!Timestamp|Duration)|TestAllTypes|NestedEnum/.test(expr) &&
    /protobuf\.(Timestamp|Duration)/.test(JSON.stringify(value))
  );
}

function typesOf({ typeEnv = [] }: Case): ReadonlyMap<string, Type> {
  return new Map(typeEnv.map((declared) => [String(declared.name), declaredType(declared)]));
}

function fault(each: Case): string | undefined {
  const program = compile(each.expr, typesOf(each));
  if (typeof program === 'string') return each.evalError === undefined ? program : undefined;
  const values = new Map(Object.entries(each.bindings ?? {}).map(([name, { value }]) => [name, celValueOf(value as Go)]));
  let result: CelValue;
  try {
    result = program.evaluate(values, new CostMeter(Number.MAX_SAFE_INTEGER));
  } catch (error) {
    return each.evalError === undefined ? String(error) : undefined;
  }
  if (each.evalError !== undefined) return `should fail: ${JSON.stringify(each.evalError)}`;
  const expected = each.value === undefined ? true : celValueOf(each.value);
  const same = typeNameOf(expected) === typeNameOf(result) && (celEquals(expected, result) || bothNotNumbers(expected, result));
  return same ? undefined : `expected ${shown(expected)}, got ${shown(result)}`;
}

function bothNotNumbers(a: CelValue, b: CelValue): boolean {
  return Number.isNaN(a) && Number.isNaN(b);
}

function shown(value: CelValue): string {
  return `${typeNameOf(value)} ${JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))}`;
}

function declaredType(declared: Go): Type {
  return wireType(((declared.ident as Go | undefined)?.type ?? {}) as Go);
}

function wireType(type: Go): Type {
  if (typeof type.primitive === 'string') {
    return typeFrom(
      { INT64: 'int', UINT64: 'uint', STRING: 'string', BYTES: 'bytes', BOOL: 'bool', DOUBLE: 'double' }[type.primitive] as string,
    );
  }
  const list = type.listType as Go | undefined;
  if (list !== undefined) return { kind: 'list', of: wireType(list.elemType as Go) };
  const map = type.mapType as Go | undefined;
  if (map !== undefined) return { kind: 'map', key: wireType(map.keyType as Go), value: wireType(map.valueType as Go) };
  return dynType;
}

function celValueOf(value: Go): CelValue {
  const [kind, content] = Object.entries(value)[0] as [string, unknown];
  switch (kind) {
    case 'int64Value':
      return BigInt(String(content));
    case 'uint64Value':
      return new CelUint(BigInt(String(content)));
    case 'doubleValue':
      return Number(content);
    case 'bytesValue':
      return Uint8Array.from(Buffer.from(String(content), 'base64'));
    case 'listValue':
      return new CelList(((content as { readonly values?: readonly Go[] }).values ?? []).map(celValueOf));
    case 'mapValue':
      return ((content as { readonly entries?: readonly { readonly key: Go; readonly value: Go }[] }).entries ?? []).reduce(
        (map, entry) => map.add(celValueOf(entry.key), celValueOf(entry.value)),
        new LiteralMap(),
      );
    case 'objectValue':
      return timeOf(content as Go);
    case 'typeValue':
      return new CelType(String(content));
    default:
      return content as null | boolean | string;
  }
}

function timeOf(message: Go): CelValue {
  const content = String(message.value);
  const time = String(message['@type']).endsWith('Duration') ? parseDuration(content) : parseTimestamp(content);
  if (time === undefined) throw new Error(`neither a duration nor a time: ${JSON.stringify(message)}`);
  return time;
}
