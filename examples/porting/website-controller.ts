import { createHash } from 'node:crypto';
import {
  addFinalizer,
  type Client,
  type ClientObject,
  type Condition,
  ConfigMap,
  type Context,
  containsFinalizer,
  createOrUpdate,
  Deployment,
  deepCopy,
  defineKind,
  type EventRecorder,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  isConflict,
  type KubeObject,
  type Manager,
  newControllerManagedBy,
  type ReconcileRequest,
  type Reconciler,
  type Result,
  removeFinalizer,
  semanticDeepEqual,
  setControllerReference,
  setStatusCondition,
} from 'seatrial';

export interface WebsiteSpec {
  image: string;
  replicas?: number;
  host: string;
  /** The ConfigMap with the pages. */
  content: string;
}

export interface WebsiteStatus {
  observedGeneration?: number;
  readyReplicas?: number;
  conditions?: Condition[];
}

export interface Website extends ClientObject {
  spec: WebsiteSpec;
  status?: WebsiteStatus;
}

export const Website = defineKind<Website>('web.example.com/v1', 'Website');

const finalizer = 'web.example.com/dns';
const contentField = '.spec.content';
const waitForContentMs = 60_000;

export class WebsiteReconciler implements Reconciler {
  constructor(
    private readonly client: Client,
    private readonly recorder: EventRecorder,
  ) {}

  async reconcile(req: ReconcileRequest, ctx: Context): Promise<Result | undefined> {
    const site = await this.client.get(Website, req).catch(ignoreNotFound);
    if (site === undefined) return;
    const base = deepCopy(site);

    if (site.metadata.deletionTimestamp !== undefined) return await this.reconcileDelete(site);
    if (addFinalizer(site, finalizer)) await this.client.update(site);

    const content = await this.client.get(ConfigMap, { namespace: req.namespace, name: site.spec.content }).catch(ignoreNotFound);
    if (content === undefined) this.setContentMissing(site, ctx);
    else {
      const deployment = await this.reconcileDeployment(site, content);
      await this.reconcileDNS(site);
      this.setStatus(site, deployment, ctx);
    }

    if (!semanticDeepEqual(base.status, site.status)) {
      try {
        await this.client.status().update(site);
      } catch (err) {
        if (isConflict(err)) return { requeue: true };
        throw new Error('cannot write the status', { cause: err });
      }
    }
    return content === undefined ? { requeueAfterMs: waitForContentMs } : undefined;
  }

  private async reconcileDelete(site: Website): Promise<undefined> {
    if (!containsFinalizer(site, finalizer)) return;
    await this.client.delete(dnsRecord(site)).catch(ignoreNotFound);
    removeFinalizer(site, finalizer);
    await this.client.update(site);
  }

  private async reconcileDeployment(site: Website, content: ConfigMap): Promise<Deployment> {
    const deployment: Deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: site.metadata.namespace ?? '', name: site.metadata.name ?? '' },
    };
    const result = await createOrUpdate(this.client, deployment, () => {
      const labels = { app: site.metadata.name ?? '' };
      deployment.spec = {
        ...deployment.spec,
        replicas: site.spec.replicas ?? 1,
        selector: { matchLabels: labels },
        template: deployment.spec?.template ?? { metadata: { labels } },
      };
      const { template } = deployment.spec;
      template.metadata = { ...template.metadata, annotations: { 'web.example.com/content': hashOf(content.data) } };
      const [container = { name: 'web' }] = template.spec?.containers ?? [];
      template.spec = { ...template.spec, containers: [{ ...container, image: site.spec.image }] };
      setControllerReference(site, deployment);
    });
    if (result !== 'unchanged') this.recorder.event(site, 'Normal', 'Rollout', `the deployment was ${result}`);
    return deployment;
  }

  private async reconcileDNS(site: Website): Promise<void> {
    const record = dnsRecord(site);
    await createOrUpdate(this.client, record, () => {
      record.data = { host: site.spec.host };
    });
  }

  private setStatus(site: Website, deployment: Deployment, ctx: Context): void {
    const readyReplicas = deployment.status?.readyReplicas ?? 0;
    const available = readyReplicas === (site.spec.replicas ?? 1);
    const observedGeneration = site.metadata.generation ?? 0;
    site.status = { ...site.status, readyReplicas, observedGeneration };
    setStatusCondition(
      site.status,
      {
        type: 'Available',
        status: available ? 'True' : 'False',
        reason: available ? 'AllReady' : 'RollingOut',
        message: '',
        observedGeneration,
      },
      ctx,
    );
  }

  private setContentMissing(site: Website, ctx: Context): void {
    const observedGeneration = site.metadata.generation ?? 0;
    site.status = { ...site.status, readyReplicas: 0, observedGeneration };
    setStatusCondition(
      site.status,
      { type: 'Available', status: 'False', reason: 'ContentMissing', message: `no ${site.spec.content}`, observedGeneration },
      ctx,
    );
  }
}

/** The records are in a namespace of their own, so that no owner reference can take care of them. */
function dnsRecord(site: Website): ConfigMap {
  const name = `${site.metadata.namespace}-${site.metadata.name}`;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'dns', name } };
}

function hashOf(data: ConfigMap['data']): string {
  const entries = Object.entries(data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 16);
}

export function setupWithManager(mgr: Manager): void {
  mgr.indexField(Website, contentField, (site) => [site.spec.content]);

  const sitesWithContent = async (content: KubeObject): Promise<ReconcileRequest[]> => {
    const { namespace = '', name = '' } = content.metadata;
    const sites = await mgr.client.list(Website, { namespace, fields: { [contentField]: name } });
    return sites.items.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }));
  };

  newControllerManagedBy(mgr)
    .for(Website)
    .owns(Deployment)
    .watches(ConfigMap, enqueueRequestsFromMapFunc(sitesWithContent))
    .complete(new WebsiteReconciler(mgr.client, mgr.eventRecorderFor('website-controller')));
}
