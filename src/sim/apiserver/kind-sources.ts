import type { KubeObject } from '../etcd/object.js';
import type { CrdNames } from './crd.js';
import { builtInKinds } from './data/kinds.js';
import {
  createdOnUpdate,
  deletedObjectReturned,
  generationFromCreate,
  lenientFinalizers,
  nameRuleOf,
  orphanedByDefault,
  registryNameOf,
  resourceVersionRequired,
  statusMetadataOf,
  withoutPropagation,
} from './kind-facts.js';
import { apiVersionOf, type Convert, type CustomVersion, type KindData, type KindInfo } from './kinds.js';

let builtInCache: readonly KindInfo[] | undefined;

/** The built-in kinds are the same for every server; they are made once. */
export function builtIns(): readonly KindInfo[] {
  builtInCache ??= builtInKinds.map((data) => {
    const resource = qualified(data.plural, data.group);
    return {
      ...commonFacts(data),
      // ST-18: both Event APIs show the same objects.
      storedAs: resource === 'events.events.k8s.io' ? 'events' : resource,
      storedVersion: storedVersion(data),
      custom: false,
      resourceVersionRequired: resourceVersionRequired.has(resource),
      generation: generationFromCreate.has(resource),
      statusMetadata: statusMetadataOf(resource),
      registryPath: `/registry/${registryNameOf(resource, data.plural)}`,
    };
  });
  return builtInCache;
}

/** Where two versions or groups show the same objects, the one in which they are kept. */
function storedVersion(data: KindData): string {
  if (data.group === 'events.k8s.io') return 'v1';
  if (data.group === 'autoscaling') return 'autoscaling/v2';
  return apiVersionOf(data.group, data.version);
}

/** The kinds that a CustomResourceDefinition defines, one for each version that is served. */
export function kindsOfCrd(crd: KubeObject, convert: Convert | undefined): readonly KindInfo[] {
  const { group, scope, versions } = crd.spec as {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly CustomVersion[];
  };
  // CD-21: what is served are the names that were accepted.
  const names = crd.status?.acceptedNames as CrdNames;
  const stored = versions.find((version) => version.storage) ?? versions[0];
  if (stored === undefined) return [];
  const { strategy, webhook } = crd.spec.conversion ?? {};
  const conversion = strategy === 'Webhook' && convert !== undefined ? { ...webhook, convert } : undefined;
  return versions
    .filter((version) => version.served)
    .map((definition) => {
      const data: KindData = {
        group,
        version: definition.name,
        plural: names.plural,
        singular: names.singular ?? names.kind.toLowerCase(),
        kind: names.kind,
        namespaced: scope === 'Namespaced',
        // HT-20: the order in which discovery shows them.
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        ...(names.shortNames && { shortNames: names.shortNames }),
        ...(names.categories && { categories: names.categories }),
        subresources: [
          ...(definition.subresources?.status ? [{ name: 'status', kind: names.kind, verbs: ['get', 'patch', 'update'] }] : []),
          ...(definition.subresources?.scale
            ? [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] }]
            : []),
        ],
      };
      const common = commonFacts(data);
      return {
        ...common,
        storedAs: common.resource,
        storedVersion: apiVersionOf(group, stored.name),
        custom: true,
        definition,
        definitions: versions,
        ...(conversion !== undefined && { conversion }),
        resourceVersionRequired: true,
        generation: true,
        statusMetadata: [],
        registryPath: `/registry/${group}/${names.plural}`,
      };
    });
}

function commonFacts(data: KindData) {
  const resource = qualified(data.plural, data.group);
  const defaultPropagation = withoutPropagation.has(resource) ? 'none' : orphanedByDefault.has(resource) ? 'Orphan' : 'Background';
  return {
    group: data.group,
    version: data.version,
    apiVersion: apiVersionOf(data.group, data.version),
    kind: data.kind,
    plural: data.plural,
    singular: data.singular,
    namespaced: data.namespaced,
    resource,
    verbs: new Set(data.verbs),
    subresources: new Set(data.subresources?.map((subresource) => subresource.name)),
    data,
    createdOnUpdate: createdOnUpdate.has(resource),
    deletedObjectReturned: deletedObjectReturned.has(resource),
    defaultPropagation,
    nameRule: nameRuleOf(resource),
    lenientFinalizers: lenientFinalizers.has(resource),
  } as const;
}

function qualified(plural: string, group: string): string {
  return group === '' ? plural : `${plural}.${group}`;
}
