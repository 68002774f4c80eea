import { deepEqual, type KubeObject } from '../../etcd/object.js';
import type { KindInfo } from '../kinds.js';
import { compareQuantities, parseQuantity } from '../quantity.js';
import { goQuote } from '../status.js';
import { type Fields, listOf } from './checks.js';
import { fractionWarnings, obsoleteVolumes, oldLabel, podWarnings } from './pod-warnings.js';

/**
 * What the server says of an object that is legal and still a mistake (HT-5).
 * @param stored what was there before; absent for a create.
 */
export function objectWarnings(kind: KindInfo, object: KubeObject, stored?: KubeObject): string[] {
  return [...podWarnings(kind, object, stored), ...ownWarnings(kind.resource, object, stored)];
}

function ownWarnings(resource: string, object: KubeObject, stored: KubeObject | undefined): string[] {
  const spec: Fields = object.spec ?? {};
  const isNew = stored === undefined;
  switch (resource) {
    case 'services':
      return serviceWarnings(object, spec);
    case 'persistentvolumeclaims':
      return [...annotationWarnings(object, ['storage-class']), ...claimWarnings('spec', spec)];
    case 'persistentvolumes':
      return [...annotationWarnings(object, ['storage-class', 'mount-options']), ...volumeWarnings(spec)];
    case 'storageclasses.storage.k8s.io':
      return topologyWarnings(listOf(object.allowedTopologies));
    case 'csidrivers.storage.k8s.io':
      return driverWarnings(spec, stored?.spec);
    case 'statefulsets.apps':
      return statefulSetWarnings(spec, isNew);
    case 'cronjobs.batch':
      if (isNew || !spec.schedule?.includes('TZ')) return [];
      return [
        'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
      ];
    case 'ingresses.networking.k8s.io': {
      const annotation = 'kubernetes.io/ingress.class';
      if (!isNew || object.metadata.annotations?.[annotation] === undefined || spec.ingressClassName !== undefined) return [];
      return [`annotation ${goQuote(annotation)} is deprecated, please use 'spec.ingressClassName' instead`];
    }
    case 'endpointslices.discovery.k8s.io':
      return isNew && object.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [];
    case 'resourcequotas':
      return isNew ? quotaWarnings(spec.hard ?? {}) : [];
    default:
      return [];
  }
}

function serviceWarnings({ metadata }: KubeObject, spec: Fields): string[] {
  const warnings: string[] = [];
  const hints = 'service.kubernetes.io/topology-aware-hints';
  if (metadata.annotations?.[hints] !== undefined) {
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  }
  const external = spec.type === 'ExternalName';
  const headless = spec.type === 'ClusterIP' && spec.clusterIP === 'None';
  const hasExternalIps = listOf(spec.externalIPs).length > 0;
  if (headless) {
    if ((spec.loadBalancerIP ?? '') !== '') warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (hasExternalIps) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  if (hasExternalIps && !headless && !external) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (external && hasExternalIps) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!external && (spec.externalName ?? '') !== '') warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec.trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

function claimWarnings(field: string, { resources = {} }: Fields): string[] {
  return ['requests', 'limits'].flatMap((list) => fractionWarnings(`${field}.resources.${list}[storage]`, resources[list]?.storage));
}

function statefulSetWarnings(spec: Fields, isNew: boolean): string[] {
  const warnings = listOf(spec.volumeClaimTemplates).flatMap((claim, index) =>
    claimWarnings(`spec.volumeClaimTemplates[${index}]${isNew ? '' : '.Spec'}`, claim.spec ?? {}),
  );
  if (spec.revisionHistoryLimit < 0) {
    warnings.push('spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended');
  }
  return warnings;
}

const betterAnnotations: Readonly<Record<string, string>> = {
  'storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
  'mount-options': 'deprecated since v1.31; use "mountOptions" attribute instead',
};

function annotationWarnings({ metadata }: KubeObject, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const annotation = `volume.beta.kubernetes.io/${name}`;
    if (metadata.annotations?.[annotation] === undefined) return [];
    return [`metadata.annotations[${annotation}]: ${betterAnnotations[name]}`];
  });
}

function topologyWarnings(topologies: readonly Fields[]): string[] {
  return topologies.flatMap(({ matchLabelExpressions }, at) =>
    listOf(matchLabelExpressions).flatMap(({ key = '' }, index) =>
      oldLabel(key) === undefined ? [] : [`allowedTopologies[${at}].matchLabelExpressions[${index}].key: ${oldLabel(key)}`],
    ),
  );
}

/** An update is warned of when it changes the requests. */
function driverWarnings({ tokenRequests, serviceAccountTokenInSecrets }: Fields, stored: Fields | undefined): string[] {
  if (listOf(tokenRequests).length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  if (stored !== undefined && deepEqual(tokenRequests, stored.tokenRequests)) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}

/** In the server's order. */
const obsoleteSources = ['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd'];

function volumeWarnings(spec: Fields): string[] {
  const warnings: string[] = [];
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    warnings.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    );
  }
  for (const [at, { matchExpressions }] of listOf(spec.nodeAffinity?.required?.nodeSelectorTerms).entries()) {
    for (const [index, { key = '' }] of listOf(matchExpressions).entries()) {
      if (oldLabel(key) === undefined) continue;
      const place = `spec.nodeAffinity.required.nodeSelectorTerms[${at}].matchExpressions[${index}].key`;
      warnings.push(`${place}: ${key} is ${oldLabel(key)}`);
    }
  }
  return [...warnings, ...obsoleteVolumes('spec', spec, obsoleteSources)];
}

function quotaWarnings(hard: Fields): string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const requests = hard[`requests.${name}`] === undefined && !name.includes('storage') ? name : `requests.${name}`;
    const [request, limit]: readonly (string | undefined)[] = [hard[requests], hard[`limits.${name}`]];
    if (request === undefined || limit === undefined || compareQuantities(parseQuantity(request), parseQuantity(limit)) <= 0) return [];
    return [`ResourceQuota ${requests} (${request}) should be less than limits.${name} (${limit})`];
  });
}
