import type { JsonSchema } from '../../../src/sim/apiserver/schema/json-schema.js';
import type { Go } from './data.js';
import { schemaOfGo } from './go-schemas.js';

const primitive = (type: string, format?: string): JsonSchema => ({ type, ...(format !== undefined && { format }) }) as JsonSchema;

const primitives: Readonly<Record<string, JsonSchema>> = {
  booleanType: primitive('boolean'),
  byteType: primitive('string', 'byte'),
  dateFormat: primitive('string', 'date'),
  dateTimeFormat: primitive('string', 'date-time'),
  doubleType: primitive('number', 'double'),
  durationFormat: primitive('string', 'duration'),
  floatType: primitive('number', 'float'),
  int32Type: primitive('integer', 'int32'),
  int64Type: primitive('integer', 'int64'),
  integerType: primitive('integer'),
  numberType: primitive('number'),
  stringSchema: primitive('string'),
  stringType: primitive('string'),
};

type Schemas = Readonly<Record<string, unknown>>;

/** A schema that a Go test puts together with its functions. */
export function schemaOf(go: unknown): JsonSchema {
  const { $ref, $call, args = [] } = go as { readonly $ref?: string; readonly $call?: string; readonly args?: readonly unknown[] };
  if ($ref !== undefined) return known(primitives, $ref.replace(/^&/, ''));
  if ($call === undefined) return schemaOfGo(built(go));
  switch ($call) {
    case 'objectType':
    case 'objectTypePtr':
      return objectOf(args[0] as Schemas);
    case 'schemas':
      return objectOf(Object.fromEntries(args.map((each, index) => [`val${index + 1}`, each])));
    case 'listType':
    case 'listTypePtr':
      return listOf('atomic', args[0]);
    case 'listSetType':
      return listOf('set', args[0]);
    case 'listMapType':
    case 'listMapTypePtr':
      return listOf('map', args[1], args[0]);
    case 'arrayType':
      return listOf(String(args[0]), args[2], args[1]);
    case 'mapType':
    case 'mapTypePtr':
      return { type: 'object', additionalProperties: schemaOf(args[0]) } as JsonSchema;
    case 'intOrStringType':
      return { 'x-kubernetes-int-or-string': true } as JsonSchema;
    case 'withRule':
    case 'withRulePtr':
    case 'cloneWithRule':
      return { ...schemaOf(args[0]), 'x-kubernetes-validations': [{ rule: String(args[1]) }] };
    case 'withReasonAndFldPath':
      return { ...schemaOf(args[0]), 'x-kubernetes-validations': [ruleWithReason(args)] };
    case 'withDefault':
      return { ...schemaOf(args[1]), default: valueIn(args[0]) } as JsonSchema;
    case 'withNullable':
    case 'withNullablePtr':
      return { ...schemaOf(args[1]), nullable: args[0] } as JsonSchema;
    case 'genMatchSelectorSchema':
      return { ...matchSelector, 'x-kubernetes-validations': [{ rule: String(args[0]) }] };
    default:
      throw new Error(`a schema that is not known here: ${$call}`);
  }
}

/** Schemas within a literal that the functions of the test have made are put in ready. */
function built(go: unknown): unknown {
  if (Array.isArray(go)) return go.map(built);
  if (go === null || typeof go !== 'object') return go;
  const { $ref } = go as { readonly $ref?: string };
  if ($ref !== undefined && $ref in ruleReasons) return ruleReasons[$ref];
  const members = Object.entries(go as Go).map(([name, each]) => [name, isSchema(each) ? { $schema: schemaOf(each) } : built(each)]);
  return Object.fromEntries(members);
}

function isSchema(go: unknown): boolean {
  if (go === null || typeof go !== 'object') return false;
  const { $call, $ref } = go as Go;
  return (
    (typeof $ref === 'string' && $ref in primitives) ||
    (typeof $call === 'string' && /^(object|map|list|array|with|clone|intOr)/.test($call))
  );
}

function objectOf(properties: Schemas): JsonSchema {
  const members = Object.entries(properties).filter(([name]) => name !== '$type');
  return { type: 'object', properties: Object.fromEntries(members.map(([name, each]) => [name, schemaOf(each)])) } as JsonSchema;
}

function listOf(kind: string, items: unknown, keys?: unknown): JsonSchema {
  return {
    type: 'array',
    items: schemaOf(items),
    ...(kind !== '' && { 'x-kubernetes-list-type': kind }),
    ...(kind === 'map' && { 'x-kubernetes-list-map-keys': keys }),
  } as JsonSchema;
}

const matchSelector = objectOf({
  matchExpressions: {
    $call: 'listType',
    args: [
      {
        $call: 'objectTypePtr',
        args: [
          { key: { $ref: 'stringType' }, operator: { $ref: 'stringType' }, values: { $call: 'listType', args: [{ $ref: 'stringType' }] } },
        ],
      },
    ],
  },
});

const ruleReasons: Readonly<Record<string, string>> = {
  forbiddenReason: 'FieldValueForbidden',
  'apiextensions.FieldValueDuplicate': 'FieldValueDuplicate',
  'apiextensions.FieldValueForbidden': 'FieldValueForbidden',
  'apiextensions.FieldValueRequired': 'FieldValueRequired',
};

function ruleWithReason([, rule, path, reason]: readonly unknown[]) {
  const name = (reason as Go | null)?.$ref;
  return {
    rule: String(rule),
    ...(path !== '' && { fieldPath: String(path) }),
    ...(name !== undefined && { reason: known(ruleReasons, String(name)) }),
  };
}

const constants: Readonly<Record<string, unknown>> = {
  'celconfig.RuntimeCELCostBudget': 10_000_000,
  'math.MaxFloat32': 3.4028234663852886e38,
  'math.MaxFloat64': Number.MAX_VALUE,
  'math.MaxInt32': 2_147_483_647,
  'math.MaxInt64': Number.MAX_SAFE_INTEGER,
};

/** A value that a Go test puts together, as JSON data. */
export function valueIn(go: unknown): unknown {
  if (Array.isArray(go)) return go.map(valueIn);
  if (go === null || typeof go !== 'object') return go;
  const { $ref, $call, args = [] } = go as { readonly $ref?: string; readonly $call?: string; readonly args?: readonly unknown[] };
  if ($ref !== undefined) return known(constants, $ref);
  const values = args.map(valueIn);
  switch ($call) {
    case undefined:
      return Object.fromEntries(
        Object.entries(go)
          .filter(([name]) => name !== '$type')
          .map(([name, each]) => [name, valueIn(each)]),
      );
    case 'objs':
      return Object.fromEntries(values.map((each, index) => [`val${index + 1}`, each]));
    case 'ValsEqualThemselvesAndDataLiteral':
      return `${values[0]} == ${values[2]} && ${values[2]} == ${values[0]} && ${values[0]} == ${values[1]}`;
    case 'fmt.Sprintf':
      return formatted(String(values[0]), values.slice(1));
    case 'float32':
      return Math.fround(Number(values[0]));
    case 'genString':
      return String(values[1]).repeat(Number(values[0]));
    case 'nilInterfaceOfStringSlice':
      return [];
    default:
      throw new Error(`a value that is not known here: ${$call}`);
  }
}

function formatted(format: string, values: readonly unknown[]): string {
  let at = 0;
  return format.replace(/%([dfsv])/g, (_, verb: string) => {
    const value = values[at++];
    return verb === 'f' ? `${BigInt(Math.trunc(Number(value)))}.000000` : String(value);
  });
}

function known<T>(names: Readonly<Record<string, T>>, name: string): T {
  if (!Object.hasOwn(names, name)) throw new Error(`the table's ${name} is not known here`);
  return names[name] as T;
}
