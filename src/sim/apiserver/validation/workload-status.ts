import type { KubeObject } from '../../etcd/object.js';
import { invalidValue } from '../field-errors.js';
import { checkNonNegative, type Faults, type Fields } from './checks.js';

/** The counters of a status, which are never negative, and those that may not be larger than `replicas`. */
interface Counters {
  readonly all: readonly string[];
  readonly parts: readonly string[];
  /** What the server calls the ready ones when more are available. */
  readonly ready?: string;
}

const counters: ReadonlyMap<string, Counters> = new Map([
  [
    'deployments.apps',
    {
      all: [
        'observedGeneration',
        'replicas',
        'updatedReplicas',
        'readyReplicas',
        'availableReplicas',
        'unavailableReplicas',
        'terminatingReplicas',
        'collisionCount',
      ],
      parts: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
      ready: 'readyReplicas',
    },
  ],
  [
    'replicasets.apps',
    {
      all: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration', 'terminatingReplicas'],
      parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      ready: 'readyReplicas',
    },
  ],
  [
    'replicationcontrollers',
    {
      all: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
      parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      ready: 'readyReplicas',
    },
  ],
  [
    'statefulsets.apps',
    {
      all: ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas', 'observedGeneration', 'collisionCount'],
      parts: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
      ready: 'status.readyReplicas',
    },
  ],
  [
    'daemonsets.apps',
    {
      all: [
        'currentNumberScheduled',
        'numberMisscheduled',
        'desiredNumberScheduled',
        'numberReady',
        'observedGeneration',
        'updatedNumberScheduled',
        'numberAvailable',
        'numberUnavailable',
        'collisionCount',
      ],
      parts: [],
    },
  ],
]);

/** What a controller may not report of its pods. */
export function checkWorkloadStatus(faults: Faults, object: KubeObject, stored: KubeObject, resource: string): void {
  const known = counters.get(resource);
  if (known === undefined) return;
  const status: Fields = object.status ?? {};
  for (const name of known.all) checkNonNegative(faults, `status.${name}`, status[name]);
  for (const name of known.parts) {
    if ((status[name] ?? 0) <= (status.replicas ?? 0)) continue;
    faults.push(invalidValue(`status.${name}`, status[name] ?? 0, 'cannot be greater than status.replicas'));
  }
  if (known.ready !== undefined && (status.availableReplicas ?? 0) > (status.readyReplicas ?? 0)) {
    faults.push(invalidValue('status.availableReplicas', status.availableReplicas ?? 0, `cannot be greater than ${known.ready}`));
  }
  const before = stored.status?.collisionCount;
  if (before !== undefined && known.all.includes('collisionCount') && (status.collisionCount ?? -1) < before) {
    faults.push(invalidValue('status.collisionCount', status.collisionCount ?? 0, 'cannot be decremented'));
  }
}
