import {
  addFinalizer,
  type Client,
  type ClientObject,
  ConfigMap,
  type Context,
  containsFinalizer,
  generationChanged,
  ignoreNotFound,
  type Kind,
  type Manager,
  newControllerManagedBy,
  Pod,
  PodDisruptionBudget,
  type ReconcileRequest,
  type Reconciler,
  type Result,
  removeFinalizer,
  Service,
  ServiceAccount,
  StatefulSet,
  setControllerReference,
} from 'seatrial';
import {
  clientServiceName,
  clusterDomain,
  makeAdminServerService,
  makeClientService,
  makeConfigMap,
  makeHeadlessService,
  makePodDisruptionBudget,
  makeServiceAccount,
  makeStatefulSet,
  syncConfigMap,
  syncService,
  syncStatefulSet,
} from './generators.js';
import { clearUpgradeStatus, upgradeStatefulSet } from './upgrade.js';
import { cleanUpAllClaims, cleanUpOrphanClaims } from './volume-claims.js';
import type { ZookeeperClient } from './zookeeper-client.js';
import { withDefaults } from './zookeepercluster-defaults.js';
import {
  conditionError,
  conditionPodsReady,
  initStatus,
  isInReadyState,
  isInUpgradeFailedState,
  isInUpgradingState,
  rfc3339,
  setCondition,
} from './zookeepercluster-status.js';
import { type DefaultedCluster, portNamed, ZookeeperCluster } from './zookeepercluster-types.js';

const finalizer = 'cleanUpZookeeperPVC';
const reconcileTimeMs = 30_000;

/** Keeps the ensembles of ZookeeperClusters: the Go operator's ZookeeperClusterReconciler, step by step. */
export class ZookeeperClusterReconciler implements Reconciler {
  constructor(
    private readonly client: Client,
    private readonly zkClient: ZookeeperClient,
  ) {}

  async reconcile(request: ReconcileRequest, ctx: Context): Promise<Result | undefined> {
    const instance = await this.client.get(ZookeeperCluster, request).catch(ignoreNotFound);
    if (instance === undefined) return; // What it owned is collected.
    instance.status ??= {};
    let changed = withDefaults(instance);
    if (instance.spec.triggerRollingRestart) {
      instance.spec.pod = { ...instance.spec.pod, annotations: { ...instance.spec.pod?.annotations, restartTime: rfc3339(ctx.nowMs()) } };
      instance.spec.triggerRollingRestart = false;
      changed = true;
    }
    if (changed) {
      await this.client.update(instance);
      return { requeue: true };
    }
    const cluster = instance as DefaultedCluster;
    if ((await this.reconcileFinalizers(cluster, ctx)) === 'finalizer done') return;
    await this.reconcileConfigMap(cluster);
    await this.reconcileStatefulSet(cluster, ctx);
    await this.reconcileClientService(cluster);
    await this.reconcileHeadlessService(cluster);
    await this.reconcileAdminServerService(cluster);
    await this.reconcilePodDisruptionBudget(cluster);
    await this.reconcileClusterStatus(cluster, ctx);
    // Whatever is missing is made again after a while.
    return { requeueAfterMs: reconcileTimeMs };
  }

  /** The claims of an ensemble go with it, and those of members that are no more, if the user has asked for it. */
  private async reconcileFinalizers(instance: DefaultedCluster, ctx: Context): Promise<'go on' | 'finalizer done'> {
    const { persistence, replicas } = instance.spec;
    if (persistence !== undefined && persistence.reclaimPolicy !== 'Delete') return 'go on';
    if (instance.metadata.deletionTimestamp === undefined) {
      if (addFinalizer(instance, finalizer)) {
        await this.client.update(instance);
        instance.status ??= {}; // In Go the struct is there whatever the answer holds.
      }
      await cleanUpOrphanClaims(this.client, instance, replicas, ctx);
      return 'go on';
    }
    if (containsFinalizer(instance, finalizer)) {
      await cleanUpAllClaims(this.client, instance, ctx);
      removeFinalizer(instance, finalizer);
      await this.client.update(instance);
    }
    return 'finalizer done';
  }

  private async reconcileStatefulSet(instance: DefaultedCluster, ctx: Context): Promise<void> {
    const sts = makeStatefulSet(instance);
    setControllerReference(instance, sts);
    if (isInUpgradeFailedState(instance.status)) {
      await this.recoverFailedUpgrade(instance, ctx);
      if (isInUpgradeFailedState(instance.status)) return;
    }
    if (instance.spec.pod.serviceAccountName !== 'default') await this.reconcileServiceAccount(instance);

    const found = await this.find(StatefulSet, sts);
    if (found === undefined) {
      // In Go the labels of the set are the very map of the spec: what is made later in this pass has the label too.
      Object.assign(instance.spec.labels, { 'owner-rv': instance.metadata.resourceVersion });
      await this.client.create(sts);
      return;
    }
    found.metadata.labels ??= {};
    const order = compareResourceVersion(instance, found);
    if (order < 0) {
      const seen = found.metadata.labels['owner-rv'];
      throw new Error(`stale: the cluster has resource version ${instance.metadata.resourceVersion}, its set is of ${seen}`);
    }
    if (order > 0) found.metadata.labels['owner-rv'] = instance.metadata.resourceVersion ?? '';
    if (sts.spec?.replicas !== found.spec?.replicas) await this.storeClusterSize(instance);

    syncStatefulSet(found, sts);
    await this.client.update(found);
    instance.status.replicas = found.status?.replicas ?? 0;
    instance.status.readyReplicas = found.status?.readyReplicas ?? 0;
    await upgradeStatefulSet(this.client, instance, found, ctx);
  }

  private async recoverFailedUpgrade(instance: DefaultedCluster, ctx: Context): Promise<void> {
    const found = await this.find(StatefulSet, makeStatefulSet(instance)).catch(() => undefined);
    if (found === undefined) return;
    await this.client.update(found);
    const { replicas = 0, readyReplicas = 0, currentRevision, updateRevision } = found.status ?? {};
    if (replicas !== readyReplicas || currentRevision !== updateRevision) return;
    instance.status.currentVersion = instance.status.targetVersion ?? '';
    setCondition(instance.status, { type: conditionError, status: 'False' }, ctx.nowMs());
    await clearUpgradeStatus(this.client, instance, ctx);
  }

  /** Members that leave read the size of the ensemble from a znode. */
  private async storeClusterSize(instance: DefaultedCluster): Promise<void> {
    const path = metaPath(instance);
    await this.zkClient.connect(serviceUri(instance));
    try {
      const version = await this.zkClient.nodeExists(instance, path);
      // An error here is not looked at.
      await this.zkClient.updateNode(instance, path, `CLUSTER_SIZE=${instance.spec.replicas}`, version).catch(() => {});
    } finally {
      this.zkClient.close();
    }
  }

  private async reconcileServiceAccount(instance: DefaultedCluster): Promise<void> {
    const account = makeServiceAccount(instance);
    setControllerReference(instance, account);
    const found = await this.find(ServiceAccount, account);
    if (found === undefined) {
      await this.client.create(account);
      return;
    }
    if (account.imagePullSecrets !== undefined) found.imagePullSecrets = account.imagePullSecrets;
    await this.client.update(found);
  }

  private async reconcileClientService(instance: DefaultedCluster): Promise<void> {
    const found = await this.createOrSync(Service, makeClientService(instance), instance, syncService);
    if (found === undefined) return;
    const port = portNamed(instance, 'client');
    instance.status.internalClientEndpoint = `${found.spec?.clusterIP}:${port}`;
    if (found.spec?.type !== 'LoadBalancer') instance.status.externalClientEndpoint = 'N/A';
    for (const { ip } of found.status?.loadBalancer?.ingress ?? [])
      if (found.spec?.type === 'LoadBalancer' && ip) instance.status.externalClientEndpoint = `${ip}:${port}`;
  }

  private async reconcileHeadlessService(instance: DefaultedCluster): Promise<void> {
    await this.createOrSync(Service, makeHeadlessService(instance), instance, syncService);
  }

  private async reconcileAdminServerService(instance: DefaultedCluster): Promise<void> {
    await this.createOrSync(Service, makeAdminServerService(instance), instance, syncService);
  }

  private async reconcileConfigMap(instance: DefaultedCluster): Promise<void> {
    await this.createOrSync(ConfigMap, makeConfigMap(instance), instance, syncConfigMap);
  }

  /** A budget is made, and never changed afterwards. */
  private async reconcilePodDisruptionBudget(instance: DefaultedCluster): Promise<void> {
    const budget = makePodDisruptionBudget(instance);
    setControllerReference(instance, budget);
    if ((await this.find(PodDisruptionBudget, budget)) === undefined) await this.client.create(budget);
  }

  private async reconcileClusterStatus(instance: DefaultedCluster, ctx: Context): Promise<void> {
    const { status, spec, metadata } = instance;
    if (isInUpgradingState(status) || isInUpgradeFailedState(status)) return;
    initStatus(status, ctx.nowMs());
    const { items } = await this.client.list(Pod, { namespace: metadata.namespace ?? '', labels: { app: metadata.name ?? '' } });
    // A pod that says nothing of its containers yet counts as ready.
    const isReady = (pod: Pod) => (pod.status?.containerStatuses ?? []).every(({ ready }) => ready);
    // The Go code does not sort. There a cached list comes in random order, and the status is written anew for nothing.
    const names = (pods: readonly Pod[]) => pods.map((pod) => pod.metadata.name ?? '').sort();
    status.members = { ready: names(items.filter(isReady)), unready: names(items.filter((pod) => !isReady(pod))) };

    const allReady = spec.replicas === (status.readyReplicas ?? 0);
    if (allReady && !status.metaRootCreated) {
      await this.zkClient.connect(serviceUri(instance));
      try {
        await this.zkClient.createNode(instance, metaPath(instance));
      } finally {
        this.zkClient.close();
      }
      status.metaRootCreated = true;
    }
    setCondition(status, { type: conditionPodsReady, status: allReady ? 'True' : 'False' }, ctx.nowMs());
    if (!status.currentVersion && isInReadyState(status)) status.currentVersion = spec.image.tag;
    await this.client.status().update(instance);
  }

  /** Makes what is not there; brings up to date what is, and returns it. */
  private async createOrSync<T extends ClientObject>(
    kind: Kind<T>,
    wanted: T,
    instance: DefaultedCluster,
    sync: (found: T, wanted: T) => void,
  ): Promise<T | undefined> {
    setControllerReference(instance, wanted);
    const found = await this.find(kind, wanted);
    if (found === undefined) {
      await this.client.create(wanted);
      return undefined;
    }
    sync(found, wanted);
    await this.client.update(found);
    return found;
  }

  private find<T extends ClientObject>(kind: Kind<T>, { metadata }: T): Promise<T | undefined> {
    return this.client.get(kind, { namespace: metadata.namespace, name: metadata.name ?? '' }).catch(ignoreNotFound);
  }
}

/** Below 0 when the instance is older than what the set was last made from. */
function compareResourceVersion(instance: ZookeeperCluster, sts: StatefulSet): number {
  const seen = Number.parseInt(sts.metadata.labels?.['owner-rv'] ?? '', 10);
  return Number.isNaN(seen) ? 1 : Number.parseInt(instance.metadata.resourceVersion ?? '', 10) - seen;
}

function serviceUri(z: DefaultedCluster): string {
  return `${clientServiceName(z)}.${z.metadata.namespace}.svc.${clusterDomain(z)}:${portNamed(z, 'client')}`;
}

function metaPath(z: ZookeeperCluster): string {
  return `/zookeeper-operator/${z.metadata.name}`;
}

/** Events count when a generation has changed: the end of a roll-out is seen at the next look, up to 30 s later. */
export function setupWithManager(manager: Manager, zkClient: ZookeeperClient): void {
  newControllerManagedBy(manager)
    .for(ZookeeperCluster)
    .owns(StatefulSet)
    .owns(Service)
    .owns(Pod)
    .withEventFilter(generationChanged())
    .complete(new ZookeeperClusterReconciler(manager.client, zkClient));
}
