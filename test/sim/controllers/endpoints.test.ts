import { describe, expect, it } from 'vitest';
import { startEndpointsController } from '../../../src/sim/controllers/endpoints/endpoints.js';
import { startEndpointSliceController } from '../../../src/sim/controllers/endpointslice/endpointslice.js';
import { startReplicaSetController } from '../../../src/sim/controllers/replicaset/replicaset.js';
import { podRunners, WorkloadCluster, workload } from './workload-cluster.js';

const slices = 'endpointslices.discovery.k8s.io';
const webSpec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] };

function withService(spec: object = webSpec): WorkloadCluster {
  const cluster = new WorkloadCluster(startEndpointSliceController, startEndpointsController);
  cluster.node('n');
  cluster.create('services', 'web', { labels: { own: 'x' }, spec });
  cluster.run(2);
  return cluster;
}

/** A pod of the Service with an address, on the node. */
function addPod(
  cluster: WorkloadCluster,
  name: string,
  ready: boolean,
  { ip = '10.0.0.1', nodeName = 'n', spec = {} as object } = {},
): void {
  const containers = [{ name: 'c', image: 'img', ports: [{ name: 'http', containerPort: 8081 }] }];
  cluster.create('pods', name, { labels: { app: 'web' }, spec: { containers, ...(nodeName !== '' && { nodeName }), ...spec } });
  cluster.becomes(name, ready ? 'Running' : 'Failed');
  cluster.patch('pods', name, { status: { phase: 'Running', podIP: ip, podIPs: [{ ip }] } }, 'status');
  cluster.run(2);
}

function endpointsOf(cluster: WorkloadCluster) {
  return cluster.list(slices).flatMap((slice) => slice.endpoints ?? []);
}

function subsetsOf(cluster: WorkloadCluster) {
  return cluster.get('endpoints', 'web').subsets;
}

describe('the EndpointSlice controller', () => {
  it('keeps one empty slice of a Service that nobody serves', () => {
    const [slice, ...more] = withService().list(slices);
    expect(more).toEqual([]);
    expect(slice).toMatchObject({ addressType: 'IPv4', endpoints: null, ports: null });
    expect(slice?.metadata.labels).toMatchObject({ own: 'x', 'kubernetes.io/service-name': 'web' });
    expect(slice?.metadata.ownerReferences).toMatchObject([{ kind: 'Service', name: 'web', controller: true }]);
  });

  it('tells which pods are ready, and uses the slice that there is', () => {
    const cluster = withService();
    addPod(cluster, 'a', true);
    addPod(cluster, 'b', false, { ip: '10.0.0.2' });
    expect(cluster.list(slices)).toHaveLength(1);
    expect(endpointsOf(cluster)).toMatchObject([
      { addresses: ['10.0.0.1'], conditions: { ready: true, serving: true, terminating: false }, nodeName: 'n' },
      { addresses: ['10.0.0.2'], conditions: { ready: false, serving: false, terminating: false } },
    ]);
  });

  it('tells that a pod still serves while it goes', () => {
    const cluster = withService();
    addPod(cluster, 'a', true);
    cluster.delete('pods', 'a');
    cluster.run(2);
    expect(endpointsOf(cluster)).toMatchObject([{ conditions: { ready: false, serving: true, terminating: true } }]);
  });

  it('calls every pod ready when the Service wants those that are not', () => {
    const cluster = withService({ ...webSpec, publishNotReadyAddresses: true });
    addPod(cluster, 'a', false);
    expect(endpointsOf(cluster)).toMatchObject([{ conditions: { ready: true, serving: false } }]);
  });

  it('makes a second slice when there are more than a hundred endpoints', () => {
    const cluster = withService();
    for (let index = 0; index < 101; index++) addPod(cluster, `p${index}`, true, { ip: `10.0.1.${index}` });
    const sizes = cluster.list(slices).map(({ endpoints }) => endpoints.length);
    expect([...sizes].sort((a, b) => a - b)).toEqual([1, 100]);
  });

  it('gives pods with another port of that name a slice of their own', () => {
    const cluster = withService({ selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] });
    addPod(cluster, 'a', true);
    const ports = [{ name: 'http', containerPort: 9999 }];
    addPod(cluster, 'b', true, { ip: '10.0.0.2', spec: { containers: [{ name: 'c', image: 'img', ports }] } });
    const found = cluster.list(slices).map((slice) => slice.ports[0].port);
    expect([...found].sort()).toEqual([8081, 9999]);
  });

  it('hints at the zone and the node of ready endpoints while traffic shall stay near', () => {
    const cluster = withService({ ...webSpec, trafficDistribution: 'PreferSameNode' });
    cluster.patch('nodes', 'n', { metadata: { labels: { 'topology.kubernetes.io/zone': 'z' } } });
    addPod(cluster, 'a', true);
    expect(endpointsOf(cluster)).toMatchObject([{ hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n' }] } }]);
    cluster.patch('services', 'web', { spec: { trafficDistribution: null } });
    cluster.run(2);
    expect(endpointsOf(cluster)[0].hints).toBeUndefined();
  });

  it('puts right what others do to its slices, and makes those that they delete again', () => {
    const cluster = withService();
    addPod(cluster, 'a', true);
    const name = cluster.names(slices)[0] ?? '';
    cluster.patch(slices, name, { endpoints: [] });
    cluster.run(2);
    expect(endpointsOf(cluster)).toHaveLength(1);
    cluster.delete(slices, name);
    cluster.run(2);
    expect(endpointsOf(cluster)).toHaveLength(1);
  });

  it('leaves out a pod whose node it does not know, and says so', () => {
    const cluster = withService();
    addPod(cluster, 'a', true, { nodeName: '' });
    expect(endpointsOf(cluster)).toEqual([]);
    expect(cluster.events('Service')[0]).toContain('skipping Pod a for Service ns/web: Node  Not Found');
  });
});

describe('the endpoints of a Service', () => {
  it('follow the pods that run for it', () => {
    const cluster = new WorkloadCluster(startEndpointSliceController, startEndpointsController, startReplicaSetController, ...podRunners);
    cluster.create('services', 'web', { spec: webSpec });
    cluster.create('replicasets.apps', 'web', { spec: { replicas: 3, ...workload() } });
    cluster.run(30);
    expect(endpointsOf(cluster).filter(({ conditions }) => conditions.ready)).toHaveLength(3);
    expect(subsetsOf(cluster)[0].addresses).toHaveLength(3);
    cluster.patch('replicasets.apps', 'web', { spec: { replicas: 1 } });
    cluster.run(60);
    expect(endpointsOf(cluster)).toHaveLength(1);
    expect(subsetsOf(cluster)[0].addresses).toHaveLength(1);
  });
});

describe('the Endpoints controller', () => {
  it('tells ready addresses from the others, and leaves out pods that go', () => {
    const cluster = withService();
    addPod(cluster, 'a', true);
    addPod(cluster, 'b', false, { ip: '10.0.0.2' });
    expect(subsetsOf(cluster)).toMatchObject([
      { addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [{ port: 8080, protocol: 'TCP' }] },
    ]);
    cluster.delete('pods', 'a');
    cluster.run(2);
    expect(subsetsOf(cluster)).toMatchObject([{ notReadyAddresses: [{ ip: '10.0.0.2' }] }]);
  });

  it('deletes the Endpoints with their Service, also when that has gone while the controller was away', () => {
    const cluster = withService();
    cluster.delete('services', 'web');
    cluster.run(2);
    expect(cluster.list('endpoints')).toEqual([]);
    const metadata = { labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } };
    cluster.create('endpoints', 'left', metadata);
    cluster.create('endpoints', 'foreign', {});
    cluster.run(2);
    expect(cluster.names('endpoints')).toEqual(['foreign']);
  });

  it('has nothing to do with a Service that selects no pods', () => {
    const cluster = withService({ ports: [{ port: 80 }] });
    expect(cluster.list('endpoints')).toEqual([]);
    expect(cluster.list(slices)).toEqual([]);
  });
});
