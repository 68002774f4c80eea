import type { KubeObject } from '../etcd/object.js';
import { ownedBy } from './references.js';

/** What a ControllerRevision keeps of its owner: a patch that brings the template back. */
export function templateData(owner: KubeObject): unknown {
  return { spec: { template: { ...owner.spec?.template, $patch: 'replace' } } };
}

/** WL-56: a ControllerRevision to be made, with a label of its own beside those of the template. */
export function newRevision(
  owner: KubeObject,
  {
    name,
    label: [key, value],
    data,
    number,
  }: { readonly name: string; readonly label: readonly [string, string]; readonly data: unknown; readonly number: number },
): KubeObject {
  const { annotations } = owner.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      labels: { ...owner.spec?.template?.metadata?.labels, [key]: value },
      ...(annotations !== undefined && { annotations }),
      ...ownedBy(owner),
    },
    data,
    revision: number,
  };
}
