import { readFileSync } from 'node:fs';
import { act, type ClusterState, create, defineScenario, edit, fc, type KubeObject, remove, target } from 'seatrial';
import { parse } from 'yaml';
import { modelledZookeeper } from './zookeeper-client.js';
import { setupWithManager } from './zookeepercluster-controller.js';
import { ZookeeperCluster } from './zookeepercluster-types.js';

const crd = parse(readFileSync(new URL('./config/crd/zookeeper.pravega.io_zookeeperclusters.yaml', import.meta.url), 'utf8'));

function zookeeper(name: string, spec: object): KubeObject {
  return {
    apiVersion: 'zookeeper.pravega.io/v1beta1',
    kind: 'ZookeeperCluster',
    metadata: { name, namespace: 'default' },
    spec: { persistence: { reclaimPolicy: 'Delete' }, ...spec },
  };
}

const zk = target(ZookeeperCluster, 'default/zk');

const scaled = (replicas: number, at?: { atMs: number }) => edit(zk, ({ spec }) => Object.assign(spec, { replicas }), at);
const upgraded = (tag: string, at?: { atMs: number }) => edit(zk, ({ spec }) => Object.assign(spec.image, { tag }), at);
const restarted = () => edit(zk, ({ spec }) => Object.assign(spec, { triggerRollingRestart: true }));

/** An ensemble grows, is upgraded and shrinks; another is tried for a while and given up. */
export default defineScenario({
  name: 'zookeeper',
  about: 'the ZooKeeper operator of Pravega, ported',
  crds: [crd],
  operators: [
    { name: 'zookeeper-operator', setup: (manager) => setupWithManager(manager, modelledZookeeper(manager.client, manager.apiReader)) },
  ],
  workload: [
    create(zookeeper('zk', { replicas: 1, image: { tag: '0.2.14' } })),
    create(zookeeper('trial', { replicas: 1, pod: { serviceAccountName: 'trial' } }), { atMs: 30_000 }),
    scaled(3, { atMs: 120_000 }),
    upgraded('0.2.15', { atMs: 240_000 }),
    remove(target(ZookeeperCluster, 'default/trial'), { atMs: 300_000 }),
    scaled(2, { atMs: 420_000 }),
  ],
  acts: {
    scale: act(fc.integer({ min: 1, max: 4 }), (replicas) => scaled(replicas)),
    upgrade: act(fc.constantFrom('0.2.13', '0.2.14', '0.2.15'), (tag) => upgraded(tag)),
    restart: act(fc.constant(null), restarted),
  },
  goal: (state) => reached(state),
});

function reached(state: ClusterState): true | string {
  const cluster = state.get('zookeeperclusters.zookeeper.pravega.io', 'default', 'zk');
  const set = state.get('statefulsets.apps', 'default', 'zk');
  if (set?.status?.readyReplicas !== 2) return 'zk has not 2 ready members';
  if (cluster?.status?.readyReplicas !== 2 || cluster.status.members?.ready?.length !== 2)
    return 'the status of zk does not name 2 members';
  if (cluster.status.currentVersion !== cluster.spec.image.tag) return `the status of zk says version ${cluster.status.currentVersion}`;
  if (state.list('persistentvolumeclaims').length !== 2) return 'there are not 2 claims';
  return state.list('services').length === 3 || 'there are not 3 services';
}
