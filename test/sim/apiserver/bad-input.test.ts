import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiRequest, Verb } from '../../../src/sim/apiserver/request.js';
import { AServer } from './a-server.js';

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
};

describe('input that is made to hurt', () => {
  it('has members called __proto__ and constructor, which are stored like others', () => {
    const server = new AServer();
    const data = JSON.parse('{"__proto__":"x","constructor":"y"}');
    const labels = JSON.parse('{"__proto__":"x"}');
    server.create('a', { data });
    expect(JSON.stringify((server.do({ name: 'a' }).response.body as { data: object }).data)).toBe('{"__proto__":"x","constructor":"y"}');
    const refused = server.do({ verb: 'create', body: { metadata: { name: 'b', labels } } }).response.body;
    expect(refused).toMatchObject({ code: 422, message: expect.stringContaining('metadata.labels: Invalid value: "__proto__"') });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.prototype.toString.call({})).toBe('[object Object]');
  });

  // Whatever name an object inherits, as users may write it.
  it.each(Object.getOwnPropertyNames(Object.prototype))('has %s for a name wherever users choose names', (name) => {
    const named = (value: unknown) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);
    const container = { name: 'c', image: 'i' };
    const refused: readonly (readonly [string, object])[] = [
      ['limitranges', { limits: [{ type: 'Container', min: named('1'), max: {}, maxLimitRequestRatio: named('2') }] }],
      ['limitranges', { limits: [{ type: 'Container', min: {}, max: {}, maxLimitRequestRatio: named('2') }] }],
      ['resourcequotas', { hard: named('1') }],
      ['pods', { containers: [{ ...container, resources: { requests: named('1'), limits: {} } }] }],
      ['pods', { containers: [{ ...container, resources: { limits: named('1') } }], resources: { requests: {}, limits: {} } }],
      ['pods', { containers: [{ ...container, resources: { requests: named('1') } }], resources: { requests: { cpu: '1' } } }],
    ];
    for (const [resource, spec] of refused) {
      const { response } = new AServer().do({ verb: 'create', resource, body: { metadata: { name: 'a' }, spec } });
      expect(response).toMatchObject({ code: 422, body: { message: expect.stringContaining(`[${name}]`) } });
    }
    const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [name] };
    const schemas: readonly (readonly [object, string])[] = [
      [{ properties: { l: { ...list, items: { type: 'object', properties: { a: { type: 'string' } } } } } }, 'names of item properties'],
      [{ allOf: [{ properties: named({ minimum: 1 }) }], properties: { a: { type: 'string' } } }, 'because it is defined in'],
      [
        { properties: { a: { type: 'string' } }, 'x-kubernetes-validations': [{ rule: 'true', fieldPath: `.${name}` }] },
        'must be a valid path',
      ],
    ];
    for (const [schema, text] of schemas)
      expect(crdAnswer(schema)).toMatchObject({ code: 422, body: { message: expect.stringContaining(text) } });
  });

  it.each([
    ['resourcequotas', { hard: { pods: null } }],
    ['limitranges', { limits: [{ type: 'Container', max: { cpu: null } }] }],
    ['pods', { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: null }, requests: { memory: null } } }] }],
  ])('has null for an amount of %s, which is none at all', (resource, spec) => {
    const { response } = new AServer().do({ verb: 'create', resource, body: { metadata: { name: 'a' }, spec } });
    expect(response.code).toBe(201);
    expect(JSON.stringify(response.body)).toMatch(/"(pods|cpu)":"0"/);
  });

  it.each([
    ['validatingadmissionpolicybindings', { policyName: 'a' }, 'spec.validationActions: Required value'],
    ['validatingadmissionpolicies', { variables: [null] }, 'spec.variables[0].expression: Required value'],
  ])('leaves out what %s need', (resource, spec, text) => {
    const group = 'admissionregistration.k8s.io';
    const { response } = new AServer().do({
      verb: 'create',
      group,
      resource,
      namespace: undefined,
      body: { metadata: { name: 'a' }, spec },
    });
    expect(response).toMatchObject({ code: 422, body: { message: expect.stringContaining(text) } });
  });

  it('is nested too deeply', () => {
    const server = new AServer();
    const deep = { metadata: { name: 'a' }, data: nested(100_000) };
    expect(server.do({ verb: 'create', body: deep }).response.code).toBe(400);
    server.create('a');
    for (const contentType of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
      expect(server.do({ verb: 'patch', name: 'a', body: deep, contentType }).response.code).toBe(400);
    }
    expect(server.do({ verb: 'delete', name: 'a', body: { preconditions: nested(100_000) } }).response.code).toBe(400);
  });

  it('is deep, but only in what a built-in kind does not know', () => {
    const server = new AServer();
    const deep = { metadata: { name: 'a' }, deep: nested(9_999) };
    expect(server.do({ verb: 'create', body: deep }).response).toMatchObject({ code: 201, warnings: ['unknown field "deep"'] });
    const deeper = { metadata: { name: 'b' }, deep: nested(10_000) };
    expect(server.do({ verb: 'create', body: deeper }).response.body).toMatchObject({
      code: 400,
      message: expect.stringContaining("invalid character '{' exceeded max depth"),
    });
    const kept = { metadata: { name: 'c', managedFields: [{ fieldsV1: nested(9_000) }] } };
    expect(server.do({ verb: 'create', body: kept }).response.code).toBe(400);
  });

  it('is deep in an apply', () => {
    const server = new AServer();
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: nested(9_000) };
    const query = { fieldManager: 'm' };
    const { response } = server.do({ verb: 'patch', name: 'a', body, query, contentType: 'application/apply-patch+yaml' });
    expect(response.code).toBe(400);
  });

  it('is too large (ST-11)', () => {
    const server = new AServer();
    const data = { k: 'x'.repeat(1_100_000) };
    expect(server.do({ verb: 'create', body: { metadata: { name: 'a' }, data } }).response.body).toMatchObject({
      code: 422,
      message: 'ConfigMap "a" is invalid: []: Too long: may not be more than 1048576 bytes',
    });
  });

  it('has functions, dates and holes, as data in process can', () => {
    const server = new AServer();
    const body = { metadata: { name: 'a', labels: undefined, creationTimestamp: new Date(0) }, data: { k: 'v', f: undefined } };
    expect(server.do({ verb: 'create', body }).response).toMatchObject({ code: 201, body: { data: { k: 'v' } } });
  });

  it('is neither changed nor frozen by the server', () => {
    const server = new AServer();
    const body = { metadata: { name: 'a', labels: { l: '1' } }, data: { k: 'v' } };
    server.do({ verb: 'create', body });
    body.data.k = 'changed';
    body.metadata.labels.l = 'changed';
    expect(server.do({ name: 'a' }).response.body).toMatchObject({ data: { k: 'v' }, metadata: { labels: { l: '1' } } });
  });

  const crdWith = (schema: object) => ({
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } } }],
    },
  });
  const crdAnswer = (schema: object) =>
    new AServer().do({
      verb: 'create',
      group: 'apiextensions.k8s.io',
      version: 'v1',
      resource: 'customresourcedefinitions',
      namespace: undefined,
      body: crdWith(schema),
    }).response;

  it.each([
    { 'x-kubernetes-validations': 'self.a' },
    { 'x-kubernetes-validations': [{ rule: 'true', message: {} }] },
    { required: [1] },
    { enum: 'a' },
    { properties: { a: { items: 3 } } },
    { type: 7 },
  ])('is a schema with fields of a wrong type, at the top or wherever a schema holds a schema or something else: %j', (wrong) => {
    const places = [
      wrong,
      { properties: { a: { type: 'array', items: wrong } } },
      { properties: { a: { type: 'array', items: [wrong, null] } } },
      { properties: { a: { type: 'object', additionalProperties: wrong } } },
      { additionalItems: wrong },
      { dependencies: { a: wrong } },
    ];
    for (const schema of places) expect([400, 422]).toContain(crdAnswer(schema).code);
  });

  it.each([
    [{ additionalProperties: 3 }, 'boolean or JSON schema expected'],
    [{ dependencies: { a: [1] } }, 'json: cannot unmarshal number into Go value of type string'],
    [{ items: ['x'] }, 'json: cannot unmarshal string into Go value of type v1.JSONSchemaProps'],
  ])("is neither a schema nor what may stand for one, and is refused in Go's words: %j", (schema, text) => {
    expect(crdAnswer(schema).body).toMatchObject({ code: 400, message: expect.stringContaining(text) });
  });

  it('has null where a definition has lists of objects', () => {
    for (const schema of [{ allOf: [null] }, { 'x-kubernetes-validations': [null] }, { properties: { a: null } }]) {
      expect([201, 400, 422]).toContain(crdAnswer(schema).code);
    }
  });

  it.each([2 ** 53, -(2 ** 53), 1e12])('is a grace period of %d seconds', (gracePeriodSeconds) => {
    const server = new AServer();
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    server.do({ verb: 'create', resource: 'pods', body: { metadata: { name: 'a' }, spec } });
    const { response } = server.do({ verb: 'delete', resource: 'pods', name: 'a', body: { gracePeriodSeconds } });
    expect(response.code).toBe(200);
  });

  const verbs: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
  const resources = [
    ['', 'configmaps'],
    ['', 'pods'],
    ['', 'services'],
    ['', 'namespaces'],
    ['', 'nodes'],
    ['', 'bindings'],
    ['', 'persistentvolumeclaims'],
    ['apps', 'deployments'],
    ['apps', 'statefulsets'],
    ['apps', 'daemonsets'],
    ['batch', 'jobs'],
    ['batch', 'cronjobs'],
    ['autoscaling', 'horizontalpodautoscalers'],
    ['policy', 'poddisruptionbudgets'],
    ['networking.k8s.io', 'networkpolicies'],
    ['rbac.authorization.k8s.io', 'rolebindings'],
    ['discovery.k8s.io', 'endpointslices'],
    ['apiextensions.k8s.io', 'customresourcedefinitions'],
    ['authorization.k8s.io', 'selfsubjectaccessreviews'],
  ] as const;
  const fields = [
    'metadata',
    'spec',
    'status',
    'data',
    'name',
    'labels',
    'finalizers',
    'template',
    'containers',
    'replicas',
    'names',
    'versions',
  ];
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 0, -1, 1.5, '', 'a', 'x/y'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string({ maxLength: 3 })), tie('value'), { maxKeys: 5 }),
    ),
  })).value;
  const metadata = fc.record(
    { name: fc.constantFrom('a', 'b'), labels: json, finalizers: json, ownerReferences: json },
    { requiredKeys: ['name'] },
  );
  const body = fc.oneof(
    json,
    fc.record({ metadata, spec: json, status: json, data: json, rules: json, subjects: json }, { requiredKeys: ['metadata'] }),
  );
  const operations = fc.array(
    fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
        path: fc.constantFrom('', '/spec', '/metadata/name', '/metadata', '/x/-'),
        from: fc.constantFrom('', '/spec'),
        value: json,
      },
      { requiredKeys: ['op'] },
    ),
    { maxLength: 4 },
  );
  const requests = fc.array(
    fc.record({
      verb: fc.constantFrom(...verbs),
      of: fc.constantFrom(...resources),
      name: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      namespace: fc.option(fc.constant('ns'), { nil: undefined }),
      subresource: fc.option(fc.constantFrom('status', 'scale', 'finalize', 'eviction', 'binding', 'nothing'), { nil: undefined }),
      contentType: fc.constantFrom('application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json'),
      body: fc.oneof(body, operations),
    }),
    { minLength: 1, maxLength: 12 },
  );

  it('of any form is answered and never thrown at the caller', () => {
    fc.assert(
      fc.property(requests, (list) => {
        const server = new AServer();
        for (const { of, verb, name, namespace, subresource, ...rest } of list) {
          const request: ApiRequest = {
            verb,
            group: of[0],
            version: of[0] === 'autoscaling' ? 'v2' : 'v1',
            resource: of[1],
            ...(name !== undefined && { name }),
            ...(namespace !== undefined && { namespace }),
            ...(subresource !== undefined && { subresource }),
            ...rest,
          };
          const { response } = server.server.handle(request);
          expect(response.code).toBeGreaterThanOrEqual(200);
          expect(() => JSON.stringify(response.body)).not.toThrow();
        }
      }),
      { numRuns: 400, seed: 1 },
    );
  });
});
