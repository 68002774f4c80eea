import { deepFreeze, type JsonValue, type KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import { invalidValue, nowhere } from './field-errors.js';
import type { CustomVersion, KindInfo } from './kinds.js';
import type { StatusCause } from './request.js';
import { compileSchema, type SchemaNode } from './schema/compile.js';
import type { Correlation } from './schema/correlation.js';
import { defaulted, withDefaults, withoutForbiddenNulls } from './schema/defaulting.js';
import { coerceEmbedded, embeddedFaults } from './schema/embedded-resources.js';
import { listTypeFaults } from './schema/list-types.js';
import { prune } from './schema/prune.js';
import { ruleFaults } from './schema/rules.js';
import { schemaFaults } from './schema/validate.js';

/** @returns undefined for a definition from before there had to be a schema. */
export function schemaOf(definition: CustomVersion | undefined): SchemaNode | undefined {
  const schema = definition?.schema?.openAPIV3Schema;
  // Definitions come from etcd, frozen, except in tests.
  return schema && compileSchema(deepFreeze(schema));
}

/**
 * A custom resource out of a request's body, in the version that was asked (CD-3, first half): pruned, without nulls, with
 * defaults, its embedded resources typed.
 * @param unknown receives the paths that were dropped (CD-33).
 * @throws DecodeFault
 */
export function shapeSent(kind: KindInfo, object: KubeObject, unknown: string[]): KubeObject {
  // What is of another kind is refused later, and not looked into.
  if (object.kind !== kind.kind || object.apiVersion?.split('/')[0] !== kind.group) return object;
  if (object.apiVersion !== kind.apiVersion) return shapeOtherVersion(kind, object, unknown);
  const node = schemaOf(kind.definition);
  if (node === undefined) return object;
  const dropped: string[] = [];
  const strangers: string[] = [];
  const pruned = prune(object as unknown as JsonValue, node, true, dropped);
  const shaped = coerceEmbedded(withDefaults(pruned, node), node, 'strict', strangers);
  unknown.sort();
  unknown.push(...dropped.sort(), ...strangers.sort());
  // Defaults and nulls of the metadata are its own business.
  return { ...(shaped as unknown as KubeObject), metadata: object.metadata };
}

/** What is of another version is refused as well, but not before it was held against that version's schema, if there is one. */
function shapeOtherVersion(kind: KindInfo, object: KubeObject, unknown: string[]): KubeObject {
  const version = object.apiVersion?.split('/')[1];
  const node = schemaOf(kind.definitions?.find(({ name }) => name === version));
  const dropped = Object.keys(object).filter((key) => !['apiVersion', 'kind', 'metadata'].includes(key));
  if (node !== undefined) {
    dropped.length = 0;
    prune(object as unknown as JsonValue, node, true, dropped);
  }
  unknown.sort();
  unknown.push(...dropped.sort());
  return object;
}

/** A custom resource with the defaults of its version, and with whatever else it has, nulls included. */
export function defaultedOnly(kind: KindInfo, object: KubeObject): KubeObject {
  const node = schemaOf(kind.definition);
  if (node === undefined || object.kind !== kind.kind || object.apiVersion !== kind.apiVersion) return object;
  return { ...(defaulted(object as unknown as JsonValue, node) as unknown as KubeObject), metadata: object.metadata };
}

/** A stored custom resource under the schema that its version has now (CD-3, second half; CD-4). The same object when it fits. */
export function shapeStored(kind: KindInfo, object: KubeObject): KubeObject {
  const version = object.apiVersion?.split('/')[1];
  const node = schemaOf(kind.definitions?.find(({ name }) => name === version));
  if (node === undefined) return object;
  const pruned = withDefaults(prune(object as unknown as JsonValue, node, true), node);
  const shaped = coerceEmbedded(pruned, node, 'lenient', []) as unknown as KubeObject;
  return shaped === object ? object : { ...shaped, metadata: object.metadata };
}

/**
 * An object that has just been converted into a version: without what that does not know and the nulls that it does not allow, its
 * embedded resources typed; nothing is filled in (CD-3). @throws DecodeFault
 */
export function shapeConverted(definition: CustomVersion | undefined, object: KubeObject): KubeObject {
  const node = schemaOf(definition);
  if (node === undefined) return object;
  const kept = withoutForbiddenNulls(prune(object as unknown as JsonValue, node, true), node);
  return { ...(coerceEmbedded(kept, node, 'strict', []) as unknown as KubeObject), metadata: object.metadata };
}

/** An object that is in a version already, without what that version does not know. */
export function prunedBy(definition: CustomVersion | undefined, object: KubeObject): KubeObject {
  const node = schemaOf(definition);
  return node === undefined ? object : (prune(object as unknown as JsonValue, node, true) as unknown as KubeObject);
}

/** CD-19: another kind or version than the endpoint's. Then nothing else of it is looked at but embedded objects and rules. */
export function typeFaults(kind: KindInfo, object: KubeObject): StatusCause[] {
  if (!kind.custom) return [];
  return [
    ...(object.kind === kind.kind ? [] : [invalidValue('kind', object.kind, `must be ${kind.kind}`)]),
    ...(object.apiVersion === kind.apiVersion ? [] : [invalidValue('apiVersion', object.apiVersion, `must be ${kind.apiVersion}`)]),
  ];
}

/** How a refusal names the kind: of a custom resource by what was sent. */
export function sentKind(
  kind: KindInfo,
  { apiVersion = '', kind: name = '' }: KubeObject,
): { readonly kind: string; readonly group: string } {
  return kind.custom ? { kind: name, group: apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '' } : kind;
}

/** What goes with the faults of a custom resource. */
export interface AroundFaults {
  /** The faults that were found before. */
  readonly before: readonly StatusCause[];
  /** The faults of its scale paths, which stand in the middle. */
  readonly scale: readonly StatusCause[];
  /** What is stored, in the same version; absent for a create. */
  readonly current?: KubeObject;
}

/** What is wrong with a custom resource beside its metadata. Rules that fail on what has not changed are warnings (CD-11). */
export function customFaults(call: Call, object: KubeObject, { before, scale, current }: AroundFaults): StatusCause[] {
  const node = schemaOf(call.kind.definition);
  if (node === undefined) return [...scale];
  const value = object as unknown as JsonValue;
  const old = current as unknown as JsonValue | undefined;
  const pair = old === undefined ? undefined : { value, old, node };
  const causes: StatusCause[] = [];
  if (typeFaults(call.kind, object).length === 0) {
    causes.push(
      ...(call.request.subresource === 'status' ? statusFaults(object, node, pair) : schemaFaults(value, node, '', pair)),
      ...scale,
    );
  }
  if (old === undefined) causes.push(...embeddedFaults(value, node), ...listTypeFaults(value, node));
  else {
    // CD-8: what had a fault of this sort before may keep it.
    const doubles = listTypeFaults(value, node);
    if (call.request.subresource !== 'status') causes.push(...embeddedFaults(value, node));
    if (doubles.length > 0 && listTypeFaults(old, node).length === 0) causes.push(...doubles);
  }
  if (!node.contains.rules) return causes;
  if ([...before, ...causes].some(({ reason = '' }) => blocking.has(reason))) return [...causes, rulesSkipped];
  const run = old === undefined ? {} : { old, warnings: call.warnings };
  return [...causes, ...ruleFaults(value, node, { isResource: true, ...run })];
}

/** CD-9: what makes an object not worth the rules. */
const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const rulesSkipped = invalidValue(
  nowhere,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** CD-34: of a write to the status only that part is held against the schema. */
function statusFaults(object: KubeObject, node: SchemaNode, pair: Correlation | undefined): readonly StatusCause[] {
  const status = node.properties.get('status');
  if (status === undefined || object.status === undefined) return [];
  const old = (pair?.old as KubeObject | undefined)?.status;
  return schemaFaults(object.status, status, 'status', old === undefined ? undefined : { value: object.status, old, node: status });
}
