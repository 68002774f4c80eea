import type { KubeObject } from '../../etcd/object.js';
import type { View } from '../view.js';

/** Where the scheduler says for which node a claim is to be bound. */
export const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node';

const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class';

/** How volumes are made for a claim. */
export interface ClassOfClaim {
  readonly name?: string;
  readonly provisioner: string;
  readonly reclaimPolicy: string;
  readonly waitsForConsumer: boolean;
}

/** What makes volumes where a scenario brings no StorageClass: every claim gets its own. */
const simplest = { provisioner: 'hostpath.csi.k8s.io', reclaimPolicy: 'Delete', waitsForConsumer: false };

/** The class of a claim; undefined: nobody makes volumes for it. */
export function classOf({ spec }: KubeObject, view: View): ClassOfClaim | undefined {
  const name: string | undefined = spec?.storageClassName;
  if (name === '') return undefined;
  const all = view.list('storageclasses.storage.k8s.io');
  if (all.length === 0) return { ...simplest, ...(name !== undefined && { name }) };
  const found = all.find(({ metadata }) =>
    name === undefined ? metadata.annotations?.[defaultAnnotation] === 'true' : metadata.name === name,
  );
  if (found === undefined || found.provisioner === 'kubernetes.io/no-provisioner') return undefined;
  return {
    name: found.metadata.name ?? '',
    provisioner: found.provisioner,
    reclaimPolicy: found.reclaimPolicy ?? 'Delete',
    waitsForConsumer: found.volumeBindingMode === 'WaitForFirstConsumer',
  };
}

/** Whether a claim is bound only once a pod that uses it has a node. */
export function waitsForConsumer(claim: KubeObject, view: View): boolean {
  const name: string | undefined = claim.spec?.storageClassName;
  const found = view.get('storageclasses.storage.k8s.io', name ?? '');
  return classOf(claim, view)?.waitsForConsumer ?? found?.volumeBindingMode === 'WaitForFirstConsumer';
}
