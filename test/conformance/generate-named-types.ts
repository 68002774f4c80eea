/**
 * Writes src/sim/apiserver/data/named-types.ts from the Go sources of the API types, the folders of their modules:
 *   npx jiti test/conformance/generate-named-types.ts <folder of k8s.io/api> <of k8s.io/apimachinery> <of k8s.io/apiextensions-apiserver>
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { structsIn } from './go-sources.js';

const [api, machinery, extensions] = process.argv.slice(2);
if (api === undefined || machinery === undefined || extensions === undefined)
  throw new Error('usage: generate-named-types <k8s.io/api> <k8s.io/apimachinery> <k8s.io/apiextensions-apiserver>');

const basicTypes = new Set(['string', 'bool', 'int', 'int32', 'int64', 'uint8', 'float64', 'byte']);
const packages: [string, string][] = [
  ['io.k8s.apimachinery.pkg.apis.meta.v1', join(machinery, 'pkg/apis/meta/v1/types.go')],
  ['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1', join(extensions, 'pkg/apis/apiextensions/v1/types.go')],
];
for (const group of readdirSync(api).sort())
  for (const version of ['v1', 'v2']) packages.push([`${group}.${version}`, join(api, group, version, 'types.go')]);

const named: Record<string, string> = {};
for (const [name, file] of packages) {
  if (!existsSync(file)) continue;
  const text = readFileSync(file, 'utf8');
  const version = name.slice(name.lastIndexOf('.') + 1);
  const underlying = new Map([...text.matchAll(/^(?:type|\t) ?(\w+) (map|\[\]|\w+)/gm)].map(([, of = '', what = '']) => [of, what]));
  const goName = (go: string): string => {
    if (go.startsWith('*')) return goName(go.slice(1));
    if (go.startsWith('[]')) return `[]${goName(go.slice(2))}`;
    const [, key, value] = /^map\[([\w.]+)\](.*)$/.exec(go) ?? [];
    if (key !== undefined && value !== undefined) return `map[${goName(key)}]${goName(value)}`;
    if (basicTypes.has(go)) return go === 'byte' ? 'uint8' : go;
    return go.includes('.') ? go.replace(/^\w*v(\d)\./, 'v$1.') : `${version}.${go}`;
  };
  const isNamed = (go: string): boolean =>
    /^types\.UID$|^(core)?v1\.(ResourceList|ConditionStatus|[A-Z]\w*(Type|Mode|Policy|Name|Phase))$/.test(go) ||
    (!go.includes('.') && !basicTypes.has(go) && (underlying.get(go) ?? 'struct') !== 'struct');
  for (const [type, body] of structsIn(text)) {
    const fields: string[] = [];
    for (const [, go = '', json = ''] of body.matchAll(/^\t[A-Za-z]\w*\s+(\S+)\s+`json:"(\w+)/gm)) {
      const parts = go.replace(/\*|\[\]/g, '').split(/map\[|\]/);
      if (parts.some((part) => part !== '' && isNamed(part))) fields.push(`${json}=${goName(go)}`);
    }
    if (fields.length > 0) named[`${name}.${type}`] = fields.join(' ');
  }
}
writeFileSync(
  new URL('../../src/sim/apiserver/data/named-types.ts', import.meta.url),
  `// Written by test/conformance/generate-named-types.ts from the API types of kube-apiserver v1.36.3; do not edit.
/** The Go types of fields whose texts, numbers, lists or maps have a name of their own, by type. */
export const namedTypesText: string =
  '${JSON.stringify(named)}';
`,
);
