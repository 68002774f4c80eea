/**
 * Writes src/sim/apiserver/data/field-order.ts from the Go sources of the API types, the folders of their modules:
 *   npx jiti test/conformance/generate-field-order.ts <folder of k8s.io/api> <folder of k8s.io/apimachinery>
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInDefinition } from '../../src/sim/apiserver/openapi/built-in.js';
import { structsIn } from './go-sources.js';

const [api, machinery] = process.argv.slice(2);
if (api === undefined || machinery === undefined) throw new Error('usage: generate-field-order <k8s.io/api> <k8s.io/apimachinery>');

const packages = readdirSync(api, { withFileTypes: true })
  .filter((group) => group.isDirectory())
  .flatMap(({ name }) =>
    readdirSync(join(api, name))
      .filter((version) => /^v\d+$/.test(version))
      .map((version) => ({ name: `io.k8s.api.${name}.${version}`, file: join(api, name, version, 'types.go') })),
  );
const meta = { name: 'io.k8s.apimachinery.pkg.apis.meta.v1', file: join(machinery, 'pkg/apis/meta/v1/types.go') };

const orders: Record<string, string> = {};
for (const { name, file } of [...packages, meta].filter(({ file }) => existsSync(file))) {
  const structs = new Map(structsIn(readFileSync(file, 'utf8')));
  const fieldsOf = (type: string): readonly string[] =>
    [...(structs.get(type) ?? '').matchAll(/^\t(\w+)(?:[ \t]+\S+)?[ \t]+`json:"([^"]*)"/gm)].flatMap(([, go = '', tag = '']) =>
      tag.startsWith(',inline') ? fieldsOf(go) : [tag.split(',')[0] as string],
    );
  for (const type of structs.keys()) {
    const { properties = {} } = builtInDefinition(`${name}.${type}`) ?? {};
    const fields = fieldsOf(type).filter((field) => Object.hasOwn(properties, field));
    if (fields.join(' ') !== [...fields].sort().join(' ')) orders[`${name}.${type}`.replace('io.k8s.api.', '')] = fields.join(' ');
  }
}
writeFileSync(
  new URL('../../src/sim/apiserver/data/field-order.ts', import.meta.url),
  `// Written by test/conformance/generate-field-order.ts from the API types of kube-apiserver v1.36.3; do not edit.
/** The fields of types in the order in which Go writes them, where that is not the order of the alphabet. */
export const fieldOrderText: string =
  '${JSON.stringify(orders)}';
`,
);
