import type { KubeObject } from '../../etcd/object.js';
import { claimsOf } from '../pod-state.js';
import type { View } from '../view.js';
import { selectedNodeAnnotation, waitsForConsumer } from '../volumes/classes.js';

/** What about its claims keeps a pod from any node; undefined: nothing. */
export function obstacleOf(pod: KubeObject, view: View): string | undefined {
  for (const path of claimsOf(pod)) {
    const claim = view.get('persistentvolumeclaims', path);
    const name = path.slice(path.indexOf('/') + 1);
    if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
    if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
    if (!isBound(claim) && !waitsForConsumer(claim, view)) return 'pod has unbound immediate PersistentVolumeClaims';
  }
  return undefined;
}

/** The claims of a pod that are not bound yet; those that wait for a pod are bound for the node that is chosen. */
export function unboundClaims(pod: KubeObject, view: View): readonly KubeObject[] {
  return claimsOf(pod).flatMap((path) => {
    const claim = view.get('persistentvolumeclaims', path);
    return claim === undefined || isBound(claim) ? [] : [claim];
  });
}

/** For which node a claim is to be bound; undefined: that is not chosen yet. */
export function selectedNodeOf(claim: KubeObject): string | undefined {
  return claim.metadata.annotations?.[selectedNodeAnnotation];
}

/** The claim, to be bound for that node. */
export function withSelectedNode(claim: KubeObject, node: string): KubeObject {
  const annotations = { ...claim.metadata.annotations, [selectedNodeAnnotation]: node };
  return { ...claim, metadata: { ...claim.metadata, annotations } };
}

function isBound({ status }: KubeObject): boolean {
  return status?.phase === 'Bound';
}
