import type { KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { within } from '../fill.js';
import type { Operation } from './attributes.js';
import { withLimitDefaults } from './limit-ranges.js';
import { classified, withKeptPriority } from './pod-classes.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the server's own plugins fill in before any webhook looks, and again after each that has changed something (AD-1, AD-17).
 * @throws ApiStatusError 403
 */
export function fillIn(call: Call, operation: Operation, object: KubeObject): KubeObject {
  const { kind, request } = call;
  if (kind.resource === 'pods' && request.subresource === 'resize') return withLimitDefaults(call, object);
  if (kind.custom || request.subresource !== undefined) return object;
  switch (kind.resource) {
    case 'pods': {
      const known = operation === 'CREATE' ? classified(call, withLimitDefaults(call, object)) : withKeptPriority(call, object);
      return within(known, 'spec', withTolerations);
    }
    case 'nodes':
      return operation === 'CREATE' ? withTaint(object) : object;
    case 'persistentvolumeclaims':
      return operation === 'CREATE' ? withFinalizer(object, 'kubernetes.io/pvc-protection') : object;
    case 'persistentvolumes':
      return operation === 'CREATE' ? withFinalizer(object, 'kubernetes.io/pv-protection') : object;
    default:
      return object;
  }
}

/** DE-15 */
function withFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

const defaultTolerations = ['not-ready', 'unreachable'].map((condition) => ({
  key: `node.kubernetes.io/${condition}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));

function withTolerations(spec: Fields): Fields {
  const tolerations = (spec.tolerations ?? []) as readonly Fields[];
  const added = defaultTolerations.filter((toleration) => !tolerations.some((each) => each.key === toleration.key));
  return added.length === 0 ? spec : { ...spec, tolerations: [...tolerations, ...added] };
}

/** TK-11 */
function withTaint(node: KubeObject): KubeObject {
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const taints: readonly Fields[] = node.spec?.taints ?? [];
  if (taints.some((other) => other.key === taint.key && other.effect === taint.effect)) return node;
  return { ...node, spec: { ...node.spec, taints: [...taints, taint] } };
}
