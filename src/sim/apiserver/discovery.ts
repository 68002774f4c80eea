import type { JsonValue } from '../etcd/object.js';
import type { Path } from './http-path.js';
import { apiVersionOf, type KindInfo, type Kinds } from './kinds.js';
import { noRoute, notAcceptable, pageNotFound } from './status.js';

/** What the server says about itself: groups, versions, resources (HT-20 to HT-22). @throws ApiStatusError, PlainTextError 404 */
export function discover(
  kinds: Kinds,
  path: Exclude<Path, { readonly type: 'resource' | 'unknown' }>,
  accept: string,
): { readonly body: JsonValue; readonly contentType?: string } {
  if (path.type === 'version') return { body: VERSION };
  const { group, version } = path;
  if (version === undefined && (group === undefined || group === '')) {
    const form = accept.split(',').find((clause) => clause.includes('as=APIGroupDiscoveryList'));
    if (form === AGGREGATED) return { body: aggregated(kinds, group === ''), contentType: AGGREGATED };
    if (form !== undefined && accept === form) throw notAcceptable(`only the following media types are accepted: ${TYPES}`, false);
  }
  if (group === undefined) {
    const groups = groupsOf(kinds).filter((each) => each !== '');
    return { body: { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((each) => groupBody(kinds, each)) } };
  }
  if (version !== undefined) return { body: resourceList(kinds, group, version) };
  if (group === '') return { body: { kind: 'APIVersions', versions: ['v1'] } };
  if (versionsOf(kinds, group).length === 0) throw pageNotFound();
  return { body: { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(kinds, group) } };
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';

const VERSION: JsonValue = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
};

function groupsOf(kinds: Kinds): readonly string[] {
  const builtIn = new Set<string>();
  const custom = new Set<string>();
  for (const kind of kinds.all()) (kind.custom ? custom : builtIn).add(kind.group);
  return [...builtIn, ...[...custom].sort()];
}

function groupBody(kinds: Kinds, group: string): { readonly [key: string]: JsonValue } {
  const versions = versionsOf(kinds, group).map((version) => ({ groupVersion: apiVersionOf(group, version), version }));
  return { name: group, versions, preferredVersion: versions[0] ?? null };
}

/** In kube order: stable versions first, the highest first (HT-21). */
function versionsOf(kinds: Kinds, group: string): readonly string[] {
  const versions = new Set<string>();
  for (const kind of kinds.all()) if (kind.group === group) versions.add(kind.version);
  return [...versions].sort(byStability);
}

/** The order of versions: `v2`, `v1`, `v1beta1` (HT-20). */
export function byStability(a: string, b: string): number {
  const [ranksOfA, ranksOfB] = [ranks(a), ranks(b)];
  for (let index = 0; index < ranksOfA.length; index++) {
    const difference = (ranksOfB[index] as number) - (ranksOfA[index] as number);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

function ranks(version: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return [0, 0, 0];
  return [match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1, Number(match[1]), Number(match[3] ?? 0)];
}

function resourceList(kinds: Kinds, group: string, version: string): JsonValue {
  const served: KindInfo[] = [];
  for (const kind of kinds.all()) if (kind.group === group && kind.version === version) served.push(kind);
  if (served.length === 0) throw kinds.hasBuiltInGroup(group) ? noRoute() : pageNotFound();
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(group, version),
    resources: served.flatMap(resourceEntries),
  };
}

function resourceEntries(kind: KindInfo): JsonValue[] {
  const { data } = kind;
  return [
    {
      name: data.plural,
      singularName: data.singular,
      namespaced: data.namespaced,
      kind: data.kind,
      verbs: [...data.verbs],
      ...(data.shortNames && { shortNames: [...data.shortNames] }),
      ...(data.categories && { categories: [...data.categories] }),
    },
    ...(data.subresources ?? []).map((subresource) => ({
      name: `${data.plural}/${subresource.name}`,
      singularName: '',
      namespaced: data.namespaced,
      ...(subresource.group !== undefined && { group: subresource.group, version: subresource.version ?? '' }),
      kind: subresource.kind,
      verbs: [...subresource.verbs],
    })),
  ];
}

/** Everything in one answer (HT-22). */
function aggregated(kinds: Kinds, core: boolean): JsonValue {
  const groups = groupsOf(kinds).filter((group) => (group === '') === core);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versionsOf(kinds, group).map((version) => ({
        version,
        resources: [...kinds.all()].filter((kind) => kind.group === group && kind.version === version).map(aggregatedEntry),
        freshness: 'Current',
      })),
    })),
  };
}

function aggregatedEntry(kind: KindInfo): JsonValue {
  const { data } = kind;
  // The group and version of a built-in's own kind are left empty.
  const own = kind.custom ? { group: data.group, version: data.version } : { group: '', version: '' };
  const subresources = (data.subresources ?? []).map((subresource) => ({
    subresource: subresource.name,
    responseKind: {
      ...(subresource.group === undefined ? own : { group: subresource.group, version: subresource.version ?? '' }),
      kind: subresource.kind,
    },
    verbs: [...subresource.verbs],
  }));
  return {
    resource: data.plural,
    responseKind: { ...own, kind: data.kind },
    scope: data.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: data.singular,
    verbs: [...data.verbs],
    ...(data.shortNames && { shortNames: [...data.shortNames] }),
    ...(data.categories && { categories: [...data.categories] }),
    ...(subresources.length > 0 && { subresources }),
  };
}
