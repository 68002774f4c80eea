import { type ClientObject, type ConfigMap, defineKind, type PersistentVolumeClaim, type Pod, type ServiceAccount } from 'seatrial';

type PodSpec = NonNullable<Pod['spec']>;
type Container = PodSpec['containers'][number];
type ContainerPort = NonNullable<Container['ports']>[number];

/** What the user asks for. All is optional: withDefaults fills in what is missing. */
export interface ZookeeperClusterSpec {
  image?: ContainerImage;
  labels?: Record<string, string>;
  replicas?: number;
  ports?: ContainerPort[];
  pod?: PodPolicy;
  adminServerService?: { annotations?: Record<string, string>; external?: boolean };
  clientService?: { annotations?: Record<string, string> };
  headlessService?: { annotations?: Record<string, string> };
  triggerRollingRestart?: boolean;
  storageType?: string;
  persistence?: Persistence;
  ephemeral?: { emptydirvolumesource?: { medium?: string; sizeLimit?: string } };
  config?: ZookeeperConfig;
  domainName?: string;
  kubernetesClusterDomain?: string;
  probes?: { readinessProbe?: Probe; livenessProbe?: Probe };
  maxUnavailableReplicas?: number;
}

export interface ContainerImage {
  repository?: string;
  tag?: string;
  pullPolicy?: string;
}

export interface PodPolicy {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  affinity?: NonNullable<PodSpec['affinity']>;
  env?: NonNullable<Container['env']>;
  resources?: NonNullable<Container['resources']>;
  terminationGracePeriodSeconds?: number;
  serviceAccountName?: string;
  imagePullSecrets?: NonNullable<ServiceAccount['imagePullSecrets']>;
}

export interface Persistence {
  reclaimPolicy?: 'Delete' | 'Retain';
  spec?: NonNullable<PersistentVolumeClaim['spec']>;
  annotations?: Record<string, string>;
}

export interface Probe {
  initialDelaySeconds?: number;
  periodSeconds?: number;
  failureThreshold?: number;
  successThreshold?: number;
  timeoutSeconds?: number;
}

export interface ZookeeperConfig {
  initLimit?: number;
  tickTime?: number;
  syncLimit?: number;
  snapCount?: number;
  maxClientCnxns?: number;
  minSessionTimeout?: number;
  maxSessionTimeout?: number;
  autoPurgeSnapRetainCount?: number;
  autoPurgePurgeInterval?: number;
}

/** What the operator has seen. */
export interface ZookeeperClusterStatus {
  members?: { ready?: string[]; unready?: string[] };
  replicas?: number;
  readyReplicas?: number;
  internalClientEndpoint?: string;
  externalClientEndpoint?: string;
  metaRootCreated?: boolean;
  currentVersion?: string;
  targetVersion?: string;
  conditions?: ClusterCondition[];
}

/** The operator's own kind of condition: its times are plain texts. */
export interface ClusterCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
}

export interface ZookeeperCluster extends ClientObject {
  spec: ZookeeperClusterSpec;
  /** A Go struct always has one; the reconciler puts it there. */
  status: ZookeeperClusterStatus;
}

export const ZookeeperCluster = defineKind<ZookeeperCluster>('zookeeper.pravega.io/v1beta1', 'ZookeeperCluster');

/** A cluster whose defaults are filled in, as everything after the first step of a reconcile has it. */
export interface DefaultedSpec extends ZookeeperClusterSpec {
  image: Required<ContainerImage>;
  labels: Record<string, string>;
  replicas: number;
  ports: ContainerPort[];
  pod: PodPolicy & { terminationGracePeriodSeconds: number; serviceAccountName: string };
  config: Required<ZookeeperConfig>;
  probes: { readinessProbe: Probe; livenessProbe: Probe };
  maxUnavailableReplicas: number;
}

export interface DefaultedCluster extends ZookeeperCluster {
  spec: DefaultedSpec;
}

/** A cluster's port of that name, or 0. */
export function portNamed(z: DefaultedCluster, name: string): number {
  return z.spec.ports.find((port) => port.name === name)?.containerPort ?? 0;
}

export type ConfigMapData = NonNullable<ConfigMap['data']>;
