import { parse } from 'yaml';
import {
  type Atom,
  deducedAtom,
  deducedName,
  type ListType,
  type MapType,
  type Relationship,
  type Scalar,
  Schema,
  type TypeRef,
} from '../../../src/sim/apiserver/structured-merge/schema.js';
import type { JsonValue } from '../../../src/sim/etcd/object.js';

interface WrittenType {
  readonly name?: string;
  readonly namedType?: string;
  readonly scalar?: string;
  readonly list?: { readonly elementType?: WrittenType; readonly elementRelationship?: string; readonly keys?: readonly string[] };
  readonly map?: {
    readonly fields?: readonly { readonly name: string; readonly type: WrittenType; readonly default?: JsonValue }[];
    readonly elementType?: WrittenType;
    readonly elementRelationship?: string;
  };
  readonly elementRelationship?: string;
}

/** A schema as the library's own tests write it, in YAML. */
export interface Parser {
  readonly schema: Schema;
  /** The type of a version: the one of its name, else the only one. */
  typeFor(version: string): TypeRef;
  readonly names: readonly string[];
}

export function parser(text: string): Parser {
  const { types } = parse(text.replaceAll('\t', '  ')) as { readonly types: readonly WrittenType[] };
  const byName = new Map(types.map((type) => [type.name as string, atomOf(type)]));
  const schema = new Schema((name) => byName.get(name) ?? (name === deducedName ? deducedAtom : undefined));
  const first = types[0]?.name as string;
  return { schema, names: [...byName.keys()], typeFor: (version) => ({ name: byName.has(version) ? version : first }) };
}

export const deducedParser: Parser = {
  schema: new Schema((name) => (name === deducedName ? deducedAtom : untyped())),
  names: [],
  typeFor: () => ({ name: deducedName }),
};

function untyped(): Atom {
  const elementType = { name: '__untyped_atomic_' };
  return {
    scalar: 'untyped',
    list: { elementType, relationship: 'atomic', keys: [] },
    map: { fields: new Map(), elementType, relationship: 'atomic' },
  };
}

export function atomOf({ scalar, list, map }: WrittenType): Atom {
  return {
    ...(scalar !== undefined && { scalar: scalar as Scalar }),
    ...(list && { list: listOf(list) }),
    ...(map && { map: mapOf(map) }),
  };
}

function listOf({ elementType, elementRelationship = '', keys = [] }: NonNullable<WrittenType['list']>): ListType {
  return { elementType: typeOf(elementType ?? {}), relationship: elementRelationship as Relationship, keys };
}

function mapOf({ fields = [], elementType, elementRelationship = 'separable' }: NonNullable<WrittenType['map']>): MapType {
  return {
    fields: new Map(
      fields.map((field) => [field.name, { type: typeOf(field.type), ...(field.default !== undefined && { default: field.default }) }]),
    ),
    relationship: elementRelationship as Relationship,
    ...(elementType !== undefined && { elementType: typeOf(elementType) }),
  };
}

export function typeOf(type: WrittenType): TypeRef {
  const relationship = type.elementRelationship === undefined ? {} : { relationship: type.elementRelationship as Relationship };
  return type.namedType === undefined ? { inlined: atomOf(type), ...relationship } : { name: type.namedType, ...relationship };
}
