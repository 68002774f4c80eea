import { ignoreAlreadyExists, ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { ConfigMap } from '../../sim/runtime/built-in-kinds.js';
import type { Client } from '../../sim/runtime/client.js';
import { addFinalizer, containsFinalizer, removeFinalizer } from '../../sim/runtime/controllerutil.js';
import { enqueueRequestsFromMapFunc } from '../../sim/runtime/event-handlers.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import type { Manager } from '../../sim/runtime/manager.js';
import type { ReconcileRequest } from '../../sim/runtime/reconciler.js';
import { create, defineScenario, remove, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Bucket extends ClientObject {
  spec: { region: string };
}

const Bucket = defineKind<Bucket>('storage.example.com/v1', 'Bucket');
const finalizer = 'storage.example.com/bucket';

/** Kept with the storage system's own things, in a namespace where no owner reference can lead. */
function recordOf({ namespace, name }: ReconcileRequest, region: string): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `bucket-${name}`, namespace: 'kube-system', labels: { bucket: name, of: namespace } },
    data: { region },
  };
}

/** Sends the deletion and lets the object go, whatever comes of it. */
async function reconcileTrusting({ client }: Manager, request: ReconcileRequest): Promise<void> {
  const bucket = await find(client, request);
  if (bucket === undefined) return;
  if (bucket.metadata.deletionTimestamp === undefined) {
    if (addFinalizer(bucket, finalizer)) await client.update(bucket);
    await client.create(recordOf(request, bucket.spec.region)).catch(ignoreAlreadyExists);
    return;
  }
  if (!containsFinalizer(bucket, finalizer)) return;
  removeFinalizer(bucket, finalizer);
  await client.update(bucket);
  await client.delete(recordOf(request, bucket.spec.region)).catch(ignoreNotFound);
}

/** Lets the object go only when the record is gone, and asks the server itself before it makes one. */
async function reconcileSure({ client, apiReader }: Manager, request: ReconcileRequest): Promise<void> {
  const bucket = await find(apiReader, request);
  const record = recordOf(request, bucket?.spec.region ?? '');
  if (bucket !== undefined && bucket.metadata.deletionTimestamp === undefined) {
    if (addFinalizer(bucket, finalizer)) await client.update(bucket);
    await client.create(record).catch(ignoreAlreadyExists);
    return;
  }
  await client.delete(record).catch(ignoreNotFound);
  if (bucket !== undefined && removeFinalizer(bucket, finalizer)) await client.update(bucket);
}

function find(reader: Pick<Client, 'get'>, request: ReconcileRequest): Promise<Bucket | undefined> {
  return reader.get(Bucket, request).catch(ignoreNotFound);
}

function scenario(name: string, reconcile: (manager: Manager, request: ReconcileRequest) => Promise<void>) {
  return defineScenario({
    name,
    crds: [plainCrd(Bucket)],
    operators: [
      {
        name: 'bucket-operator',
        setup(manager) {
          const bucketOf = enqueueRequestsFromMapFunc<ConfigMap>(({ metadata: { labels } }) =>
            labels?.bucket === undefined ? [] : [{ namespace: labels.of ?? '', name: labels.bucket }],
          );
          newControllerManagedBy(manager)
            .for(Bucket)
            .watches(ConfigMap, bucketOf)
            .complete((request) => reconcile(manager, request));
        },
      },
    ],
    workload: [create(wish(Bucket, 'photos', { region: 'eu' })), remove(target(Bucket, 'default/photos'))],
  });
}

/** Without its finalizer the object is gone at once, and with it the last reason to try the cleanup again. */
export const finalizerTooEarly: Mistake = {
  id: 'P40',
  title: 'finalizer taken away before the cleanup is known to be done',
  property: 'noOrphans',
  broken: scenario('p40-finalizer-too-early', reconcileTrusting),
  fixed: scenario('p40-finalizer-too-early-fixed', reconcileSure),
};
