import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../src/sim/etcd/object.js';
import { HookedServer } from './a-webhook.js';

const pod = (server: HookedServer, spec: object = {}) =>
  server.do({
    verb: 'create',
    resource: 'pods',
    body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } },
  }).response;
const priorityClass = (server: HookedServer, name: string, fields: object) =>
  server.post('scheduling.k8s.io', 'priorityclasses', { metadata: { name }, ...fields });

describe("the server's own plugins", () => {
  it('give pods the priority of their class, or of the default one (AD-17)', () => {
    const server = new HookedServer({});
    priorityClass(server, 'high', { value: 1000 });
    expect((pod(server, { priorityClassName: 'high' }).body as KubeObject).spec).toMatchObject({
      priority: 1000,
      priorityClassName: 'high',
    });
    const other = new HookedServer({});
    priorityClass(other, 'usual', { value: 7, globalDefault: true });
    expect((pod(other).body as KubeObject).spec).toMatchObject({ priority: 7, priorityClassName: 'usual' });
  });

  it('refuse pods whose classes are not there, or that say otherwise (AD-17)', () => {
    const server = new HookedServer({});
    const message = (spec: object) => (pod(server, spec).body as { readonly message?: string }).message;
    expect(message({ priorityClassName: 'none' })).toBe('pods "p" is forbidden: no PriorityClass with name none was found');
    expect(message({ runtimeClassName: 'none' })).toBe('pods "p" is forbidden: pod rejected: RuntimeClass "none" not found');
    expect(message({ priority: 5 })).toBe(
      'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    );
  });

  it('put back the tolerations that a webhook takes away, and show them to webhooks (AD-17)', () => {
    let seen = 0;
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
    const server = new HookedServer({
      a: ({ object }) => {
        seen = object?.spec.tolerations.length;
        return { patch: [{ op: 'remove', path: '/spec/tolerations' }] };
      },
    });
    server.configure('Mutating', 'm', { name: 'a', rules });
    const created = pod(server).body as KubeObject;
    expect(seen).toBe(2);
    expect(created.spec.tolerations).toHaveLength(2);
  });
});
