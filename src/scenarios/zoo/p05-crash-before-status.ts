import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { ConfigMap } from '../../sim/runtime/built-in-kinds.js';
import type { Client } from '../../sim/runtime/client.js';
import { setControllerReference } from '../../sim/runtime/controllerutil.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import type { ReconcileRequest } from '../../sim/runtime/reconciler.js';
import { create, defineScenario } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Database extends ClientObject {
  spec: { size: string };
  status?: { phase: string };
}

const Database = defineKind<Database>('db.example.com/v1', 'Database');

/** Says in the status that it is provisioned only in the pass that provisions it. */
async function reconcileOnce(client: Client, request: ReconcileRequest): Promise<void> {
  const database = await read(client, request);
  if (database === undefined || (await provisioned(client, request))) return;
  await client.create(settingsOf(database));
  await markReady(client, database);
}

/** Looks at what is there in every pass, and at what the status says of it. */
async function reconcileByLevel(client: Client, request: ReconcileRequest): Promise<void> {
  const database = await read(client, request);
  if (database === undefined) return;
  if (!(await provisioned(client, request))) await client.create(settingsOf(database));
  if (database.status?.phase !== 'Ready') await markReady(client, database);
}

function read(client: Client, request: ReconcileRequest): Promise<Database | undefined> {
  return client.get(Database, request).catch(ignoreNotFound);
}

async function provisioned(client: Client, request: ReconcileRequest): Promise<boolean> {
  const key = { namespace: request.namespace, name: `${request.name}-settings` };
  return (await client.get(ConfigMap, key).catch(ignoreNotFound)) !== undefined;
}

function settingsOf(database: Database): ConfigMap {
  const { name, namespace } = database.metadata;
  const settings: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-settings`, namespace: namespace ?? '' },
    data: { size: database.spec.size },
  };
  setControllerReference(database, settings);
  return settings;
}

async function markReady(client: Client, database: Database): Promise<void> {
  database.status = { phase: 'Ready' };
  await client.status().update(database);
}

function scenario(name: string, reconcile: (client: Client, request: ReconcileRequest) => Promise<void>) {
  return defineScenario({
    name,
    crds: [plainCrd(Database)],
    operators: [
      {
        name: 'database-operator',
        setup(manager) {
          newControllerManagedBy(manager)
            .for(Database)
            .owns(ConfigMap)
            .complete((request) => reconcile(manager.client, request));
        },
      },
    ],
    workload: [create(wish(Database, 'orders', { size: '10Gi' }))],
  });
}

/** A crash between the two writes, or an answer to the first that gets lost, and the next pass finds the work done. */
export const crashBeforeStatus: Mistake = {
  id: 'P05',
  title: 'work done and status written in one pass, and the next pass takes the work as proof of both',
  property: 'statusHonest',
  broken: scenario('p05-crash-before-status', reconcileOnce),
  fixed: scenario('p05-crash-before-status-fixed', reconcileByLevel),
};
