import { isDeepStrictEqual } from 'node:util';
import {
  addFinalizer,
  type Client,
  type Context,
  containsFinalizer,
  Deployment,
  isNotFound,
  type Manager,
  newControllerManagedBy,
  Pod,
  type ReconcileRequest,
  type Reconciler,
  type Result,
  removeFinalizer,
  type Service,
  setControllerReference,
  setStatusCondition,
} from 'seatrial';
import { Memcached } from './memcached-types.js';

const memcachedFinalizer = 'cache.example.com/finalizer';

// Definitions to manage status conditions
const typeAvailableMemcached = 'Available';
const typeDegradedMemcached = 'Degraded';

/** MemcachedReconciler reconciles a Memcached object */
export class MemcachedReconciler implements Reconciler {
  constructor(private readonly client: Client) {}

  async reconcile(req: ReconcileRequest, ctx: Context): Promise<Result | undefined> {
    // Fetch the Memcached instance
    let memcached: Memcached;
    try {
      memcached = await this.client.get(Memcached, req);
    } catch (err) {
      // If the custom resource is not found then it usually means that it was deleted or not created
      if (isNotFound(err)) return;
      throw err;
    }
    memcached.status ??= {};

    // Let's just set the status as Unknown when no status is available
    if (memcached.status.conditions === undefined || memcached.status.conditions.length === 0) {
      setStatusCondition(
        memcached.status,
        { type: typeAvailableMemcached, status: 'Unknown', reason: 'Reconciling', message: 'Starting reconciliation' },
        ctx,
      );
      await this.client.status().update(memcached);
    }

    // Let's add a finalizer. Then, we can define some operations which should occur before the custom resource is deleted.
    if (memcached.metadata.deletionTimestamp === undefined && addFinalizer(memcached, memcachedFinalizer)) {
      await this.client.update(memcached);
    }

    // Check if the Memcached instance is marked to be deleted
    if (memcached.metadata.deletionTimestamp !== undefined) {
      if (containsFinalizer(memcached, memcachedFinalizer)) {
        setStatusCondition(
          memcached.status,
          { type: typeDegradedMemcached, status: 'True', reason: 'Finalizing', message: 'Performing finalizer operations' },
          ctx,
        );
        await this.client.status().update(memcached);
        await this.doFinalizerOperationsForMemcached(memcached, ctx);
        removeFinalizer(memcached, memcachedFinalizer);
        await this.client.update(memcached);
      }
      return;
    }

    // Check if the deployment already exists, if not create a new one
    let found: Deployment;
    try {
      found = await this.client.get(Deployment, req);
    } catch (err) {
      if (!isNotFound(err)) throw err;
      await this.client.create(this.deploymentForMemcached(memcached));
      // The pods are reached by a service
      await this.client.create(this.serviceForMemcached(memcached));
      // Deployment created successfully: we will be called again when its state changes
      return;
    }

    // The CRD API defines that the size is the wanted number of replicas: ensure that the deployment is the same
    const size = memcached.spec.size;
    if (found.spec !== undefined && found.spec.replicas !== size) {
      found.spec.replicas = size;
      await this.client.update(found);
    }

    // Update the Memcached status with the pod names
    const podList = await this.client.list(Pod, { namespace: req.namespace, labels: labelsForMemcached(req.name) });
    const podNames = podList.items.map((pod) => pod.metadata.name ?? '').sort();
    const nodes = memcached.status.nodes;
    const available = memcached.status.conditions?.find(({ type }) => type === typeAvailableMemcached);
    if (isDeepStrictEqual(podNames, nodes) && available?.status === 'True') return;
    memcached.status.nodes = podNames;
    setStatusCondition(
      memcached.status,
      {
        type: typeAvailableMemcached,
        status: 'True',
        reason: 'Reconciling',
        message: `Deployment for custom resource (${memcached.metadata.name}) created successfully`,
      },
      ctx,
    );
    await this.client.status().update(memcached);
    return;
  }

  /** Performs the required operations before the custom resource is deleted: the service has no owner. */
  private async doFinalizerOperationsForMemcached(memcached: Memcached, ctx: Context): Promise<void> {
    try {
      await this.client.delete(this.serviceForMemcached(memcached));
    } catch (err) {
      ctx.log(`unable to delete service: ${err}`);
    }
  }

  /** Returns a Memcached Deployment object */
  private deploymentForMemcached(memcached: Memcached): Deployment {
    const { name = '', namespace = '' } = memcached.metadata;
    const labels = labelsForMemcached(name);
    const dep: Deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace },
      spec: {
        replicas: memcached.spec.size,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                image: 'memcached:1.6.26-alpine3.19',
                name: 'memcached',
                imagePullPolicy: 'IfNotPresent',
                ports: [{ containerPort: memcached.spec.containerPort ?? 11211, name: 'memcached' }],
                command: ['memcached', '--memory-limit=64', '-o', 'modern', '-v'],
              },
            ],
          },
        },
      },
    };
    // Set the ownerRef for the Deployment
    setControllerReference(memcached, dep);
    return dep;
  }

  /** Returns the Service that leads to the pods */
  private serviceForMemcached(memcached: Memcached): Service {
    const { name = '', namespace = '' } = memcached.metadata;
    return {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector: labelsForMemcached(name), ports: [{ name: 'memcached', port: memcached.spec.containerPort ?? 11211 }] },
    };
  }
}

/** Returns the labels for selecting the resources */
function labelsForMemcached(name: string): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'Memcached',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/part-of': 'memcached-operator',
  };
}

/** Sets up the controller with the Manager. */
export function setupWithManager(mgr: Manager): void {
  newControllerManagedBy(mgr).for(Memcached).owns(Deployment).complete(new MemcachedReconciler(mgr.client));
}
