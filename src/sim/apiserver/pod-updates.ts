import type { KubeObject } from '../etcd/object.js';

type Fields = Readonly<Record<string, unknown>>;

/** The endpoints of a pod that take one part of it. */
export function isPodPart(subresource: string | undefined): subresource is 'ephemeralcontainers' | 'resize' {
  return subresource === 'ephemeralcontainers' || subresource === 'resize';
}

/** UP-22: everything else in the request is ignored. */
export function forPodPart(part: 'ephemeralcontainers' | 'resize', sent: KubeObject, current: KubeObject): KubeObject {
  if (part === 'ephemeralcontainers') {
    const { ephemeralContainers: _, ...spec } = current.spec ?? {};
    const added = sent.spec?.ephemeralContainers;
    return { ...current, spec: added === undefined ? spec : { ...spec, ephemeralContainers: added } };
  }
  const containers = resized(sent.spec?.containers, current.spec?.containers);
  const initContainers = resized(sent.spec?.initContainers, current.spec?.initContainers);
  return { ...current, spec: { ...current.spec, containers, ...(initContainers !== undefined && { initContainers }) } };
}

function resized(sent: readonly Fields[] | undefined, current: readonly Fields[] | undefined): readonly Fields[] | undefined {
  if (sent === undefined || current === undefined || sent.length !== current.length) return sent;
  if (sent.some(({ name }, index) => name !== current[index]?.name)) return sent;
  return current.map((container, index) => {
    const { resources, resizePolicy } = sent[index] as Fields;
    return { ...container, resources, ...(resizePolicy !== undefined && { resizePolicy }) };
  });
}

/** TK-7: what a kubelet leaves out or gets wrong in a status. */
export function withReportedStatus(pod: KubeObject, current: KubeObject): KubeObject {
  const status: Record<string, unknown> = { ...pod.status };
  status.qosClass ??= current.status?.qosClass;
  if (status.qosClass === undefined) delete status.qosClass;
  return { ...pod, status };
}

/** TK-7: the first of a pod's addresses is its address, which wins when they differ. */
export function withPodAddresses(pod: KubeObject): KubeObject {
  const { podIP, podIPs } = (pod.status ?? {}) as { readonly podIP?: string; readonly podIPs?: readonly { readonly ip?: string }[] };
  if (podIP === undefined) {
    const first = podIPs?.[0]?.ip;
    return first === undefined ? pod : { ...pod, status: { ...pod.status, podIP: first } };
  }
  return podIPs?.[0]?.ip === podIP ? pod : { ...pod, status: { ...pod.status, podIPs: [{ ip: podIP }] } };
}
