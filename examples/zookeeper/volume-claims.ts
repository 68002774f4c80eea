import { type Client, type Context, PersistentVolumeClaim } from 'seatrial';
import type { ZookeeperCluster } from './zookeepercluster-types.js';

/** Deletes the claims of members that are no more, once as many members are ready as there are to be. */
export async function cleanUpOrphanClaims(client: Client, instance: ZookeeperCluster, replicas: number, ctx: Context): Promise<void> {
  if ((instance.status.readyReplicas ?? 0) !== replicas) return;
  const claims = await claimsOf(client, instance);
  if (claims.length <= replicas) return;
  for (const claim of claims) if (ordinalOf(claim) >= replicas) await deleteClaim(client, claim, ctx);
}

export async function cleanUpAllClaims(client: Client, instance: ZookeeperCluster, ctx: Context): Promise<void> {
  for (const claim of await claimsOf(client, instance)) await deleteClaim(client, claim, ctx);
}

async function claimsOf(client: Client, { metadata }: ZookeeperCluster): Promise<readonly PersistentVolumeClaim[]> {
  const labels = { app: metadata.name ?? '', uid: metadata.uid ?? '' };
  return (await client.list(PersistentVolumeClaim, { namespace: metadata.namespace ?? '', labels })).items;
}

/** An error is written to the log, and that is all. */
async function deleteClaim(client: Client, { metadata }: PersistentVolumeClaim, ctx: Context): Promise<void> {
  const { name = '', namespace = '' } = metadata;
  try {
    await client.delete({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace } });
  } catch (error) {
    ctx.log(`the claim ${name} could not be deleted: ${error}`);
  }
}

function ordinalOf({ metadata }: PersistentVolumeClaim): number {
  const ordinal = /-(\d+)$/.exec(metadata.name ?? '');
  return ordinal === null ? -1 : Number(ordinal[1]);
}
