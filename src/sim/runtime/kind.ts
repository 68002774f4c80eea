import { groupVersionOf, type ObjectMeta } from '../etcd/object.js';

/** What every object of a reconciler's own types has. An interface with these fields and more will do; so does KubeObject. */
export interface ClientObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** Where an object of a known kind is. */
export interface ObjectKey {
  /** Empty or absent for a cluster-scoped object. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** controller-runtime's client.ObjectKeyFromObject. */
export function objectKeyFromObject({ metadata }: ClientObject): ObjectKey {
  return { namespace: metadata.namespace, name: metadata.name ?? '' };
}

declare const objectType: unique symbol;

/** Names a kind in one version, and its TypeScript type: what a Go program says by `&cachev1alpha1.Memcached{}`. */
export interface Kind<T extends ClientObject = ClientObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** As in paths: `pods`. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** For the compiler alone; never set. */
  readonly [objectType]?: T;
}

/**
 * @param apiVersion `cache.example.com/v1alpha1`, or `v1` for the core group
 * @param options.plural by default the kind in lower case with the ending that Go's code generators give it
 * @param options.namespaced true by default
 */
export function defineKind<T extends ClientObject>(
  apiVersion: string,
  kind: string,
  options: { readonly plural?: string; readonly namespaced?: boolean } = {},
): Kind<T> {
  const { group, version } = parseApiVersion(apiVersion);
  return Object.freeze({ group, version, kind, plural: options.plural ?? pluralOf(kind), namespaced: options.namespaced ?? true });
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(kind: Pick<Kind, 'group' | 'version'>): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** @throws if the text has more than one slash, with the text of apimachinery's ParseGroupVersion (D13). */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  if (apiVersion.split('/').length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return groupVersionOf(apiVersion);
}

/** The resource as error texts and decision names say it: `pods`, `deployments.apps`. */
export function resourceOf(kind: Pick<Kind, 'group' | 'plural'>): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}

/** apimachinery's UnsafeGuessKindToResource, which CRD generators follow as well. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('s')) return `${singular}es`;
  if (singular.endsWith('y')) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
