import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../src/sim/etcd/object.js';
import { AServer } from '../a-server.js';

const group = 'example.com';
const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', namespace: undefined } as const;
const things = { group, resource: 'things' } as const;
const count = { type: 'integer' };

function definition(spec: object, version: object = {}, name = `things.${group}`) {
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } }, ...version },
  ];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: { group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions },
  };
}

const define = (server: AServer, crd: object) => server.do({ verb: 'create', ...definitions, body: crd }).response;
const faultsOf = (crd: object) => {
  const { body } = define(new AServer(), crd) as unknown as { body: { details: { causes: { field: string; message: string }[] } } };
  return body.details.causes.map(({ field, message }) => `${field}: ${message}`);
};
/** One schema for all versions stands at the top in the server, and so in what it says. */
const inSchema = 'spec.validation.openAPIV3Schema.properties[spec]';
const thing = (spec: object, metadata: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: { name: 'a', ...metadata },
  spec,
});

describe('a definition is refused', () => {
  it('for a name that is not its plural and group', () => {
    const wrong = definition({ type: 'object' }, {}, `stuff.${group}`);
    expect(faultsOf(wrong)).toEqual([`metadata.name: Invalid value: "stuff.${group}": must be spec.names.plural+"."+spec.group`]);
  });

  it('for a schema that is not structural', () => {
    expect(faultsOf(definition({}))).toContain(`${inSchema}.type: Required value: must not be empty for specified object fields`);
  });

  it('for a default that does not fit', () => {
    const wrong = definition({ type: 'object', properties: { n: { ...count, default: 'x' } } });
    expect(faultsOf(wrong)[0]).toContain(`${inSchema}.properties[n].default: Invalid value: "string"`);
  });

  it('for a rule that does not compile, with the place in it', () => {
    const wrong = definition({ type: 'object', properties: { n: count }, 'x-kubernetes-validations': [{ rule: 'self.m > 0' }] });
    expect(faultsOf(wrong)[0]).toContain("compilation failed: ERROR: <input>:1:5: undefined field 'm'");
  });

  it('for a rule that may cost too much', () => {
    const list = {
      type: 'array',
      items: { type: 'string' },
      'x-kubernetes-validations': [{ rule: 'self.all(x, self.exists(y, x == y))' }],
    };
    expect(faultsOf(definition(list))[0]).toContain('estimated rule cost exceeds budget by factor of more than 100x');
  });
});

describe('a custom resource', () => {
  const spec = { type: 'object', properties: { n: count, size: { ...count, default: 1 } } };

  it('has defaults when it is read that were not there when it was written', () => {
    const server = new AServer();
    define(server, definition({ type: 'object', properties: { n: count } }));
    server.do({ verb: 'create', ...things, body: thing({ n: 1 }) });
    const crd = server.do({ ...definitions, name: `things.${group}` }).response.body as KubeObject;
    server.do({
      verb: 'update',
      ...definitions,
      name: `things.${group}`,
      body: { ...definition(spec), metadata: { name: `things.${group}`, resourceVersion: crd.metadata.resourceVersion } },
    });
    expect(server.do({ ...things, name: 'a' }).response.body).toMatchObject({ spec: { n: 1, size: 1 } });
  });

  it('may have unknown fields, with a warning or not at all, as is asked', () => {
    const server = new AServer();
    define(server, definition(spec));
    const post = (fieldValidation: string) =>
      server.do({ verb: 'create', ...things, query: { fieldValidation, dryRun: 'All' }, body: thing({ more: 1 }) }).response;
    expect(post('Strict')).toMatchObject({ code: 400, body: { message: expect.stringContaining('unknown field "spec.more"') } });
    expect(post('Warn')).toMatchObject({ code: 201, warnings: ['unknown field "spec.more"'] });
    expect(post('Ignore').code).toBe(201);
  });

  it('is the same in every version when nothing converts it', () => {
    const server = new AServer();
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    const crd = definition(spec);
    const versions = [...crd.spec.versions, { name: 'v2', served: true, storage: false, schema }];
    define(server, { ...crd, spec: { ...crd.spec, versions } });
    server.do({ verb: 'create', ...things, body: thing({ n: 1 }) });
    const body = server.do({ ...things, version: 'v2', name: 'a' }).response.body;
    expect(body).toMatchObject({ apiVersion: `${group}/v2`, spec: { n: 1, size: 1 } });
  });

  it('counts its generation by its spec when it has a status of its own', () => {
    const server = new AServer();
    define(server, definition(spec, { subresources: { status: {} } }));
    const created = server.do({ verb: 'create', ...things, body: { ...thing({ n: 1 }), status: { x: 1 } } }).response.body as KubeObject;
    const put = (n: number, { metadata }: KubeObject, more: object = {}) => {
      const { resourceVersion } = metadata;
      const body = thing({ n }, { resourceVersion });
      return server.do({ verb: 'update', ...things, name: 'a', body, ...more }).response.body as KubeObject;
    };
    const changed = put(2, created);
    expect(changed).toMatchObject({ metadata: { generation: 2 } });
    const answer = put(3, changed, { subresource: 'status' });
    expect(answer).toMatchObject({ metadata: { generation: 2 }, spec: { n: 2 } });
  });
});
