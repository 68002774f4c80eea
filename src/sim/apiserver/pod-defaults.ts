import { each, fill, within } from './fill.js';

type Fields = Readonly<Record<string, unknown>>;

/** TK-1: what every pod spec gets, in a pod and in a template. */
function podSpecWithDefaults(spec: Fields): Fields {
  let result = fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  const { serviceAccountName, hostNetwork } = spec;
  if (serviceAccountName !== undefined) result = fill(result, { serviceAccount: serviceAccountName });
  for (const field of ['initContainers', 'containers', 'ephemeralContainers']) {
    result = within(result, field, (containers: readonly Fields[]) =>
      each(containers, (container) => containerWithDefaults(container, hostNetwork === true)),
    );
  }
  return within(result, 'volumes', (volumes: readonly Fields[]) => each(volumes, volumeWithDefaults));
}

/** A pod's own spec, which also has its limits copied to its requests (TK-2). */
export function podWithDefaults(spec: Fields): Fields {
  let result = fill(podSpecWithDefaults(spec), { enableServiceLinks: true });
  // A template keeps what makes no sense.
  if ((result.terminationGracePeriodSeconds as number) < 0) result = { ...result, terminationGracePeriodSeconds: 1 };
  for (const field of ['initContainers', 'containers']) {
    result = within(result, field, (containers: readonly Fields[]) =>
      each(containers, (container) => within(container, 'resources', requestsFromLimits)),
    );
  }
  return result;
}

export function templateWithDefaults(template: Fields): Fields {
  return within(fill(template, { metadata: {} }), 'spec', podSpecWithDefaults);
}

/** CR-11: the class that the kubelet goes by when memory runs out. */
export function qosClassOf(spec: Fields | undefined): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...((spec?.initContainers ?? []) as readonly Fields[]), ...((spec?.containers ?? []) as readonly Fields[])];
  const resources = containers.map((container) => (container.resources ?? {}) as { limits?: Fields; requests?: Fields });
  const counts = ({ limits = {}, requests = {} }: { limits?: Fields; requests?: Fields }) =>
    ['cpu', 'memory'].some((name) => limits[name] !== undefined || requests[name] !== undefined);
  if (!resources.some(counts)) return 'BestEffort';
  const guaranteed = resources.every(({ limits = {}, requests = {} }) =>
    ['cpu', 'memory'].every((name) => limits[name] !== undefined && (requests[name] === undefined || requests[name] === limits[name])),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function requestsFromLimits(resources: Fields): Fields {
  const limits = resources.limits as Fields | undefined;
  return limits === undefined ? resources : { ...resources, requests: fill(resources.requests as Fields | undefined, limits) };
}

function containerWithDefaults(container: Fields, hostNetwork: boolean): Fields {
  let result = fill(container, {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(container.image),
  });
  result = within(result, 'ports', (ports: readonly Fields[]) =>
    each(ports, (port) => fill(port, { protocol: 'TCP', ...(hostNetwork && { hostPort: port.containerPort }) })),
  );
  result = within(result, 'env', (variables: readonly Fields[]) =>
    each(variables, (variable) => within(variable, 'valueFrom', valueSourceWithDefaults)),
  );
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) result = within(result, probe, probeWithDefaults);
  return result;
}

/** An image without a tag, or with the tag `latest`, may have changed since it was pulled; what is no name at all has no tag. */
function pullPolicyOf(image: unknown): string {
  if (typeof image !== 'string' || image === '') return 'IfNotPresent';
  const name = image.slice(image.lastIndexOf('/') + 1);
  if (name.includes('@')) return 'IfNotPresent';
  return !name.includes(':') || name.endsWith(':latest') ? 'Always' : 'IfNotPresent';
}

function valueSourceWithDefaults(source: Fields): Fields {
  const result = within(source, 'fieldRef', (reference: Fields) => fill(reference, { apiVersion: 'v1' }));
  return within(result, 'resourceFieldRef', (reference: Fields) => fill(reference, { divisor: '0' }));
}

function probeWithDefaults(probe: Fields): Fields {
  let result = fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  result = within(result, 'httpGet', (action: Fields) => fill(action, { path: '/', scheme: 'HTTP' }));
  return within(result, 'grpc', (action: Fields) => fill(action, { service: '' }));
}

const volumeSources = ['configMap', 'secret', 'projected', 'downwardAPI'];

function volumeWithDefaults(volume: Fields): Fields {
  let result = Object.keys(volume).length === 1 && volume.name !== undefined ? { ...volume, emptyDir: {} } : volume;
  for (const source of volumeSources) result = within(result, source, (value: Fields) => fill(value, { defaultMode: 420 }));
  return within(result, 'hostPath', (value: Fields) => fill(value, { type: '' }));
}
