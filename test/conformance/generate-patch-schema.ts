/**
 * Writes src/sim/apiserver/data/patch-schema.ts, the list strategies of built-in kinds (PA-39), from a recorded OpenAPI v2 document:
 *   npx jiti test/conformance/generate-patch-schema.ts <openapi-v2.json>
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
}

const source = process.argv[2];
if (source === undefined) throw new Error('usage: generate-patch-schema <openapi-v2.json>');
const { definitions } = JSON.parse(readFileSync(source, 'utf8')) as { readonly definitions: Readonly<Record<string, Schema>> };

const typeOf = (schema: Schema): string | undefined => (schema.$ref ?? schema.items?.$ref)?.replace('#/definitions/', '');
/** Without a strategy the server replaces, as it does for the fields that say so. */
const isMarked = (schema: Schema) => schema['x-kubernetes-patch-strategy'] !== undefined;

/** Types that hold a marked field, directly or further down. */
const needed = new Set<string>();
for (let before = -1; before !== needed.size; ) {
  before = needed.size;
  for (const [name, { properties = {} }] of Object.entries(definitions)) {
    if (!name.endsWith('List') && Object.values(properties).some((field) => isMarked(field) || needed.has(typeOf(field) ?? '')))
      needed.add(name);
  }
}

const shortNames = new Map<string, string>();
const short = (name: string): string => {
  const parts = name.split('.');
  const brief = parts.slice(-2).join('.');
  const taken = shortNames.get(brief);
  const chosen = taken === undefined || taken === name ? brief : parts.slice(-3).join('.');
  shortNames.set(chosen, name);
  return chosen;
};

const types: Record<string, Record<string, object>> = {};
const roots: Record<string, string> = {};
for (const name of [...needed].sort()) {
  const definition = definitions[name] as Schema;
  const fields: Record<string, object> = {};
  for (const [field, schema] of Object.entries(definition.properties ?? {})) {
    const type = typeOf(schema);
    const known = type !== undefined && needed.has(type);
    if (!known && !isMarked(schema)) continue;
    fields[field] = {
      ...(known && { type: short(type) }),
      ...(isMarked(schema) && { strategy: schema['x-kubernetes-patch-strategy'] }),
      ...(schema['x-kubernetes-patch-merge-key'] !== undefined && { mergeKey: schema['x-kubernetes-patch-merge-key'] }),
    };
  }
  types[short(name)] = fields;
  for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
    if (!kind.endsWith('Options')) roots[`${group === '' ? version : `${group}/${version}`}/${kind}`] = short(name);
  }
}

const target = new URL('../../src/sim/apiserver/data/patch-schema.ts', import.meta.url);
writeFileSync(
  target,
  `// Written by test/conformance/generate-patch-schema.ts from the OpenAPI document of kube-apiserver v1.36.3; do not edit.
import type { PatchField } from '../strategic-merge-patch.js';

/** The fields of a type that are merged in their own way, and those that lead to some. */
export const patchTypes: Readonly<Record<string, Readonly<Record<string, PatchField>>>> = ${JSON.stringify(types, null, 2)};

/** The type of a kind, by \`apiVersion/Kind\`. */
export const patchRoots: Readonly<Record<string, string>> = ${JSON.stringify(roots, null, 2)};
`,
);
