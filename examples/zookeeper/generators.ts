import type { ConfigMap, PersistentVolumeClaim, Pod, PodDisruptionBudget, Service, ServiceAccount, StatefulSet } from 'seatrial';
import { type ConfigMapData, type DefaultedCluster, portNamed } from './zookeepercluster-types.js';

type PodSpec = NonNullable<Pod['spec']>;
type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];

const externalDnsAnnotation = 'external-dns.alpha.kubernetes.io/hostname';

const nameOf = (z: DefaultedCluster) => z.metadata.name ?? '';
const namespaceOf = (z: DefaultedCluster) => z.metadata.namespace ?? '';
const headlessServiceName = (z: DefaultedCluster) => `${nameOf(z)}-headless`;
const adminServiceName = (z: DefaultedCluster) => `${nameOf(z)}-admin-server`;
const configMapName = (z: DefaultedCluster) => `${nameOf(z)}-configmap`;
export const clientServiceName = (z: DefaultedCluster) => `${nameOf(z)}-client`;
export const clusterDomain = (z: DefaultedCluster) => z.spec.kubernetesClusterDomain ?? 'cluster.local';

/** The labels are the very map of the spec, as in the Go code: who writes into the one writes into the other. */
export function makeStatefulSet(z: DefaultedCluster): StatefulSet {
  const name = nameOf(z);
  const ephemeral = z.spec.storageType?.toLowerCase() === 'ephemeral';
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace: namespaceOf(z), labels: z.spec.labels },
    spec: {
      serviceName: headlessServiceName(z),
      replicas: z.spec.replicas,
      selector: { matchLabels: { app: name } },
      updateStrategy: { type: 'RollingUpdate' },
      podManagementPolicy: 'OrderedReady',
      template: {
        metadata: {
          generateName: name,
          labels: { ...z.spec.labels, app: name, kind: 'ZookeeperMember' },
          ...(z.spec.pod.annotations === undefined ? {} : { annotations: z.spec.pod.annotations }),
        },
        spec: makePodSpec(z, ephemeral),
      },
      volumeClaimTemplates: ephemeral ? [] : [makeClaimTemplate(z)],
    },
  };
}

function makeClaimTemplate(z: DefaultedCluster): PersistentVolumeClaim {
  const { spec = {}, annotations } = z.spec.persistence ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'data',
      labels: { ...z.spec.labels, app: nameOf(z), uid: z.metadata.uid ?? '' },
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec,
  };
}

function makePodSpec(z: DefaultedCluster, ephemeral: boolean): PodSpec {
  const { image, pod, ports, probes } = z.spec;
  const dataVolume = ephemeral ? [{ name: 'data', emptyDir: z.spec.ephemeral?.emptydirvolumesource ?? {} }] : [];
  const sidecarStatus = { fieldRef: { fieldPath: `metadata.annotations['sidecar.istio.io/status']` } };
  return {
    containers: [
      {
        name: 'zookeeper',
        image: `${image.repository}:${image.tag}`,
        imagePullPolicy: image.pullPolicy,
        ports,
        env: [{ name: 'ENVOY_SIDECAR_STATUS', valueFrom: sidecarStatus }, ...(pod.env ?? [])],
        readinessProbe: { ...probes.readinessProbe, exec: { command: ['zookeeperReady.sh'] } },
        livenessProbe: { ...probes.livenessProbe, exec: { command: ['zookeeperLive.sh'] } },
        volumeMounts: [
          { name: 'data', mountPath: '/data' },
          { name: 'conf', mountPath: '/conf' },
        ],
        lifecycle: { preStop: { exec: { command: ['zookeeperTeardown.sh'] } } },
        command: ['/usr/local/bin/zookeeperStart.sh'],
        ...(pod.resources === undefined ? {} : { resources: pod.resources }),
      },
    ],
    ...(pod.affinity === undefined ? {} : { affinity: pod.affinity }),
    volumes: [...dataVolume, { name: 'conf', configMap: { name: configMapName(z) } }],
    terminationGracePeriodSeconds: pod.terminationGracePeriodSeconds,
    serviceAccountName: pod.serviceAccountName,
  };
}

export function makeClientService(z: DefaultedCluster): Service {
  return makeService(z, clientServiceName(z), [{ name: 'tcp-client', port: portNamed(z, 'client') }], {
    annotations: z.spec.clientService?.annotations,
  });
}

export function makeAdminServerService(z: DefaultedCluster): Service {
  const { annotations, external } = z.spec.adminServerService ?? {};
  return makeService(z, adminServiceName(z), [{ name: 'tcp-admin-server', port: portNamed(z, 'admin-server') }], { annotations, external });
}

export function makeHeadlessService(z: DefaultedCluster): Service {
  const ports = ['client', 'quorum', 'leader-election', 'metrics', 'admin-server'];
  return makeService(
    z,
    headlessServiceName(z),
    ports.map((name) => ({ name: `tcp-${name}`, port: portNamed(z, name) })),
    { annotations: z.spec.headlessService?.annotations, headless: true },
  );
}

interface ServiceOptions {
  readonly annotations: Record<string, string> | undefined;
  readonly external?: boolean | undefined;
  readonly headless?: boolean;
}

function makeService(z: DefaultedCluster, name: string, ports: ServicePort[], options: ServiceOptions): Service {
  const { external = false, headless = false } = options;
  const annotations = { ...options.annotations };
  const domain = z.spec.domainName?.trim() ?? '';
  if (headless && domain !== '') annotations[externalDnsAnnotation] = `${name}.${domain}${domain.endsWith('.') ? '' : '.'}`;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace: namespaceOf(z),
      labels: { ...z.spec.labels, app: nameOf(z), headless: String(headless) },
      annotations,
    },
    spec: {
      ports,
      selector: { app: nameOf(z) },
      ...(external ? { type: 'LoadBalancer' } : {}),
      ...(headless ? { clusterIP: 'None' } : {}),
    },
  };
}

export function makeConfigMap(z: DefaultedCluster): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: configMapName(z), namespace: namespaceOf(z), labels: z.spec.labels },
    data: makeConfig(z),
  };
}

function makeConfig(z: DefaultedCluster): ConfigMapData {
  const { config } = z.spec;
  const settings = {
    dataDir: '/data',
    standaloneEnabled: false,
    reconfigEnabled: true,
    initLimit: config.initLimit,
    syncLimit: config.syncLimit,
    tickTime: config.tickTime,
    snapCount: config.snapCount,
    maxClientCnxns: config.maxClientCnxns,
    minSessionTimeout: config.minSessionTimeout,
    maxSessionTimeout: config.maxSessionTimeout,
    'autopurge.snapRetainCount': config.autoPurgeSnapRetainCount,
    'autopurge.purgeInterval': config.autoPurgePurgeInterval,
    'admin.serverPort': portNamed(z, 'admin-server'),
    dynamicConfigFile: '/data/zoo.cfg.dynamic',
  };
  const environment = {
    DOMAIN: `${headlessServiceName(z)}.${namespaceOf(z)}.svc.${clusterDomain(z)}`,
    QUORUM_PORT: portNamed(z, 'quorum'),
    LEADER_PORT: portNamed(z, 'leader-election'),
    CLIENT_HOST: clientServiceName(z),
    CLIENT_PORT: portNamed(z, 'client'),
    ADMIN_SERVER_HOST: adminServiceName(z),
    ADMIN_SERVER_PORT: portNamed(z, 'admin-server'),
    CLUSTER_NAME: nameOf(z),
    CLUSTER_SIZE: z.spec.replicas,
  };
  return { 'zoo.cfg': linesOf(settings), 'env.sh': linesOf(environment) };
}

function linesOf(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

export function makePodDisruptionBudget(z: DefaultedCluster): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: nameOf(z), namespace: namespaceOf(z), labels: z.spec.labels },
    spec: { maxUnavailable: z.spec.maxUnavailableReplicas, selector: { matchLabels: { app: nameOf(z) } } },
  };
}

export function makeServiceAccount(z: DefaultedCluster): ServiceAccount {
  const { serviceAccountName, imagePullSecrets } = z.spec.pod;
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: serviceAccountName, namespace: namespaceOf(z) },
    ...(imagePullSecrets === undefined ? {} : { imagePullSecrets }),
  };
}

/** Puts into what is there what may change of it: size, template and strategy of the set, ports and type of a service, data. */
export function syncStatefulSet(current: StatefulSet, next: StatefulSet): void {
  const { replicas, template, updateStrategy } = next.spec as NonNullable<StatefulSet['spec']>;
  Object.assign(current.spec as object, { replicas, template, updateStrategy });
}

export function syncService(current: Service, next: Service): void {
  Object.assign(current.spec as object, { ports: next.spec?.ports, type: next.spec?.type });
}

export function syncConfigMap(current: ConfigMap, next: ConfigMap): void {
  Object.assign(current, { data: next.data, binaryData: next.binaryData });
}
