import type { KubeObject } from '../etcd/object.js';
import type { KindInfo } from './kinds.js';

const POD_TEMPLATE = { metadata: {}, spec: { containers: null } };

/** What the zero value of a built-in type shows besides its metadata (LW-14). Kinds that are not named show nothing. */
const ZERO_VALUES: Readonly<Record<string, object>> = {
  pods: { spec: { containers: null }, status: {} },
  services: { spec: {}, status: { loadBalancer: {} } },
  nodes: {
    spec: {},
    status: {
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: '',
        kernelVersion: '',
        osImage: '',
        containerRuntimeVersion: '',
        kubeletVersion: '',
        kubeProxyVersion: '',
        operatingSystem: '',
        architecture: '',
      },
    },
  },
  namespaces: { spec: {}, status: {} },
  events: {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  },
  'deployments.apps': { spec: { replicas: 0, selector: null, template: POD_TEMPLATE, strategy: {} }, status: {} },
  'statefulsets.apps': {
    spec: { replicas: 0, selector: null, template: POD_TEMPLATE, serviceName: '', updateStrategy: {} },
    status: { replicas: 0, availableReplicas: 0 },
  },
  'replicasets.apps': { spec: { replicas: 0, selector: null, template: POD_TEMPLATE }, status: { replicas: 0 } },
  'daemonsets.apps': {
    spec: { selector: null, template: POD_TEMPLATE, updateStrategy: {} },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  },
  'jobs.batch': { spec: { template: POD_TEMPLATE }, status: {} },
  'leases.coordination.k8s.io': { spec: {} },
  'roles.rbac.authorization.k8s.io': { rules: null },
  'clusterroles.rbac.authorization.k8s.io': { rules: null },
  'poddisruptionbudgets.policy': {
    spec: {},
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
};

/** The object of a BOOKMARK: the zero value of its type at a revision; `initialEventsEnd` marks the end of the first state (LW-13). */
export function bookmarkObject(kind: KindInfo, revision: number, initialEventsEnd: boolean): KubeObject {
  const zero = kind.custom ? undefined : ZERO_VALUES[kind.resource];
  return Object.freeze({
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    metadata: {
      resourceVersion: String(revision),
      ...(initialEventsEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
    },
    ...zero,
  });
}

const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;

/** LW-14: when the next bookmark is due: once a minute, or two seconds before the end if that is sooner. Undefined: no more. */
export function nextBookmark(nowMs: number, endsAtMs: number): number | undefined {
  const beforeEndMs = endsAtMs - BOOKMARK_BEFORE_END_MS;
  if (nowMs + BOOKMARK_EVERY_MS <= beforeEndMs) return nowMs + BOOKMARK_EVERY_MS;
  return beforeEndMs > nowMs ? beforeEndMs : undefined;
}
