import type { DefaultedCluster, Persistence, ZookeeperCluster, ZookeeperConfig } from './zookeepercluster-types.js';

const defaultPorts = { client: 2181, quorum: 2888, 'leader-election': 3888, metrics: 7000, 'admin-server': 8080 };

const defaultReadiness = { initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 3, successThreshold: 1, timeoutSeconds: 10 };
const defaultLiveness = { initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 3, timeoutSeconds: 10 };

/**
 * Fills in the spec of the cluster, in place. Says whether the user's object has to be written for it; a missing
 * maxUnavailableReplicas alone does not count, and is filled in again in every pass.
 */
export function withDefaults(z: ZookeeperCluster): z is DefaultedCluster {
  const before = JSON.stringify({ ...z.spec, maxUnavailableReplicas: undefined });
  const name = z.metadata.name ?? '';
  const { spec } = z;
  spec.image = { ...spec.image };
  spec.image.repository ||= 'pravega/zookeeper';
  spec.image.tag ||= '0.2.15';
  spec.image.pullPolicy ||= 'Always';
  spec.config = configWithDefaults({ ...spec.config });
  spec.replicas ||= 3;
  spec.probes = { ...spec.probes };
  spec.probes.readinessProbe ??= { ...defaultReadiness };
  spec.probes.livenessProbe ??= { ...defaultLiveness };
  spec.ports ??= [];
  for (const [port, containerPort] of Object.entries(defaultPorts))
    if (!spec.ports.some((present) => present.name === port)) spec.ports.push({ name: port, containerPort });
  spec.labels = { ...spec.labels };
  spec.labels.app ??= name;
  spec.labels.release ??= name;
  spec.pod = { ...spec.pod };
  spec.pod.labels = { ...spec.pod.labels };
  spec.pod.labels.app ??= name;
  spec.pod.labels.release ??= name;
  spec.pod.terminationGracePeriodSeconds ||= 30;
  spec.pod.serviceAccountName ||= 'default';
  spec.pod.affinity ??= onDifferentNodes(name);
  if (spec.storageType?.toLowerCase() === 'ephemeral') spec.ephemeral ??= { emptydirvolumesource: {} };
  else {
    spec.persistence = { ...spec.persistence };
    if (persistenceWithDefaults(spec.persistence)) spec.storageType = 'persistence';
  }
  if ((spec.maxUnavailableReplicas ?? 0) < 1) spec.maxUnavailableReplicas = 1;
  return JSON.stringify({ ...spec, maxUnavailableReplicas: undefined }) !== before;
}

function configWithDefaults(config: ZookeeperConfig): ZookeeperConfig {
  config.initLimit ||= 10;
  config.tickTime ||= 2000;
  config.syncLimit ||= 2;
  config.snapCount ||= 10_000;
  config.maxClientCnxns ||= 60;
  config.minSessionTimeout ||= 2 * config.tickTime;
  config.maxSessionTimeout ||= 20 * config.tickTime;
  config.autoPurgeSnapRetainCount ||= 3;
  config.autoPurgePurgeInterval ||= 1;
  return config;
}

function persistenceWithDefaults(persistence: Persistence): boolean {
  const changed = persistence.reclaimPolicy === undefined || !persistence.spec?.resources?.requests?.storage;
  persistence.reclaimPolicy ??= 'Retain';
  // Whatever the user asks for: known as issue 517 of the operator.
  persistence.spec = { ...persistence.spec, accessModes: ['ReadWriteOnce'] };
  if (!persistence.spec.resources?.requests?.storage)
    persistence.spec.resources = { ...persistence.spec.resources, requests: { storage: '20Gi' } };
  return changed;
}

function onDifferentNodes(name: string) {
  const labelSelector = { matchExpressions: [{ key: 'app', operator: 'In', values: [name] }] };
  const podAffinityTerm = { topologyKey: 'kubernetes.io/hostname', labelSelector };
  return { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 20, podAffinityTerm }] } };
}
