import { describe, expect, it } from 'vitest';
import { HookedServer } from './a-webhook.js';

const group = 'admissionregistration.k8s.io';

function governed(policy: object, binding: object = { validationActions: ['Deny'] }): HookedServer {
  const server = new HookedServer({});
  const resourceRules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
  server.post(group, 'validatingadmissionpolicies', {
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules }, ...policy },
  });
  server.post(group, 'validatingadmissionpolicybindings', { metadata: { name: 'b' }, spec: { policyName: 'p', ...binding } });
  return server;
}

const create = (server: HookedServer, name: string, data: Record<string, string> = {}) =>
  server.do({ verb: 'create', body: { metadata: { name }, data } }).response;

describe('ValidatingAdmissionPolicies', () => {
  it('refuse with the code of their reason and the message that they work out (AD-8)', () => {
    const server = governed({
      variables: [{ name: 'size', expression: 'size(object.data)' }],
      validations: [{ expression: 'variables.size < 2', reason: 'Forbidden', messageExpression: "'has %d'.format([variables.size])" }],
    });
    expect(create(server, 'small', { a: '1' }).code).toBe(201);
    const { code, body } = create(server, 'large', { a: '1', b: '2' });
    expect(code).toBe(403);
    expect(body).toMatchObject({
      message: `configmaps "large" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: has 2`,
      reason: 'Forbidden',
    });
  });

  it('refuse what they cannot evaluate, unless failures are to be ignored (AD-8)', () => {
    const validations = [{ expression: "object.data.k == '1'" }];
    expect(create(governed({ validations }), 'x').body).toMatchObject({
      code: 422,
      message: `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: expression 'object.data.k == '1'' resulted in error: no such key: data`,
    });
    expect(create(governed({ validations, failurePolicy: 'Ignore' }), 'x').code).toBe(201);
  });

  it('warn where they are bound to warn (AD-8)', () => {
    const { code, warnings } = create(
      governed({ validations: [{ expression: 'false', message: 'not nice' }] }, { validationActions: ['Warn'] }),
      'x',
    );
    expect(code).toBe(201);
    expect(warnings).toEqual(["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': not nice"]);
  });

  it('look at every update, so that a standing fault holds up labels, too (AD-12)', () => {
    const server = governed({ validations: [{ expression: "request.operation == 'CREATE' || !('bad' in object.data)" }] });
    create(server, 'x', { bad: '1' });
    expect(server.update('x', { data: { bad: '1' }, metadata: { labels: { a: '1' } } }).response.code).toBe(422);
    expect(server.update('x', { data: { good: '1' } }).response.code).toBe(200);
  });

  it('take their parameters from objects, and refuse all when those are missing and the binding says so (AD-8)', () => {
    const server = governed(
      {
        paramKind: { apiVersion: 'v1', kind: 'Secret' },
        validations: [{ expression: "object.metadata.name.startsWith(params.metadata.labels['prefix'])" }],
      },
      { validationActions: ['Deny'], paramRef: { name: 'limits', namespace: 'ns', parameterNotFoundAction: 'Deny' } },
    );
    expect(create(server, 'ok-1').body).toMatchObject({
      message: expect.stringContaining('no params found for policy binding with `Deny` parameterNotFoundAction'),
    });
    server.do({ verb: 'create', resource: 'secrets', body: { metadata: { name: 'limits', labels: { prefix: 'ok' } } } });
    expect(create(server, 'ok-1')).toMatchObject({ code: 201 });
    expect(create(server, 'other').code).toBe(422);
  });

  it('do nothing until they are bound (AD-12)', () => {
    const server = governed({ validations: [{ expression: 'false' }] });
    server.do({ verb: 'delete', group, resource: 'validatingadmissionpolicybindings', namespace: undefined, name: 'b' });
    expect(create(server, 'x').code).toBe(201);
  });

  it('are refused when their expressions are none', () => {
    const server = new HookedServer({});
    const resourceRules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
    const spec = { matchConstraints: { resourceRules }, validations: [{ expression: "'text'" }] };
    const answer = server.do({
      verb: 'create',
      group,
      resource: 'validatingadmissionpolicies',
      namespace: undefined,
      body: { metadata: { name: 'p' }, spec },
    });
    expect(answer.response.body).toMatchObject({
      code: 422,
      details: {
        causes: [{ field: 'spec.validations[0].expression', message: `Invalid value: "'text'": must evaluate to bool but got string` }],
      },
    });
  });
});
