import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer } from './a-server.js';

const pod = (container: object, spec: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
});
const post = (body: unknown, resource = 'pods') => new AServer().do({ verb: 'create', resource, body }).response;
const message = (body: unknown, resource?: string) => (post(body, resource).body as { message?: string }).message;

describe('fields of a built-in kind', () => {
  it.each([
    [
      pod({ ports: [{ containerPort: 'x' }] }),
      'string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
    ],
    [pod({ env: [{ name: 'A', value: 1 }] }), 'number into Go struct field EnvVar.spec.containers.env.value of type string'],
    [pod({ stdin: 'yes' }), 'string into Go struct field Container.spec.containers.stdin of type bool'],
    [pod({}, { containers: {} }), 'object into Go struct field PodSpec.spec.containers of type []v1.Container'],
    [pod({}, { securityContext: 'x' }), 'string into Go struct field PodSpec.spec.securityContext of type v1.PodSecurityContext'],
  ])("that do not fit are refused in Go's words (CR-16): %#", (body, text) => {
    expect(message(body)).toBe(`Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal ${text}`);
  });

  it('that the type does not have are dropped with a warning that says where (CR-14)', () => {
    const { body, warnings } = post(pod({ imagePolicy: 'x', ports: [{ containerPort: 1, bogus: 1 }] }));
    expect(warnings).toEqual(['unknown field "spec.containers[0].imagePolicy"', 'unknown field "spec.containers[0].ports[0].bogus"']);
    expect(JSON.stringify(body)).not.toContain('bogus');
  });

  it('that are null or an empty list are absent (TK-3)', () => {
    const { spec } = post(pod({ command: null, args: [] }, { nodeSelector: {}, volumes: [] })).body as KubeObject;
    for (const field of ['nodeSelector', 'volumes']) expect(spec).not.toHaveProperty(field);
    for (const field of ['command', 'args']) expect(spec.containers[0]).not.toHaveProperty(field);
    expect(spec.securityContext).toEqual({});
  });

  it('are filled in where the kind has defaults (TK-1, TK-2)', () => {
    const probe = { httpGet: { port: 80 } };
    const { spec, status } = post(pod({ image: 'i:1', livenessProbe: probe, ports: [{ containerPort: 1 }] })).body as KubeObject;
    expect(spec).toMatchObject({ restartPolicy: 'Always', terminationGracePeriodSeconds: 30, priority: 0, enableServiceLinks: true });
    expect(spec.containers[0]).toMatchObject({
      imagePullPolicy: 'IfNotPresent',
      livenessProbe: { periodSeconds: 10, httpGet: { path: '/', scheme: 'HTTP' } },
      ports: [{ protocol: 'TCP' }],
    });
    expect(status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  it('of a Secret are base64, and plain texts become so', () => {
    const secret = (fields: object) => ({ metadata: { name: 's' }, ...fields });
    expect(post(secret({ stringData: { a: 'x' } }), 'secrets').body).toMatchObject({ data: { a: 'eA==' }, type: 'Opaque' });
    expect(message(secret({ data: { a: 'not base64' } }), 'secrets')).toContain('illegal base64 data at input byte 3');
  });
});
