/**
 * Writes src/sim/apiserver/data/omitted-fields.ts from the Go sources of the API types, the folder of their module:
 *   npx jiti test/conformance/generate-omitted-fields.ts <folder of k8s.io/api>
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { structsIn } from './go-sources.js';

const source = process.argv[2];
if (source === undefined) throw new Error('usage: generate-omitted-fields <folder of the Go module k8s.io/api>');

const basicTypes = new Set(['string', 'bool', 'int32', 'int64', 'float64', 'int', 'types.UID']);
const omitted: Record<string, string> = {};
const written: Record<string, string> = {};
for (const group of readdirSync(source).sort()) {
  if (!statSync(join(source, group)).isDirectory()) continue;
  for (const version of readdirSync(join(source, group)).filter((name) => /^v\d+$/.test(name))) {
    const text = readFileSync(join(source, group, version, 'types.go'), 'utf8');
    const names = new Map([...text.matchAll(/^type (\w+) (\w+)\b.*$/gm)].map(([, name = '', of = '']) => [name, of]));
    for (const [type, body] of structsIn(text)) {
      const vanishing: string[] = [];
      const always: string[] = [];
      for (const [, go = '', json = ''] of body.matchAll(/^\t[A-Za-z]\w*\s+([\w.]+)\s+`json:"(\w+,omitempty)"?/gm)) {
        const field = json.split(',')[0] as string;
        if (basicTypes.has(go) || basicTypes.has(names.get(go) ?? '') || /^v1\.[A-Z]\w+$/.test(go)) vanishing.push(field);
        else if (go === 'metav1.Time' || go === 'metav1.MicroTime') always.push(field);
      }
      for (const [, field = ''] of body.matchAll(/^\t[A-Za-z]\w*\s+[^\s*]\S*\s+`json:"(\w+)"/gm)) always.push(field);
      if (vanishing.length > 0) omitted[`${group}.${version}.${type}`] = vanishing.join(' ');
      if (always.length > 0) written[`${group}.${version}.${type}`] = always.join(' ');
    }
  }
}
writeFileSync(
  new URL('../../src/sim/apiserver/data/omitted-fields.ts', import.meta.url),
  `// Written by test/conformance/generate-omitted-fields.ts from the API types of kube-apiserver v1.36.3; do not edit.
/** Fields that Go does not write when they are "", 0 or false, by type. Others know the difference between that and nothing. */
export const omittedFieldsText: string =
  '${JSON.stringify(omitted)}';

/** Fields that Go always writes, such as times, which are null when there is none. */
export const writtenFieldsText: string =
  '${JSON.stringify(written)}';
`,
);
