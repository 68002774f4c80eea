/**
 * Writes src/sim/apiserver/data/schemas.ts from a server's own description, the OpenAPI v3 documents of its group versions:
 *   npx jiti test/conformance/generate-schemas.ts <folder of documents>
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface OpenApi {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApi>>;
  readonly items?: OpenApi;
  readonly additionalProperties?: OpenApi;
  readonly allOf?: readonly OpenApi[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
}

const source = process.argv[2];
if (source === undefined) throw new Error('usage: generate-schemas <folder of OpenAPI v3 documents>');

const definitions = new Map<string, OpenApi>();
for (const file of readdirSync(source).sort()) {
  const document = JSON.parse(readFileSync(join(source, file), 'utf8'));
  for (const [name, definition] of Object.entries<OpenApi>(document.components.schemas)) definitions.set(name, definition);
}
const names = [...definitions.keys()].filter((name) => !name.includes('example.com')).sort();
const numbers = new Map(names.map((name, number) => [name, number]));

/** See `schemas.ts`, which reads it, for what the letters mean. */
function packed(schema: OpenApi): unknown {
  const bare = packedType(schema);
  const extras = {
    ...(schema.default !== undefined && { d: schema.default }),
    ...(schema['x-kubernetes-list-type'] !== undefined && { l: schema['x-kubernetes-list-type'] }),
    ...(schema['x-kubernetes-list-map-keys'] !== undefined && { k: schema['x-kubernetes-list-map-keys'] }),
    ...(schema['x-kubernetes-map-type'] !== undefined && { m: schema['x-kubernetes-map-type'] }),
    ...(schema['x-kubernetes-patch-strategy'] !== undefined && { s: schema['x-kubernetes-patch-strategy'] }),
    ...(schema['x-kubernetes-patch-merge-key'] !== undefined && { y: schema['x-kubernetes-patch-merge-key'] }),
  };
  return Object.keys(extras).length === 0 ? bare : { t: bare, ...extras };
}

function packedType(schema: OpenApi): unknown {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) return numbers.get(reference.slice(reference.lastIndexOf('/') + 1));
  switch (schema.type) {
    case 'array':
      return [packed(schema.items ?? {})];
    case 'object':
      return {
        ...(schema.properties && {
          p: Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, packed(field)])),
        }),
        ...(schema.additionalProperties && { a: packed(schema.additionalProperties) }),
        ...(schema.required && { q: schema.required }),
      };
    default:
      return `${schema.type ?? ''}${schema.format === undefined ? '' : `:${schema.format}`}`;
  }
}

const kinds: Record<string, number> = {};
for (const name of names) {
  for (const { group, version, kind } of definitions.get(name)?.['x-kubernetes-group-version-kind'] ?? []) {
    // Every group version lists the options and the watch event once more.
    if (name.startsWith('io.k8s.apimachinery.')) continue;
    kinds[`${group}/${version}/${kind}`] = numbers.get(name) as number;
  }
}

const text = JSON.stringify({ names, definitions: names.map((name) => packed(definitions.get(name) as OpenApi)), kinds });
writeFileSync(
  new URL('../../src/sim/apiserver/data/schemas.ts', import.meta.url),
  `// Written by test/conformance/generate-schemas.ts from the OpenAPI v3 of kube-apiserver v1.36.3; do not edit.
/** Kept as text, so that it costs nothing until somebody asks for a schema. */
export const schemaText: string =
  '${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}';
`,
);
