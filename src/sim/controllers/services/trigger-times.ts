import type { KubeObject } from '../../etcd/object.js';
import { podCondition } from '../pod-state.js';
import { pathOfObject } from '../references.js';

export const triggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

interface Seen {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

/** When the oldest of the changes came about that a look at a Service acts on (WL-108). */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** @returns in RFC 3339; undefined: nothing has changed since the last look that has a time */
  next(service: KubeObject, pods: readonly KubeObject[]): string | undefined {
    const key = pathOfObject(service);
    const before = this.#seen.get(key);
    const { creationTimestamp = '' } = service.metadata;
    const times = new Map<string, string>();
    const changed: string[] = [];
    for (const pod of pods) {
      const { name = '' } = pod.metadata;
      const time = podCondition(pod, 'Ready')?.lastTransitionTime ?? '';
      if (time === '') continue;
      times.set(name, time);
      if (time > (before?.pods.get(name) ?? '')) changed.push(time);
    }
    if (creationTimestamp > (before?.service ?? '')) changed.push(creationTimestamp);
    this.#seen.set(key, { service: creationTimestamp, pods: times });
    return before === undefined ? creationTimestamp : changed.sort()[0];
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}
