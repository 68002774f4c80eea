import { applyMergePatch } from '../../../src/sim/apiserver/merge-patch.js';
import { patchFieldsOf, patchRoot } from '../../../src/sim/apiserver/openapi/patch-fields.js';
import { applyStrategicMergePatch } from '../../../src/sim/apiserver/strategic-merge-patch.js';
import type { JsonValue, KubeObject } from '../../../src/sim/etcd/object.js';
import { text } from './data.js';
import { difference, type Row, row } from './row.js';

interface Exchange {
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  readonly before: KubeObject;
  readonly patch: JsonValue;
  readonly after: KubeObject;
}

/** The patches that `kubectl edit` was recorded to send, and what a server made of them. */
export function kubectlEditRows(): readonly Row[] {
  const exchanges = JSON.parse(text('kubectl-edit/patches.json')) as readonly Exchange[];
  return exchanges.map((exchange) => row(exchange.name, () => difference(stable(exchange.after), stable(patched(exchange)))));
}

function patched({ contentType, before, patch }: Exchange): KubeObject {
  const document = before as unknown as Readonly<Record<string, JsonValue>>;
  if (!contentType.includes('strategic')) return applyMergePatch(document, patch) as unknown as KubeObject;
  const changes = patch as Readonly<Record<string, JsonValue>>;
  return applyStrategicMergePatch(
    document,
    changes,
    patchRoot(before.apiVersion ?? '', before.kind ?? ''),
    patchFieldsOf,
  ) as unknown as KubeObject;
}

/** Without what a write changes by itself. */
function stable(object: KubeObject): object {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
