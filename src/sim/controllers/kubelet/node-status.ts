import { rfc3339 } from '../../apiserver/metadata.js';
import type { KubeObject } from '../../etcd/object.js';
import type { Host, ObjectFeed } from '../../host.js';
import { isConditionTrue } from '../conditions.js';
import type { Fates } from '../fates.js';
import { type Change, type Look, startLevelController } from '../level-controller.js';
import { pathOfObject } from '../references.js';
import { about, nodes } from '../requests.js';
import type { Sync } from '../sync.js';

/** What a node offers whose object does not say so. */
const resources = { cpu: '16', memory: '64Gi', 'ephemeral-storage': '100Gi', pods: '110' };

const conditions = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** The node that a cluster has when a scenario brings none, as the server has it. */
export function defaultNode(nowMs: number): KubeObject {
  const name = 'node-1';
  const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
  const metadata = { name, uid: '6e6f6465-2d31-4000-8000-000000000001', creationTimestamp: rfc3339(nowMs), labels };
  return { apiVersion: 'v1', kind: 'Node', metadata, spec: {}, status: statusOf({ metadata: { name } }, nowMs) };
}

/** What the machine of a node is. */
const nodeInfo = {
  architecture: 'amd64',
  bootID: '6d0f6f5a-2f0b-4f0e-9b0a-0d6f1f6c7e01',
  containerRuntimeVersion: 'containerd://2.1.4',
  kernelVersion: '6.12.48',
  kubeProxyVersion: '',
  kubeletVersion: 'v1.36.3',
  machineID: '6d0f6f5a2f0b4f0e9b0a0d6f1f6c7e01',
  operatingSystem: 'linux',
  osImage: 'Debian GNU/Linux 13 (trixie)',
  systemUUID: '6d0f6f5a-2f0b-4f0e-9b0a-0d6f1f6c7e01',
};

/** Says of each node that it is well, when the server has not got it so. */
export function startNodeStatus(host: Host, feed: ObjectFeed, fates: Fates): void {
  startLevelController(host, feed, {
    name: 'kubelet',
    program: 'kubelet',
    resource: 'nodes',
    own: ({ type, object }: Change) => (type === 'DELETED' || isWell(object) ? [] : [pathOfObject(object)]),
    related: {},
    wakes: (wake) => fates.onNode(wake),
    sync: (key, look) => sync(key, look, fates),
  });
}

function* sync(key: string, { view, host }: Look, fates: Fates): Sync {
  const node = view.get('nodes', key);
  if (node === undefined || isWell(node) || fates.silentSinceMs(key) !== undefined) return;
  yield about('patch', nodes, node, { status: statusOf(node, host.nowMs()) }, 'status');
}

function isWell(node: KubeObject): boolean {
  return isConditionTrue(node.status?.conditions, 'Ready');
}

function statusOf({ metadata, status }: KubeObject, nowMs: number): KubeObject['status'] {
  const now = rfc3339(nowMs);
  const { name = '' } = metadata;
  return {
    ...(status?.capacity === undefined && { capacity: resources, allocatable: resources }),
    conditions: conditions.map(([type, is, reason, message]) => {
      const times = { lastHeartbeatTime: now, lastTransitionTime: now };
      return { type, status: is, ...times, reason, message };
    }),
    ...(status?.addresses === undefined && { addresses: addressesOf(name) }),
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo,
  };
}

/** The machines of a cluster have addresses of one network, told apart by the number in their names. */
function addressesOf(name: string) {
  const number = Number(/(\d+)$/.exec(name)?.[1] ?? 0) % 250;
  return [
    { type: 'InternalIP', address: `192.168.0.${number + 1}` },
    { type: 'Hostname', address: name },
  ];
}
