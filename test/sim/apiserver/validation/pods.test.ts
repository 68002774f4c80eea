import { describe, expect, it } from 'vitest';
import { AWrite, aPodSpec, type Fields } from './a-write.js';

const podWith = (container: Fields, spec: Fields = {}) => ({ spec: { containers: [{ name: 'c', image: 'i:1', ...container }], ...spec } });

describe('a new pod', () => {
  it.each<readonly [string, Fields, readonly string[]]>([
    ['without a container', { spec: {} }, ['spec.containers: Required value']],
    ['whose container lacks an image', { spec: { containers: [{ name: 'c' }] } }, ['spec.containers[0].image: Required value']],
    [
      'with an unknown restart policy',
      { spec: { ...aPodSpec, restartPolicy: 'Sometimes' } },
      ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      'that mounts what it does not have',
      podWith({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
      ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    ],
    [
      'with a probe that asks in two ways',
      podWith({ livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 80 } } }),
      ['spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type'],
    ],
    [
      'that asks for more than it may use',
      podWith({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
      ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      'with a token for an account that it does not name (TK-7)',
      { spec: { ...aPodSpec, volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] } },
      ['spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set'],
    ],
  ])('%s is refused', (_, pod, faults) => {
    expect(new AWrite('v1 pods').create(pod)).toEqual(faults);
  });

  it('may have variables of any printable name but none with an equals sign (TK-7)', () => {
    expect(new AWrite('v1 pods').create(podWith({ env: [{ name: 'a b.c-d', value: 'x' }] }))).toEqual([]);
    expect(new AWrite('v1 pods').create(podWith({ env: [{ name: 'a=b', value: 'x' }] }))).toEqual([
      `spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ]);
  });

  it('is told of a variable that hides another, unless it is built on it', () => {
    const env = (value: string) =>
      podWith({
        env: [
          { name: 'X', value: '1' },
          { name: 'X', value },
        ],
      });
    expect(new AWrite('v1 pods').warnings(env('2'))).toEqual([
      'spec.containers[0].env[1]: hides previous definition of "X", which may be dropped when using apply',
    ]);
    expect(new AWrite('v1 pods').warnings(env('$(X) and more'))).toEqual([]);
  });
});

describe('a pod that is there', () => {
  const aPod = () => {
    const write = new AWrite('v1 pods');
    expect(write.create({ spec: aPodSpec })).toEqual([]);
    return write;
  };

  it('may get another image', () => {
    expect(aPod().patch({ spec: { containers: [{ name: 'c', image: 'i:2' }] } })).toEqual([]);
  });

  it('may not get another command: the server shows line by line what would be different (TK-10)', () => {
    const [fault = ''] = aPod().patch({ spec: { containers: [{ name: 'c', image: 'i:1', command: ['x'] }] } });
    expect(fault).toContain('spec: Forbidden: pod updates may not change fields other than');
    expect(fault).toContain('\n    "Image": "i:1",\n-   "Command": null,\n+   "Command": [\n+    "x"\n+   ],\n    "Args": null,\n');
  });

  it('may not lose or gain a container', () => {
    const containers = [...aPodSpec.containers, { name: 'd', image: 'i:1' }];
    expect(aPod().patch({ spec: { containers } })).toEqual(['spec.containers: Forbidden: pod updates may not add or remove containers']);
  });

  it('may not change its class of service through its status', () => {
    const write = aPod();
    expect(write.patch({ status: { phase: 'Running' } }, 'status')).toEqual([]);
    expect(write.get().status?.qosClass).toBe('BestEffort');
    expect(write.patch({ status: { qosClass: 'Guaranteed' } }, 'status')).toEqual([
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    ]);
  });
});
