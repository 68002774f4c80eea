/**
 * Writes src/sim/apiserver/data/columns.ts: asks a running kube-apiserver (test/oracle/README.md) for an empty Table of each kind:
 *   npx jiti test/conformance/generate-columns.ts https://127.0.0.1:6443
 */
import { writeFileSync } from 'node:fs';
import { builtInKinds } from '../../src/sim/apiserver/data/kinds.js';
import { realServer } from './differential/real-server.js';

interface Definition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

const [address] = process.argv.slice(2);
if (address === undefined) throw new Error('usage: generate-columns <address of a kube-apiserver>');
const server = realServer(address, 'golden');
const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io', 'user-agent': 'golden/1.0' };

async function columnsAt(path: string): Promise<readonly Definition[]> {
  const { status, body } = await server.request({ method: 'GET', path, headers });
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
  return (JSON.parse(body) as { readonly columnDefinitions: readonly Definition[] }).columnDefinitions;
}

async function send(method: string, path: string, body: object): Promise<void> {
  await server.request({
    method,
    path,
    headers: { 'user-agent': 'golden/1.0', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const descriptions: string[] = [];
const numberOf = (description: string) => {
  if (!descriptions.includes(description)) descriptions.push(description);
  return descriptions.indexOf(description);
};
/** Name, description, and what is out of the ordinary: the type, the format, the priority. */
const compact = ({ name, type, format, description, priority }: Definition) => {
  const rest = [type === 'string' ? '' : type, format, priority === 0 ? '' : priority];
  while (rest.at(-1) === '') rest.pop();
  return [name, numberOf(description), ...rest];
};

const columns: Record<string, unknown> = {};
for (const { group, version, plural, verbs } of builtInKinds) {
  if (!verbs.includes('list')) continue;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  columns[group === '' ? plural : `${plural}.${group}`] = (await columnsAt(`${root}/${plural}?limit=1`)).map(compact);
}

// There is no list of Scales.
const path = '/api/v1/namespaces/default/replicationcontrollers';
const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { app: 'columns' } }, spec: { containers: [container] } };
await send('POST', path, {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name: 'columns' },
  spec: { replicas: 0, template },
});
columns['scale.autoscaling'] = (await columnsAt(`${path}/columns/scale`)).map(compact);
await send('DELETE', `${path}/columns`, {});

const text = JSON.stringify({ descriptions, columns }).replaceAll('\\', '\\\\').replaceAll("'", "\\'");
writeFileSync(
  new URL('../../src/sim/apiserver/data/columns.ts', import.meta.url),
  `// Written by test/conformance/generate-columns.ts from the answers of kube-apiserver v1.36.3; do not edit.
/** Kept as text, so that it costs nothing until somebody asks for a Table. */
export const columnText: string =
  '${text}';
`,
);
process.exit(0);
