import type { EtcdKey } from '../etcd/etcd.js';
import type { KubeObject } from '../etcd/object.js';
import type { ClientConfig } from './admission/hooks.js';
import type { NameRule, StatusMetadataField } from './kind-facts.js';
import { builtIns, kindsOfCrd } from './kind-sources.js';
import type { JsonSchema } from './schema/json-schema.js';

/** What discovery says of a resource. */
export interface KindData {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly SubresourceData[];
}

export interface SubresourceData {
  readonly name: string;
  readonly kind: string;
  /** Present when the subresource has a group version of its own (`autoscaling/v1` Scale). */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** One entry of `spec.versions` of a CustomResourceDefinition, as stored. */
export interface CustomVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: {
    readonly status?: object;
    readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath?: string };
  };
  readonly additionalPrinterColumns?: readonly {
    readonly name: string;
    readonly type: string;
    readonly jsonPath: string;
    readonly format?: string;
    readonly description?: string;
    readonly priority?: number;
  }[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** The conversion webhook of a definition. */
export interface WebhookConversion {
  readonly clientConfig: ClientConfig;
  readonly conversionReviewVersions: readonly string[];
  /** @throws ApiStatusError 500 */
  readonly convert: Convert;
}

/** An object in another version: what a server that can call webhooks does. */
export type Convert = (kind: KindInfo, object: KubeObject, apiVersion: string) => KubeObject;

/** Everything the handlers know of one served kind in one version. */
export interface KindInfo {
  readonly group: string;
  readonly version: string;
  /** `apps/v1`, or `v1` for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** The qualified plural of error texts: `pods`, `deployments.apps`. */
  readonly resource: string;
  /** `EtcdKey.resource`: as `resource`, but both Event APIs are kept under `events` (ST-18). */
  readonly storedAs: string;
  /** The apiVersion of the stored object. */
  readonly storedVersion: string;
  readonly verbs: ReadonlySet<string>;
  readonly subresources: ReadonlySet<string>;
  readonly data: KindData;
  readonly custom: boolean;
  /** The CRD's entry for this version; absent for built-in kinds. */
  readonly definition?: CustomVersion;
  /** All entries of the CRD, served or not: objects may be stored in any of them. Absent for built-in kinds. */
  readonly definitions?: readonly CustomVersion[];
  /** How objects get from one version to another when more than their apiVersion changes (CD-16). */
  readonly conversion?: WebhookConversion;
  /** UP-3 */
  readonly resourceVersionRequired: boolean;
  /** UP-14 */
  readonly createdOnUpdate: boolean;
  /** CR-10 */
  readonly generation: boolean;
  /** DE-9 */
  readonly deletedObjectReturned: boolean;
  /** DE-4 */
  readonly defaultPropagation: 'Background' | 'Orphan' | 'none';
  /** UP-16 */
  readonly statusMetadata: readonly StatusMetadataField[];
  /** CR-7 */
  readonly nameRule: NameRule;
  /** UP-19 */
  readonly lenientFinalizers: boolean;
  /** ST-18: the beginning of the etcd key: `/registry/pods`. */
  readonly registryPath: string;
}

const crdResource = 'customresourcedefinitions.apiextensions.k8s.io';

/** The kinds a server serves: the built-in ones, and those of the CustomResourceDefinitions it holds. */
export class Kinds {
  readonly #byResource = new Map<string, KindInfo>();
  readonly #byKind = new Map<string, KindInfo>();

  readonly #convert: Convert | undefined;
  readonly #converted = new Map<string, readonly KindInfo[]>();

  /** @param convert calls conversion webhooks; absent: only apiVersions are rewritten. */
  constructor(convert?: Convert) {
    this.#convert = convert;
    for (const kind of builtIns()) this.#add(kind);
  }

  /** By the parts of a path. Unserved versions are not found. */
  find(group: string, version: string, plural: string): KindInfo | undefined {
    return this.#byResource.get(`${group}/${version}/${plural}`);
  }

  findKind(group: string, version: string, kind: string): KindInfo | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** Built-in kinds in the order of discovery (HT-21), then custom ones in the order of their registration. */
  all(): Iterable<KindInfo> {
    return this.#byResource.values();
  }

  /** The kinds of a resource that are converted by webhooks. */
  converted(resource: string): readonly KindInfo[] {
    return this.#converted.get(resource) ?? [];
  }

  hasGroup(group: string): boolean {
    for (const kind of this.#byResource.values()) if (kind.group === group) return true;
    return false;
  }

  /** Whether the group is the server's own: its unknown paths are answered otherwise than a CRD's (HT-6). */
  hasBuiltInGroup(group: string): boolean {
    return builtIns().some((kind) => kind.group === group);
  }

  /** Serves what the CRD's spec says, in place of what the same CRD said before. */
  registerCrd(crd: KubeObject): void {
    this.unregisterCrd(crd.metadata.name as string);
    const kinds = kindsOfCrd(crd, this.#convert);
    for (const kind of kinds) this.#add(kind);
    this.#converted.set(
      crd.metadata.name as string,
      kinds.filter(({ conversion }) => conversion !== undefined),
    );
  }

  /** @param name the CRD's name, `<plural>.<group>`. */
  unregisterCrd(name: string): void {
    this.#converted.delete(name);
    for (const [key, kind] of this.#byResource) {
      if (!kind.custom || kind.resource !== name) continue;
      this.#byResource.delete(key);
      this.#byKind.delete(`${kind.group}/${kind.version}/${kind.kind}`);
    }
  }

  #add(kind: KindInfo): void {
    this.#byResource.set(`${kind.group}/${kind.version}/${kind.plural}`, kind);
    // Some plurals share a kind (the reviews and Eviction have no plural of their own worth finding): the first one counts.
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    if (!this.#byKind.has(key)) this.#byKind.set(key, kind);
  }
}

/** Where an object of a kind is kept. */
export function keyOf(kind: KindInfo, namespace: string | undefined, name: string): EtcdKey {
  return { resource: kind.storedAs, namespace: kind.namespaced ? (namespace ?? '') : '', name };
}

export function isCrd(kind: KindInfo): boolean {
  return kind.resource === crdResource;
}

/** The Go package of a group's types, as texts name it: `core`, `apps`, `networking`. */
export function goPackage(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] as string);
}

export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
