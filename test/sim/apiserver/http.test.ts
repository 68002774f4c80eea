import { describe, expect, it } from 'vitest';
import { type HttpRequest, type HttpResponse, isExchange, readHttp } from '../../../src/sim/apiserver/http.js';
import { parsePath } from '../../../src/sim/apiserver/http-path.js';
import { AServer } from './a-server.js';

function send(server: AServer, method: string, path: string, more: Partial<HttpRequest> = {}): HttpResponse {
  const read = readHttp(server.server, { method, path, headers: {}, ...more });
  return isExchange(read) ? read.respond(server.server.handle(read.request).response) : read;
}

describe('paths', () => {
  it.each([
    ['/api/v1/namespaces/ns/configmaps/a', { resource: 'configmaps', namespace: 'ns', name: 'a' }],
    ['/api/v1/namespaces/ns/configmaps/', { resource: 'configmaps', namespace: 'ns' }],
    ['/api/v1/namespaces/ns', { resource: 'namespaces', name: 'ns' }],
    ['/api/v1/namespaces/ns/finalize', { resource: 'namespaces', name: 'ns', subresource: 'finalize' }],
    ['/apis/apps/v1/namespaces/ns/deployments/d/scale', { group: 'apps', resource: 'deployments', name: 'd', subresource: 'scale' }],
    ['/api/v1/watch/namespaces/ns/configmaps', { resource: 'configmaps', namespace: 'ns', watch: true }],
    ['/apis/apps/v1', { type: 'discovery', group: 'apps', version: 'v1' }],
  ])('%s is understood', (path, parts) => {
    expect(parsePath(path)).toMatchObject(parts);
  });

  it('of unknown groups are no page at all, of unknown kinds in known groups a Status (HT-6)', () => {
    const server = new AServer();
    expect(send(server, 'GET', '/apis/nobody.example.com/v1/things')).toMatchObject({
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: '404 page not found\n',
    });
    expect(JSON.parse(send(server, 'GET', '/api/v1/nosuch').body)).toMatchObject({
      message: 'the server could not find the requested resource',
      details: {},
    });
  });
});

describe('bodies', () => {
  const path = '/api/v1/namespaces/ns/configmaps';

  it('may be JSON or YAML', () => {
    const server = new AServer();
    expect(send(server, 'POST', path, { body: '{"metadata":{"name":"a"}}' }).status).toBe(201);
    const headers = { 'content-type': 'application/yaml', accept: 'application/yaml' };
    const yaml = send(server, 'POST', path, { headers, body: 'metadata: {name: b}\ndata: {k: "1"}\n' });
    expect(yaml.status).toBe(201);
    expect(yaml.body).toContain('data:\n  k: "1"\nkind: ConfigMap\n');
  });

  it('that cannot be read get the words of Go (CR-15)', () => {
    const answer = send(new AServer(), 'POST', path, { body: '{"a": tru' });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).message).toBe(
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"a": tru)',
    );
  });

  it('that say a member twice are warned of (CR-14)', () => {
    const answer = send(new AServer(), 'POST', path, { body: '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"}}' });
    expect(answer.headers.warning).toEqual(['299 - "duplicate field \\"data.k\\""']);
    expect(JSON.parse(answer.body).data).toEqual({ k: '2' });
  });

  it('of an unknown type are refused before they are read, and after what the client accepts (HT-11, HT-13)', () => {
    const server = new AServer();
    const headers = { 'content-type': 'text/plain' };
    expect(send(server, 'POST', path, { headers, body: '{' }).status).toBe(415);
    expect(send(server, 'POST', path, { headers: { ...headers, accept: 'text/html' }, body: '{' }).status).toBe(406);
  });

  it('of more than three mebibytes are refused (ST-11)', () => {
    expect(send(new AServer(), 'POST', path, { body: ' '.repeat(3_145_729) }).status).toBe(413);
  });
});

const configMaps = '/api/v1/namespaces/ns/configmaps';

describe('forms of an answer', () => {
  it('are a Table of rows for kubectl (HT-16)', () => {
    const server = new AServer();
    server.create('a', { data: { k: '1', l: '2' } });
    server.nowMs += 90_000;
    const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const table = JSON.parse(send(server, 'GET', '/api/v1/namespaces/ns/configmaps', { headers }).body);
    expect(table.columnDefinitions.map((column: { name: string }) => column.name)).toEqual(['Name', 'Data', 'Age']);
    expect(table.rows[0].cells).toEqual(['a', 2, '90s']);
  });

  it('have no verb for OPTIONS: custom resources say so, built-in kinds know no such method', () => {
    const server = new AServer();
    const schema = { openAPIV3Schema: { type: 'object' } };
    const names = { plural: 'widgets', kind: 'Widget' };
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] };
    const crds = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', namespace: undefined };
    server.do({ ...crds, verb: 'create', body: { metadata: { name: 'widgets.example.com' }, spec } });
    const custom = '/apis/example.com/v1/namespaces/ns/widgets/a';
    expect(JSON.parse(send(server, 'OPTIONS', custom).body).message).toBe(' is not supported on resources of kind "widgets.example.com"');
    expect(JSON.parse(send(server, 'OPTIONS', `${configMaps}/a`).body).message).toBe(
      'the server does not allow this method on the requested resource',
    );
  });

  it('of a watch that cannot be streamed are refused for that last (LW-28)', () => {
    const watch = (more: string) =>
      send(new AServer(), 'GET', `${configMaps}?watch=true${more}`, { headers: { accept: 'application/yaml' } });
    expect(watch('').status).toBe(406);
    expect(watch('&sendInitialEvents=true').status).toBe(422);
    expect(watch('&timeoutSeconds=x').status).toBe(400);
  });

  it('tell when to come back (HT-4)', () => {
    const answer = send(new AServer(), 'GET', '/api/v1/namespaces/ns/configmaps?resourceVersion=999');
    expect(answer).toMatchObject({ status: 504, headers: { 'retry-after': '1' } });
  });

  it('are one line of JSON per event in a watch, with columns only in the first of a Table (LW-30)', () => {
    const server = new AServer();
    server.create('a');
    server.create('b');
    const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const read = readHttp(server.server, { method: 'GET', path: '/api/v1/configmaps?watch=1', headers });
    if (!isExchange(read)) throw new Error('refused');
    const lines = server.server.handle(read.request).deliveries.map((delivery) => (delivery.event ? read.event(delivery.event) : ''));
    const columns = lines.map((line) => JSON.parse(line).object.columnDefinitions?.length ?? null);
    expect(lines.every((line) => line.endsWith('}\n'))).toBe(true);
    expect(columns).toEqual([3, null]);
  });
});

describe('a query', () => {
  it('may have a parameter many times and under any name', () => {
    const path = `/api/v1/configmaps?__proto__=x&constructor=y&${'a=1&'.repeat(50_000)}&a=2`;
    const read = readHttp(new AServer().server, { method: 'GET', path, headers: {} });
    if (!isExchange(read)) throw new Error('refused');
    const { query = {} } = read.request;
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor', 'a']);
    expect(query.a).toHaveLength(50_001);
  }, 2_000);

  it('takes everything for true but 0, false and absence (HT-10)', () => {
    const server = new AServer();
    const verbOf = (query: string) => {
      const read = readHttp(server.server, { method: 'GET', path: `/api/v1/configmaps${query}`, headers: {} });
      return isExchange(read) ? read.request.verb : read.status;
    };
    expect(['', '?watch=0', '?watch=False', '?watch=1', '?watch=', '?watch=no'].map(verbOf)).toEqual([
      'list',
      'list',
      'list',
      'watch',
      'watch',
      'watch',
    ]);
  });
});
