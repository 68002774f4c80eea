import type { Transport } from '../golden/runner.mjs';
import { collectionOf, crds, fullName, kinds } from './kinds.js';
import type { Script } from './script.js';

const headers = { accept: 'application/json', 'user-agent': 'golden/1.0' };

/** Leaves nothing on the real server of what a script has made there, finalizers or not. */
export async function cleanUp(script: Script, server: Transport, suffix: string, group?: string): Promise<void> {
  const code = `s${String(script.number).padStart(3, '0')}-${suffix}`;
  const here = (path: string) => path.replaceAll('${ns}', code).replaceAll('${group}', group ?? `${code}.example.com`);
  const send = (method: string, path: string, body?: unknown, type = 'application/json') =>
    server.request({
      method,
      path: here(path),
      headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const text = JSON.stringify(script.steps);
  const touched = kinds.filter((kind) => text.includes(`/${kind.plural}`));
  for (const kind of touched) {
    const all =
      kind.namespaced || kind.custom
        ? namesIn((await send('GET', collectionOf(kind))).body)
        : ['a', 'b', 'c'].map((name) => here(fullName(kind, name)));
    for (const [name, held] of all.map((each) => (typeof each === 'string' ? ([each, true] as const) : each))) {
      const path = `${collectionOf(kind)}/${name}`;
      await send('DELETE', path, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
      if (!held) continue;
      await send('PATCH', path, [{ op: 'remove', path: '/metadata/finalizers' }], 'application/json-patch+json');
      if (kind.plural === 'namespaces') await endNamespace(send, name);
    }
  }
  if (group === undefined) await removeCrds(server, `${code}.example.com`);
  await send('DELETE', '/api/v1/namespaces/${ns}');
  await endNamespace(send, code);
}

/** The CRDs of a group go, and all that is left of their objects. */
export async function removeCrds(server: Transport, group: string): Promise<void> {
  for (const plural of Object.keys(crds)) {
    await server.request({ method: 'DELETE', path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`, headers });
  }
}

/** What the namespace controller would do, which need not run. */
async function endNamespace(send: (method: string, path: string, body?: unknown) => Promise<unknown>, name: string): Promise<void> {
  await send('PUT', `/api/v1/namespaces/${name}/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
    spec: { finalizers: [] },
  });
}

/** The names in a list, if it is one, and whether finalizers hold the object. */
function namesIn(body: string): readonly (readonly [string, boolean])[] {
  if (!body.startsWith('{')) return [];
  const { items = [] } = JSON.parse(body) as {
    readonly items?: readonly { readonly metadata: { readonly name: string; readonly finalizers?: readonly string[] } }[];
  };
  return items.map(({ metadata }) => [metadata.name, (metadata.finalizers ?? []).length > 0]);
}
