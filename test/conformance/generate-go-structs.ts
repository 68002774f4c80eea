/**
 * Writes src/sim/controllers/hashing/go-structs.ts from the Go sources of the API types, the folders of their modules:
 *   npx jiti test/conformance/generate-go-structs.ts <folder of k8s.io/api> <of k8s.io/apimachinery>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { structsIn } from './go-sources.js';

const [api, machinery] = process.argv.slice(2);
if (api === undefined || machinery === undefined) throw new Error('usage: generate-go-structs <k8s.io/api> <k8s.io/apimachinery>');

/** What is hashed, and so has to be printed as Go does. */
const roots = ['core/v1.PodTemplateSpec', 'core/v1.EndpointSubset', 'discovery/v1.EndpointPort'];
/** Those that are not printed field by field. */
const own = new Set(['meta/v1.Time', 'meta/v1.ManagedFieldsEntry', 'resource.Quantity', 'intstr.IntOrString', 'types.UID']);

const files: Readonly<Record<string, string>> = {
  'core/v1': join(api, 'core/v1/types.go'),
  'discovery/v1': join(api, 'discovery/v1/types.go'),
  'meta/v1': join(machinery, 'pkg/apis/meta/v1/types.go'),
};
const imports: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  metav1: 'meta/v1',
  resource: 'resource',
  intstr: 'intstr',
  types: 'types',
};
const basic = new Set(['string', 'bool', 'int', 'int32', 'int64', 'uint8', 'float64']);

function qualified(type: string, home: string): string {
  if (type.startsWith('*')) return `*${qualified(type.slice(1), home)}`;
  if (type.startsWith('[]')) return `[]${qualified(type.slice(2), home)}`;
  const [, key, value] = /^map\[([\w.]+)\](.*)$/.exec(type) ?? [];
  if (key !== undefined && value !== undefined) return `map[${qualified(key, home)}]${qualified(value, home)}`;
  if (type === 'byte') return 'uint8';
  if (basic.has(type)) return type;
  const [from = '', name] = type.split('.');
  return name === undefined ? `${home}.${type}` : `${imports[from] ?? from}.${name}`;
}

const declared = new Map<string, string>();
for (const [home, file] of Object.entries(files)) {
  const text = readFileSync(file, 'utf8').replace(/^\s*\/\/.*\n/gm, '');
  for (const [name, body] of structsIn(text)) {
    const fields = [...body.matchAll(/^\t(?:([A-Z]\w*)[ \t]+)?(\S+)\s+`[^`]*?json:"([^"]*)"/gm)].map(([, field, type = '', json = '']) => {
      const goName = field ?? (type.split('.').at(-1) as string);
      const jsonName = json.split(',')[0] as string;
      return `${goName} ${jsonName === '' ? '-' : jsonName} ${qualified(type, home)}`;
    });
    declared.set(`${home}.${name}`, `{${fields.join('|')}`);
  }
  for (const [, name = '', type = ''] of text.matchAll(/^type (\w+) ((?:map|\[\]|\*)?[\w.[\]]+)$/gm)) {
    if (type !== 'struct') declared.set(`${home}.${name}`, qualified(type, home));
  }
}

const found: Record<string, string> = {};
const visit = (type: string): void => {
  for (const name of type.match(/[a-z]+(?:\/v1)?\.\w+/g) ?? []) {
    if (found[name] !== undefined || own.has(name)) continue;
    const declaration = declared.get(name);
    if (declaration === undefined) throw new Error(`${name} is not declared`);
    found[name] = declaration;
    visit(declaration);
  }
};
for (const root of roots) visit(root);

writeFileSync(
  new URL('../../src/sim/controllers/hashing/go-structs.ts', import.meta.url),
  `// Written by test/conformance/generate-go-structs.ts from the API types of kube-controller-manager v1.36.3; do not edit.
/** Go's types: of a struct, after a brace, the fields with their names in Go and in JSON; of another type what it is made from. */
export const goStructsText: string =
  '${JSON.stringify(found)}';
`,
);
