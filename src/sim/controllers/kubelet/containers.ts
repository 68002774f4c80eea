import type { KubeObject } from '../../etcd/object.js';

/** What the kubelet reads of a container. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy?: string;
  readonly readinessProbe?: { readonly initialDelaySeconds?: number };
}

export function containersOf(pod: KubeObject): readonly ContainerSpec[] {
  return pod.spec?.containers ?? [];
}

export function initContainersOf(pod: KubeObject): readonly ContainerSpec[] {
  return pod.spec?.initContainers ?? [];
}

/** An init container that runs beside the others instead of before them. */
export function isSidecar({ restartPolicy }: ContainerSpec): boolean {
  return restartPolicy === 'Always';
}

/** Without one a container is ready as soon as it runs. */
export function hasReadinessProbe(pod: KubeObject): boolean {
  return containersOf(pod).some(({ readinessProbe }) => readinessProbe !== undefined);
}
