import type { JsonValue } from '../../etcd/object.js';
import { apiVersionOf, type CustomVersion, type KindInfo } from '../kinds.js';
import { builtInDefinition, definitionName } from '../openapi/built-in.js';
import { customDefinition } from '../openapi/custom.js';
import type { OpenApiSchema } from '../openapi/schema.js';
import { schemaOf } from '../structured-merge/from-open-api.js';
import type { Schema, TypeRef } from '../structured-merge/schema.js';

/** The types of one kind in all its versions. */
export interface Typing {
  readonly schema: Schema;
  /** The type of an apiVersion; undefined: there is no such version. */
  typeIn(apiVersion: string): TypeRef | undefined;
  readonly definitionIn: (apiVersion: string) => OpenApiSchema | undefined;
}

let builtInSchema: Schema | undefined;
const customTypings = new WeakMap<readonly CustomVersion[], Typing>();

/** What the server knows of the form of a kind's objects. Nothing is read before somebody asks. */
export function typingOf(kind: KindInfo): Typing {
  if (!kind.custom || kind.definitions === undefined) return builtInTyping(kind);
  let typing = customTypings.get(kind.definitions);
  if (typing === undefined) {
    typing = customTyping(kind.group, kind.definitions);
    customTypings.set(kind.definitions, typing);
  }
  return typing;
}

function builtInTyping(kind: KindInfo): Typing {
  builtInSchema ??= schemaOf(builtInDefinition);
  const nameIn = (apiVersion: string) => {
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
    return definitionName(group, version, kind.kind);
  };
  return {
    schema: builtInSchema,
    typeIn: (apiVersion) => {
      const name = nameIn(apiVersion);
      return name === undefined ? undefined : { name };
    },
    definitionIn: (apiVersion) => {
      const name = nameIn(apiVersion);
      return name === undefined ? undefined : builtInDefinition(name);
    },
  };
}

function customTyping(group: string, versions: readonly CustomVersion[]): Typing {
  const definitions = new Map(versions.map((version) => [apiVersionOf(group, version.name), customDefinition(version)]));
  // A name with a slash is none of a built-in definition.
  const schema = schemaOf((name) => definitions.get(name) ?? builtInDefinition(name));
  return {
    schema,
    typeIn: (apiVersion) => (definitions.has(apiVersion) ? { name: apiVersion } : undefined),
    definitionIn: (apiVersion) => definitions.get(apiVersion),
  };
}

export type ObjectValue = { readonly [key: string]: JsonValue };
