import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../src/sim/etcd/object.js';
import { AServer } from '../a-server.js';

function limited(...limits: readonly object[]): AServer {
  const server = new AServer();
  server.do({ verb: 'create', resource: 'limitranges', body: { metadata: { name: 'l' }, spec: { limits } } });
  return server;
}

const pod = (server: AServer, spec: object, metadata: object = {}) =>
  server.do({ verb: 'create', resource: 'pods', body: { metadata: { name: 'p', ...metadata }, spec } }).response;
const container = (name: string, resources?: object) => ({ name, image: 'i', ...(resources && { resources }) });
const claim = (storage: string) => ({
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

describe('a LimitRange', () => {
  it('gives containers what they do not say, and notes it on the pod (AD-17)', () => {
    const server = limited({ type: 'Container', default: { cpu: '500m', memory: '64Mi' }, defaultRequest: { cpu: '100m' } });
    const spec = {
      containers: [container('a'), container('b', { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } })],
      initContainers: [container('i', { limits: { cpu: '500m', memory: '64Mi' } })],
    };
    const made = pod(server, spec).body as KubeObject;
    expect(made.spec.containers.map(({ resources }: { resources: object }) => resources)).toEqual([
      { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '500m', memory: '64Mi' } },
      { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } },
    ]);
    expect(made.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu, memory request for container a; cpu, memory limit for container a',
    });
  });

  it('takes for a default what it allows at most, and what it demands at least', () => {
    const server = limited(
      { type: 'Container', min: { cpu: '100m', memory: '1Mi' }, max: { cpu: '1' } },
      { type: 'Pod', max: { cpu: '2' } },
    );
    const { spec } = server.do({ resource: 'limitranges', name: 'l' }).response.body as KubeObject;
    expect(spec.limits).toEqual([
      {
        type: 'Container',
        min: { cpu: '100m', memory: '1Mi' },
        max: { cpu: '1' },
        default: { cpu: '1' },
        defaultRequest: { cpu: '1', memory: '1Mi' },
      },
      { type: 'Pod', max: { cpu: '2' } },
    ]);
  });

  it('leaves a pod alone that says everything, and one in another namespace', () => {
    const server = limited({ type: 'Container', default: { cpu: '1' } });
    const full = { containers: [container('a', { requests: { cpu: '1' }, limits: { cpu: '1' } })] };
    expect((pod(server, full).body as KubeObject).metadata.annotations).toBeUndefined();
    server.do({ verb: 'create', resource: 'namespaces', namespace: undefined, body: { metadata: { name: 'other' } } });
    const other = server.do({
      verb: 'create',
      resource: 'pods',
      namespace: 'other',
      body: { metadata: { name: 'p' }, spec: { containers: [container('a')] } },
    });
    expect((other.response.body as KubeObject).spec.containers[0].resources).toEqual({});
  });

  it.each<[string, object, object, string]>([
    ['too little', { min: { cpu: '100m' } }, { requests: { cpu: '50m' } }, 'minimum cpu usage per Container is 100m, but request is 50m'],
    [
      'too much',
      { max: { memory: '1Gi' } },
      { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } },
      'maximum memory usage per Container is 1Gi, but limit is 2Gi',
    ],
    [
      'a limit far above the request',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '100m' }, limits: { cpu: '250m' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000',
    ],
  ])('refuses a container that asks for %s (AD-17)', (_, limit, resources, message) => {
    const refused = pod(limited({ type: 'Container', ...limit }), { containers: [container('a', resources)] });
    expect(refused).toMatchObject({ code: 403, body: { reason: 'Forbidden', message: `pods "p" is forbidden: ${message}` } });
  });

  it('holds the whole pod to what is for pods: containers together, init containers one after the other', () => {
    const server = limited({ type: 'Pod', max: { cpu: '1' } });
    const each = { requests: { cpu: '300m' }, limits: { cpu: '300m' } };
    const init = { requests: { cpu: '800m' }, limits: { cpu: '800m' } };
    const spec = { containers: [container('a', each), container('b', each)], initContainers: [container('i', init), container('j', init)] };
    expect(pod(server, spec).code).toBe(201);
    const sidecar = { ...container('s', each), restartPolicy: 'Always' };
    expect(pod(server, { ...spec, initContainers: [sidecar, ...spec.initContainers] }, { name: 'q' }).body).toMatchObject({
      message: 'pods "q" is forbidden: maximum cpu usage per Pod is 1, but limit is 1100m',
    });
  });

  it('says what a pod does not say at all', () => {
    const server = limited({ type: 'Pod', min: { memory: '1Mi' }, max: { cpu: '1' } });
    expect(pod(server, { containers: [container('a')] }).body).toMatchObject({
      message:
        'pods "p" is forbidden: [minimum memory usage per Pod is 1Mi.  No request is specified, maximum cpu usage per Pod is 1.  No limit is specified]',
    });
  });

  it('tells all faults at once, and none of them twice', () => {
    const server = limited({ type: 'Container', max: { cpu: '1', memory: '1Gi' } });
    const much = { requests: { cpu: '2', memory: '2Gi' }, limits: { cpu: '2', memory: '2Gi' } };
    expect(pod(server, { containers: [container('a', much), container('b', much)] }).body).toMatchObject({
      message:
        'pods "p" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
    });
  });

  it('holds claims to what they request, also when they grow', () => {
    const server = limited({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } });
    const make = (storage: string) => server.do({ verb: 'create', resource: 'persistentvolumeclaims', body: claim(storage) }).response;
    expect(make('500Mi').body).toMatchObject({
      message: 'persistentvolumeclaims "c" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi',
    });
    expect(make('11Gi').body).toMatchObject({
      message: 'persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 11Gi',
    });
    expect(make('2Gi').code).toBe(201);
  });
});
