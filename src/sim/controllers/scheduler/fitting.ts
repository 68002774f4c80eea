import type { KubeObject } from '../../etcd/object.js';
import { affinityAllows, type Toleration, toleratesTaints } from '../node-fit.js';

/** The nodes that a pod may run on, and in the scheduler's words why it may not on the others. */
export function fitting(pod: KubeObject, nodes: readonly KubeObject[]): { readonly fit: readonly KubeObject[]; readonly reasons: string } {
  const counts = new Map<string, number>();
  const fit = nodes.filter((node) => {
    const reason = reasonAgainst(pod, node);
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return { fit, reasons: reasons.join(', ') };
}

const unschedulableTaint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Resources are not counted: a node of the simulation has room for all. */
function reasonAgainst({ spec }: KubeObject, node: KubeObject): string | undefined {
  const tolerations: readonly Toleration[] = spec?.tolerations ?? [];
  const cordon = { ...node, spec: { taints: [unschedulableTaint] } };
  if (node.spec?.unschedulable === true && !toleratesTaints(tolerations, cordon, ['NoSchedule'])) return 'node(s) were unschedulable';
  if (!toleratesTaints(tolerations, node, ['NoSchedule', 'NoExecute'])) return 'node(s) had untolerated taint(s)';
  if (!affinityAllows(spec, node)) return "node(s) didn't match Pod's node affinity/selector";
  return undefined;
}
