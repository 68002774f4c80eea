import type { KubeObject } from '../../etcd/object.js';
import { affinityAllows, toleratesTaints } from '../node-fit.js';
import { tolerationsOf } from './pods.js';

/** What a DaemonSet wants of a node (WL-77). */
export interface Wish {
  /** A pod shall be made when there is none. */
  readonly shouldRun: boolean;
  /** A pod that is there may stay. */
  readonly mayStay: boolean;
}

/** WL-77, WL-79: where pods are made, and where those that are there are left alone. */
export function wishFor(daemonSet: KubeObject, node: KubeObject): Wish {
  const spec = daemonSet.spec?.template?.spec;
  const fixed: string = spec?.nodeName ?? '';
  if ((fixed !== '' && fixed !== node.metadata.name) || !affinityAllows(spec, node)) return { shouldRun: false, mayStay: false };
  const tolerations = tolerationsOf(daemonSet);
  if (toleratesTaints(tolerations, node, ['NoSchedule', 'NoExecute'])) return { shouldRun: true, mayStay: true };
  return { shouldRun: false, mayStay: toleratesTaints(tolerations, node, ['NoExecute']) };
}
