import type { ClientConfig } from './apiserver/admission/hooks.js';
import type { KubeObject } from './etcd/object.js';
import { serviceOf, webhookAddress } from './webhook.js';
import type { World } from './world.js';

/** A place where the API server is told that a webhook listens, and by what. */
export interface ConfiguredWebhook {
  /** As people name it: `ValidatingWebhookConfiguration webs, webhook validate.example.com`. */
  readonly by: string;
  /** See `webhookAddress`. */
  readonly address: string;
  /** Of the service, if it is reached by one. */
  readonly port: number;
}

const configurations: ReadonlySet<string> = new Set(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);

/** The webhooks that a world's first objects and definitions name. */
export function configuredWebhooks({ objects, crds }: Pick<World, 'objects' | 'crds'>): readonly ConfiguredWebhook[] {
  return [...crds.flatMap(ofDefinition), ...objects.flatMap(ofConfiguration)];
}

function ofDefinition({ metadata, spec }: KubeObject): readonly ConfiguredWebhook[] {
  const config: ClientConfig | undefined = spec?.conversion?.webhook?.clientConfig;
  return config === undefined ? [] : configured(`CustomResourceDefinition ${metadata.name}`, config);
}

function ofConfiguration({ kind, metadata, webhooks }: KubeObject): readonly ConfiguredWebhook[] {
  if (kind === undefined || !configurations.has(kind)) return [];
  return ((webhooks ?? []) as readonly { readonly name: string; readonly clientConfig?: ClientConfig }[]).flatMap(
    ({ name, clientConfig = {} }) => configured(`${kind} ${metadata.name}, webhook ${name}`, clientConfig),
  );
}

/** What the server would refuse anyway is left to it. */
function configured(by: string, { url, service }: ClientConfig): readonly ConfiguredWebhook[] {
  const text = service === undefined ? url : `${service.name}.${service.namespace}.svc${service.path ?? ''}`;
  const address = text === undefined ? undefined : webhookAddress(text);
  return address === undefined ? [] : [{ by, address, port: service?.port ?? 443 }];
}

/** The services in front of a world's webhooks, with the ports that configurations name; those that it brings itself are left out. */
export function webhookServices(world: World): readonly KubeObject[] {
  const brought = world.objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => placeOf(metadata));
  const named = configuredWebhooks(world);
  const services = new Map<string, KubeObject>();
  for (const text of Object.keys(world.webhooks)) {
    const service = serviceOf(text);
    if (service === undefined || brought.includes(placeOf(service))) continue;
    const ports = new Set([443, ...named.filter(({ address }) => isAt(address, service)).map(({ port }) => port)]);
    services.set(placeOf(service), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...service },
      spec: { ports: [...ports].map((port) => ({ name: `port-${port}`, port, targetPort: 9443 })) },
    });
  }
  return [...services.values()];
}

function isAt(address: string, place: { readonly namespace: string; readonly name: string }): boolean {
  const service = serviceOf(address);
  return service !== undefined && placeOf(service) === placeOf(place);
}

function placeOf({ namespace = 'default', name = '' }: KubeObject['metadata']): string {
  return `${namespace}/${name}`;
}
