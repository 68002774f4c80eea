import { parse } from 'yaml';
import type { StatusCause } from '../../../src/sim/apiserver/request.js';
import { compileSchema } from '../../../src/sim/apiserver/schema/compile.js';
import { fieldPath } from '../../../src/sim/apiserver/schema/field-path.js';
import type { JsonSchema } from '../../../src/sim/apiserver/schema/json-schema.js';
import { type RuleRun, ruleFaults } from '../../../src/sim/apiserver/schema/rules.js';
import { deepFreeze, type JsonValue } from '../../../src/sim/etcd/object.js';
import { schemaOf, valueIn } from './cel-builders.js';
import { file, type Go, rowsOf } from './data.js';
import { difference, type Row, row } from './row.js';

/** Rules in schemas: what they let pass, what they say, and what they cost. */
export function celRuleRows(): readonly Row[] {
  return file('structural-schema/cel-validation.json').tables.flatMap((table) =>
    rowsOf(table).flatMap(([id, go]) => {
      const check = checks[String(table.func)];
      return check === undefined || leftOut.has(id) ? [] : [row(`cel-validation/${table.func}/${id}`, () => check(go))];
    }),
  );
}

/** See the players' list. */
const leftOut: ReadonlySet<string> = new Set([
  'integers',
  'unicode strings',
  'date-time format',
  'conversions',
  'list access',
  'embedded object with usage of reserved keywords',
  'preserve unknown fields',
  'escaping',
  'listMaps with unsupported identity characters in property names',
  'stdlib regex functions',
  'cost for extended lib calculated correctly: isSorted',
  'cost for extended lib calculated correctly: join',
  'allOf rule',
  'allOf.items',
  'allOf.additionalProperties',
  'allOf.properties',
  'allOf.items.allOf',
  'properties.allOf.additionalProperties.allOf.properties',
  'per-call limit exceeded during messageExpression execution',
]);

const checks: Readonly<Record<string, (go: Go) => string | undefined>> = {
  TestValidationExpressions: expressions,
  TestValidationExpressionsAtSchemaLevels: (go) => expectedFaults(go.errors, run(schemaOf(go.schema), go, { isResource: true })),
  TestMessageExpression: messageOf,
  TestReasonAndFldPath: reasonAndPlace,
  TestValidateFieldPath: placeOf,
  TestRatcheting: ratcheting,
  TestOptionalOldSelf: (go) => expectedFaults(go.errors, run(withOptionalOld(schemaOf(go.schema)), go)),
  TestOptionalOldSelfCheckForNull: (go) => {
    const schema = withOptionalOld(schemaOf(go.schema));
    return expectedFaults([], [...run(schema, { obj: go.obj }), ...run(schema, go)]);
  },
  TestOptionalOldSelfIsOptionalType: (go) =>
    expectedFaults(go.errors, run(withOptionalOld(schemaOf(go.schema)), { ...go, oldObj: go.obj })),
};

function run(schema: JsonSchema, { obj, oldObj }: Go, how: Partial<RuleRun> = {}): readonly StatusCause[] {
  const old = oldObj === undefined || oldObj === null ? undefined : (valueIn(oldObj) as JsonValue);
  return ruleFaults(valueIn(obj) as JsonValue, compileSchema(deepFreeze(schema)), {
    place: 'root',
    isResource: false,
    ...(old !== undefined && { old }),
    ...how,
  });
}

function withRule(schema: JsonSchema, rule: string): JsonSchema {
  return { ...schema, 'x-kubernetes-validations': [{ rule }] };
}

function withOptionalOld(schema: JsonSchema): JsonSchema {
  const rules = schema['x-kubernetes-validations'] ?? [];
  return { ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ ...rule, optionalOldSelf: true })) };
}

function textOf({ field, message }: StatusCause): string {
  return `${field}: ${message}`;
}

function expressions(go: Go): string | undefined {
  const schema = schemaOf(go.schema);
  const isResource = go.isRoot === true;
  for (const each of (go.valid ?? []) as readonly unknown[]) {
    const rule = String(valueIn(each));
    const faults = run(withRule(schema, rule), go, { isResource });
    if (faults.length > 0) return `${rule}: ${faults.map(textOf).join('\n')}`;
    const cost = go.expectedCost as number | undefined;
    if (cost === undefined) continue;
    const enough = run(withRule(schema, rule), go, { isResource, budget: cost }).length === 0;
    const tooLittle = run(withRule(schema, rule), go, { isResource, budget: cost - 1 }).length > 0;
    if (!enough || !tooLittle) return `${rule} does not cost ${cost}`;
  }
  for (const [rule, text] of Object.entries((go.errors ?? {}) as Readonly<Record<string, unknown>>)) {
    if (rule === '$type') continue;
    const faults = run(withRule(schema, rule), go, { isResource: true });
    if (faults.length === 0 || faults.some((fault) => !textOf(fault).includes(String(valueIn(text))))) {
      return `${rule} should say ${String(valueIn(text))}: ${faults.map(textOf).join('\n')}`;
    }
  }
  return undefined;
}

/** Each fault holds one of the texts, and each text is held. */
function expectedFaults(errors: unknown, faults: readonly StatusCause[]): string | undefined {
  const texts = (valueIn(errors ?? []) as readonly unknown[]).map(String);
  const missing = texts.filter((text) => !faults.some((fault) => textOf(fault).includes(text)));
  const extra = faults.map(textOf).filter((fault) => !texts.some((text) => fault.includes(text)));
  return missing.length + extra.length === 0 ? undefined : `missing ${JSON.stringify(missing)}, not expected ${JSON.stringify(extra)}`;
}

function messageOf(go: Go): string | undefined {
  const messageExpression = String(valueIn(go.messageExpression));
  const rule = { rule: 'false', messageExpression, ...(go.message !== undefined && { message: String(valueIn(go.message)) }) };
  const schema = { type: 'object', properties: { str: { type: 'string' } }, 'x-kubernetes-validations': [rule] } as JsonSchema;
  const faults = run(schema, { obj: { str: 'a string' } }, { budget: Number(valueIn(go.costBudget)) });
  if (faults.length !== 1) return `${faults.length} faults`;
  const text = faults.map(textOf).join('');
  return text.includes(String(go.expectedValidationErr)) ? undefined : text;
}

function reasonAndPlace(go: Go): string | undefined {
  const wanted = (go.errors as readonly Go[]).map(({ Type, Field }) => [reasons[String((Type as Go).$ref)], Field]);
  const found = run(schemaOf(go.schema), go, { isResource: true }).map(({ reason, field }) => [reason, field]);
  return difference(wanted.map(String).sort(), found.map(String).sort());
}

const reasons: Readonly<Record<string, string>> = {
  'field.ErrorTypeDuplicate': 'FieldValueDuplicate',
  'field.ErrorTypeForbidden': 'FieldValueForbidden',
  'field.ErrorTypeInvalid': 'FieldValueInvalid',
  'field.ErrorTypeRequired': 'FieldValueRequired',
};

const number = { type: 'number' };
/** The variable `sts` of the Go test. */
const placed = {
  type: 'object',
  properties: {
    foo: { type: 'object', additionalProperties: { type: 'object', properties: { subAdd: number } } },
    'white space': number,
    "'foo'bar": number,
    a: {
      type: 'object',
      properties: {
        "foo's": number,
        'test\u0007': number,
        'bb[b': number,
        bbb: { type: 'object', properties: { c: number, '34': number } },
        'bbb.c': number,
      },
    },
    list: { type: 'array', items: { type: 'object', properties: { a: number, 'a-b': { type: 'object', properties: { '34': number } } } } },
  },
} as unknown as JsonSchema;

function placeOf(go: Go): string | undefined {
  const found = fieldPath(String(go.fieldPath), placed);
  if (go.errDetail !== undefined) {
    return typeof found === 'string' && found.includes(String(go.errDetail)) ? undefined : JSON.stringify(found);
  }
  if (typeof found === 'string') return found;
  return go.validFieldPath === undefined || go.validFieldPath === null ? undefined : difference(pathText(go.validFieldPath), found.text);
}

/** `path.Child("a").Key("b")`, whose beginning is the place of the schema. */
function pathText(go: unknown): string {
  const { $call, args } = go as { readonly $call: string | Go; readonly args: readonly string[] };
  if (typeof $call === 'string') return args.join('.');
  const before = pathText($call.of);
  return $call.$field === 'Key' ? `${before}[${args[0]}]` : [before, ...args].join('.');
}

function ratcheting(go: Go): string | undefined {
  const yaml = (go: unknown) => (isCall(go) ? (parse(untabbed(String(go.args[0]))) as JsonValue) : (go as JsonValue));
  const warnings: string[] = [];
  const budget = go.runtimeCostBudget === undefined ? {} : { budget: Number(valueIn(go.runtimeCostBudget)) };
  const faults = run(yaml(go.schema) as JsonSchema, { obj: yaml(go.newObj), oldObj: yaml(go.oldObj) }, { warnings, ...budget });
  return difference([...((go.warnings ?? []) as readonly string[])].sort(), warnings.sort()) ?? expectedFaults(go.errors, faults);
}

function isCall(go: unknown): go is { readonly args: readonly unknown[] } {
  return go !== null && typeof go === 'object' && '$call' in go;
}

/** YAML within Go is indented with tabs. */
function untabbed(text: string): string {
  const tabs = /^\n*(\t*)/.exec(text)?.[1] ?? '';
  return text
    .split('\n')
    .map((line) => line.replace(tabs, '').replaceAll('\t', '  '))
    .join('\n');
}
