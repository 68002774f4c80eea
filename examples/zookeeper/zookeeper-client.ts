import { type Client, PersistentVolumeClaim, Pod, type Reader, rawPatch } from 'seatrial';
import type { ZookeeperCluster } from './zookeepercluster-types.js';

/** What the operator asks of the ensemble. */
export interface ZookeeperClient {
  connect(uri: string): Promise<void>;
  /** Makes the node and those above it. @throws if any of them is there already */
  createNode(cluster: ZookeeperCluster, path: string): Promise<void>;
  /** The version of the node, which here is what it holds: a count would tell runs apart that end alike. @throws if it is not there */
  nodeExists(cluster: ZookeeperCluster, path: string): Promise<string>;
  /** @throws if it has another version */
  updateNode(cluster: ZookeeperCluster, path: string, data: string, version: string): Promise<void>;
  close(): void;
}

/** What every znode holds, by its path. */
type Tree = Record<string, string>;

const treeAnnotation = 'model/znodes';

/**
 * A model of the ensemble, as small as may be. Its data is where that of ZooKeeper is, on the volumes: as an annotation of the
 * first member's claim. So it outlives the operator and the pods, and is gone with the claim. It answers when a member is ready.
 */
export function modelledZookeeper(client: Client, reader: Reader): ZookeeperClient {
  const claimOf = ({ metadata }: ZookeeperCluster) => ({ namespace: metadata.namespace ?? '', name: `data-${metadata.name}-0` });

  async function read(cluster: ZookeeperCluster): Promise<Tree> {
    const { namespace = '', name = '' } = cluster.metadata;
    const { items } = await reader.list(Pod, { namespace, labels: { app: name } });
    const ready = items.filter((pod) => pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'));
    if (ready.length === 0) throw new Error('zk: could not connect to a server');
    const { metadata } = await reader.get(PersistentVolumeClaim, claimOf(cluster));
    return JSON.parse(metadata.annotations?.[treeAnnotation] ?? '{}');
  }

  async function write(cluster: ZookeeperCluster, tree: Tree): Promise<void> {
    const annotations = { [treeAnnotation]: JSON.stringify(tree) };
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: claimOf(cluster) };
    await client.patch(claim, rawPatch('merge', { metadata: { annotations } }));
  }

  return {
    async connect() {},
    async createNode(cluster, path) {
      const tree = await read(cluster);
      const parent = path.slice(0, path.lastIndexOf('/'));
      for (const at of [parent, path]) {
        if (Object.hasOwn(tree, at)) throw new Error(`the znode ${at} cannot be created: zk: node already exists`);
        tree[at] = at === path ? `CLUSTER_SIZE=${cluster.spec.replicas}` : '';
      }
      await write(cluster, tree);
    },
    async nodeExists(cluster, path) {
      const node = (await read(cluster))[path];
      if (node === undefined) throw new Error(`there is no znode ${path}`);
      return node;
    },
    async updateNode(cluster, path, data, version) {
      const tree = await read(cluster);
      if (tree[path] !== version) throw new Error('zk: version conflict');
      await write(cluster, { ...tree, [path]: data });
    },
    close() {},
  };
}
