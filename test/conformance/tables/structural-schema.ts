import type { StatusCause } from '../../../src/sim/apiserver/request.js';
import { compileSchema, type SchemaNode } from '../../../src/sim/apiserver/schema/compile.js';
import { withDefaults, withoutForbiddenNulls } from '../../../src/sim/apiserver/schema/defaulting.js';
import { coerceEmbedded, embeddedFaults } from '../../../src/sim/apiserver/schema/embedded-resources.js';
import { listTypeFaults } from '../../../src/sim/apiserver/schema/list-types.js';
import { prune } from '../../../src/sim/apiserver/schema/prune.js';
import { ruleFaults } from '../../../src/sim/apiserver/schema/rules.js';
import { schemaFaults } from '../../../src/sim/apiserver/schema/validate.js';
import { deepFreeze, type JsonValue } from '../../../src/sim/etcd/object.js';
import { file, type Go, rowsOf } from './data.js';
import { evaluate } from './go-constants.js';
import { schemaOfGo } from './go-schemas.js';
import { difference, type Row, row } from './row.js';

export function structuralRows(): readonly Row[] {
  return [
    ...played('pruning-algorithm', 'TestPrune', pruning),
    ...played('defaulting-algorithm', 'TestDefault', (each) =>
      difference(JSON.parse(String(each.expected)), withDefaults(json(each.json), nodeOf(each))),
    ),
    ...played('defaulting-prunenulls', 'TestPruneNonNullableNullsWithoutDefaults', (each) =>
      difference(JSON.parse(String(each.expected)), withoutForbiddenNulls(json(each.json), nodeOf(each))),
    ),
    ...played('listtype-validation', 'TestValidateListSetsAndMaps', listTypes),
    ...played('objectmeta-algorithm', 'TestCoerce', coercion),
    ...played('objectmeta-validation', 'TestValidateEmbeddedResource', (each) =>
      embeddedDifference(each, embeddedFaults(each.object as JsonValue, compileSchema({ 'x-kubernetes-embedded-resource': true }))),
    ),
    ...played('apiserver-validation', 'TestValidateCustomResource', validation),
    ...played('apiserver-validation', 'TestItemsProperty', ({ args, wantErr }) => {
      const { schema, object } = args as Go;
      const faults = schemaFaults(object as JsonValue, compileSchema(deepFreeze(schemaOfGo(schema))));
      return difference(wantErr, faults.length > 0);
    }),
  ];
}

/** What the server cannot come to: a root that is no resource; a pattern that its definition was not refused for. */
const leftOut: ReadonlySet<string> = new Set(['pruning-algorithm/x-kubernetes-embedded-resource', 'apiserver-validation/invalid regex']);

function played(name: string, test: string, check: (each: Go) => string | undefined): Row[] {
  const tables = file(`structural-schema/${name}.json`).tables.filter(({ func }) => func === test);
  const fitting = (id: string) => !leftOut.has(`${name}/${id}`);
  return tables.flatMap((table) =>
    rowsOf(table)
      .filter(([id]) => fitting(id))
      .map(([id, each]) => row(`${name}/${id}`, () => check(each))),
  );
}

function json(text: unknown): JsonValue {
  return JSON.parse(String(text)) as JsonValue;
}

function nodeOf({ schema }: Go): SchemaNode | undefined {
  return schema === null || schema === undefined ? undefined : compileSchema(deepFreeze(schemaOfGo(schema)));
}

function pruning(each: Go): string | undefined {
  const unknown: string[] = [];
  const kept = prune(json(each.json), nodeOf(each), each.isResourceRoot === true, unknown);
  return (
    difference(JSON.parse(String(each.expectedObject)), kept) ??
    difference([...((each.expectedPruned ?? []) as readonly string[])].sort(), unknown.sort())
  );
}

function listTypes(each: Go): string | undefined {
  const node = nodeOf(each);
  const { obj } = each;
  const faults = node === undefined || obj === undefined ? [] : listTypeFaults(obj as JsonValue, node);
  const expected = ((each.errors ?? []) as readonly Go[]).map(({ $call, args }) => {
    const path = (args as readonly string[])
      .join('.')
      .replaceAll('.[', '[')
      .replace(/^root\.?/, '');
    return `${$call === 'duplicate' ? 'FieldValueDuplicate' : 'FieldValueInvalid'} ${path}`;
  });
  return difference(
    expected,
    faults.map(({ reason, field }) => `${reason} ${field}`),
  );
}

/** In these rows the root is an embedded resource only where they say so. */
function coercion(each: Go): string | undefined {
  const unknown: string[] = [];
  const schema = { ...schemaOfGo(each.schema), ...(each.includeRoot === true && { 'x-kubernetes-embedded-resource': true }) };
  const lenient = each.dropInvalidFields === true;
  const coerced = coerceEmbedded(json(each.json), compileSchema(deepFreeze(schema)), lenient ? 'lenient' : 'strict', unknown);
  return (
    difference(JSON.parse(String(each.expected)), coerced) ??
    (each.expectedUnknownFields === undefined
      ? undefined
      : difference([...(each.expectedUnknownFields as readonly string[])].sort(), unknown.sort()))
  );
}

function embeddedDifference(each: Go, faults: readonly StatusCause[]): string | undefined {
  const expected = ((each.errors ?? []) as readonly Go[]).map(({ $call, args }) => {
    const reason = $call === 'required' ? 'FieldValueRequired' : 'FieldValueInvalid';
    return `${reason} ${(args as readonly string[]).join('.')}`;
  });
  return difference(
    expected,
    faults.map(({ reason, field }) => `${reason} ${field}`),
  );
}

function validation(each: Go): string | undefined {
  const node = nodeOf(each) as SchemaNode;
  const olds = (each.oldObjects ?? []) as readonly unknown[];
  const wrong: string[] = [];
  ((each.objects ?? []) as readonly unknown[]).forEach((object, index) => {
    wrong.push(...faultsOf(object, olds[index], node));
  });
  for (const { object, oldObject, expectErrs } of (each.failingObjects ?? []) as readonly Go[]) {
    const said = faultsOf(object, oldObject, node).sort();
    const fault = difference([...(expectErrs as readonly string[])].sort(), said);
    if (fault !== undefined) wrong.push(fault);
  }
  return wrong.length === 0 ? undefined : wrong.join('\n      ');
}

function faultsOf(object: unknown, old: unknown, node: SchemaNode): string[] {
  const value = evaluate(object, limits) as JsonValue;
  const faults = schemaFaults(value, node);
  const broken = ruleFaults(value, node, old === undefined ? {} : { old: evaluate(old, limits) as JsonValue });
  return [...faults, ...broken].map(({ field, message }) => `${field}: ${message}`);
}

/** Go's limits, as far as a JavaScript number can hold them. */
const limits: Readonly<Record<string, number>> = {
  'math.MinInt32': -(2 ** 31),
  'math.MaxInt32': 2 ** 31 - 1,
  'math.MinInt64': -(2 ** 63),
  'math.MaxInt64': 2 ** 63 - 1024,
  'math.MaxFloat32': 3.4028234663852886e38,
  'math.MaxFloat64': Number.MAX_VALUE,
};
