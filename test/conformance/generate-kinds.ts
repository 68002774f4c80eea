/**
 * Writes src/sim/apiserver/data/kinds.ts from a recorded aggregated discovery (`/api` and `/apis`, HT-22):
 *   npx jiti test/conformance/generate-kinds.ts <discovery-aggregated.json>
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Resource {
  readonly resource: string;
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { subresource: string; responseKind: Resource['responseKind']; verbs: readonly string[] }[];
}
interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly Resource[] }[];
  }[];
}

const source = process.argv[2];
if (source === undefined) throw new Error('usage: generate-kinds <discovery-aggregated.json>');
const recorded = JSON.parse(readFileSync(source, 'utf8')) as Record<'/api' | '/apis', Discovery>;

const lines: string[] = [];
for (const item of [...recorded['/api'].items, ...recorded['/apis'].items]) {
  const group = item.metadata.name ?? '';
  if (group.includes('example.com')) continue;
  for (const { version, resources } of item.versions) {
    for (const resource of resources) {
      const entry = {
        group,
        version,
        plural: resource.resource,
        singular: resource.singularResource,
        kind: resource.responseKind.kind,
        namespaced: resource.scope === 'Namespaced',
        verbs: resource.verbs,
        ...(resource.shortNames && { shortNames: resource.shortNames }),
        ...(resource.categories && { categories: resource.categories }),
        ...(resource.subresources && {
          subresources: resource.subresources.map(({ subresource, responseKind, verbs }) => ({
            name: subresource,
            kind: responseKind.kind,
            ...(responseKind.version !== '' && { group: responseKind.group, version: responseKind.version }),
            verbs,
          })),
        }),
      };
      lines.push(`  ${JSON.stringify(entry)},`);
    }
  }
}

const target = new URL('../../src/sim/apiserver/data/kinds.ts', import.meta.url);
writeFileSync(
  target,
  `// Written by test/conformance/generate-kinds.ts from the discovery of kube-apiserver v1.36.3; do not edit.
import type { KindData } from '../kinds.js';

export const builtInKinds: readonly KindData[] = [
${lines.join('\n')}
];
`,
);
