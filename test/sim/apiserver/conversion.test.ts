import { describe, expect, it } from 'vitest';
import type { WebhookAnswer, WebhookCall } from '../../../src/sim/apiserver/admission/webhook.js';
import type { ApiRequest, Status } from '../../../src/sim/apiserver/request.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { AServer, told } from './a-server.js';

type Convert = (object: KubeObject, version: string) => KubeObject;
type Body = KubeObject & Status & { readonly items: readonly KubeObject[]; readonly metadata: { readonly resourceVersion: string } };

const crds = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', namespace: undefined } as const;

/** `spec.size` of v1 is `spec.replicas` of v2. */
const rename: Convert = ({ spec = {}, ...object }, version) => {
  const { size, replicas = size, ...rest } = spec;
  const count = replicas === undefined ? {} : version === 'v1' ? { size: replicas } : { replicas };
  return { ...object, apiVersion: `example.com/${version}`, spec: { ...rest, ...count } };
};

/** A server with things in v1, which is stored, and v2, and a webhook between them that can be told what to do. */
class Things {
  readonly asked: KubeObject[] = [];
  readonly server: AServer;
  convert: Convert = rename;
  /** The name that cannot be converted. */
  bad = '';
  answer: ((uid: unknown) => object) | undefined;

  constructor(caBundle = '') {
    this.server = new AServer((call) => this.#called(call));
    const version = (name: string, count: string) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { [count]: { type: 'integer' }, note: { type: 'string' } } } },
        },
      },
    });
    const clientConfig = { url: 'https://converter/', ...(caBundle !== '' && { caBundle }) };
    const body = {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [version('v1', 'size'), version('v2', 'replicas')],
        conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
      },
    };
    this.server.do({ ...crds, verb: 'create', body });
  }

  ask(version: string, request: Partial<Omit<ApiRequest, 'namespace'>> = {}) {
    const body = request.body as object | undefined;
    const named = body === undefined || request.contentType !== undefined ? {} : { apiVersion: `example.com/${version}`, kind: 'Thing' };
    const answer = this.server.do({
      group: 'example.com',
      version,
      resource: 'things',
      ...request,
      ...(body && { body: { ...named, ...body } }),
    });
    return { ...answer, code: answer.response.code, body: answer.response.body as Body };
  }

  create(name: string, size: number) {
    return this.ask('v1', { verb: 'create', body: { metadata: { name }, spec: { size } } });
  }

  merge(version: string, name: string, body: object) {
    return this.ask(version, { verb: 'patch', name, contentType: 'application/merge-patch+json', body });
  }

  get(version: string, name: string) {
    return this.ask(version, { name });
  }

  list(version: string, query: Record<string, string> = {}) {
    return this.ask(version, { verb: 'list', query });
  }

  watch(version: string, query: Record<string, string> = {}) {
    return this.ask(version, { verb: 'watch', query });
  }

  /** What open watches get while time passes. */
  pass(ms: number) {
    const until = this.server.nowMs + ms;
    const deliveries = [];
    for (let next = this.server.server.nextTickMs(); next !== undefined && next <= until; next = this.server.server.nextTickMs()) {
      this.server.nowMs = Math.max(next, this.server.nowMs);
      deliveries.push(...this.server.server.tick());
    }
    this.server.nowMs = until;
    return deliveries;
  }

  #called({ review }: WebhookCall): WebhookAnswer {
    const { apiVersion, kind, request } = review as unknown as {
      readonly apiVersion: string;
      readonly kind: string;
      readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly [KubeObject] };
    };
    const [object] = request.objects;
    this.asked.push(object);
    const failed = { uid: request.uid, result: { status: 'Failure', message: `no ${this.bad}` } };
    const version = request.desiredAPIVersion.split('/')[1] as string;
    const converted = () => ({ uid: request.uid, result: { status: 'Success' }, convertedObjects: [this.convert(object, version)] });
    const response = this.answer?.(request.uid) ?? (object.metadata.name === this.bad ? failed : converted());
    return { delayMs: 0, status: 200, headers: {}, body: JSON.stringify({ apiVersion, kind, response }) };
  }
}

const specsOf = (body: Body) => body.items.map(({ metadata, spec }) => [metadata.name, spec]);
const noBad = 'conversion webhook for example.com/v1, Kind=Thing failed: no bad';

describe('what a webhook converts', () => {
  it('is converted once for the watch cache, and anew for whoever gets it', () => {
    const things = new Things();
    things.create('a', 1);
    things.convert = (object, version) => ({ ...rename(object, version), spec: { replicas: 99 } });
    expect(specsOf(things.list('v2').body)).toEqual([['a', { replicas: 1 }]]);
    expect(specsOf(things.list('v2', { limit: '1' }).body)).toEqual([['a', { replicas: 1 }]]);
    expect(things.get('v2', 'a').body.spec).toEqual({ replicas: 99 });
    expect(things.ask('v2', { name: 'a', query: { resourceVersion: '0' } }).body.spec).toEqual({ replicas: 1 });
  });

  it('is selected by the labels that it has in the version that is asked', () => {
    const things = new Things();
    things.convert = (object, version) => {
      const { labels: _, ...metadata } = object.metadata;
      const labelled = version === 'v1' ? metadata : { ...metadata, labels: { large: String(object.spec?.size > 5) } };
      return { ...rename(object, version), metadata: labelled };
    };
    things.create('a', 1);
    things.create('b', 9);
    const large = { labelSelector: 'large=true' };
    expect(specsOf(things.list('v2', large).body)).toEqual([['b', { replicas: 9 }]]);
    expect(specsOf(things.list('v1', large).body)).toEqual([]);
    const { watch } = things.watch('v2', { ...large, resourceVersion: things.server.revision });
    const first = things.merge('v1', 'a', { spec: { size: 7 } });
    const second = things.merge('v1', 'b', { spec: { size: 2 } });
    expect(told([...first.deliveries, ...second.deliveries], watch)).toEqual(['ADDED a', 'DELETED b']);
  });

  it('is shown by a deletion as the cache had it', () => {
    const things = new Things();
    things.create('a', 1);
    const { watch } = things.watch('v2', { resourceVersion: things.server.revision });
    things.convert = (object, version) => ({ ...rename(object, version), spec: { replicas: 99 } });
    const { deliveries } = things.ask('v1', { verb: 'delete', name: 'a' });
    expect(deliveries).toMatchObject([{ watch, event: { type: 'DELETED', object: { spec: { replicas: 1 } } } }]);
  });

  it('comes from etcd with its owners and without its revision', () => {
    const things = new Things();
    things.create('a', 1);
    things.asked.length = 0;
    things.get('v2', 'a');
    expect(things.asked.map(({ metadata }) => metadata)).toMatchObject([{ name: 'a', managedFields: [{ apiVersion: 'example.com/v1' }] }]);
    expect(things.asked[0]?.metadata).not.toHaveProperty('resourceVersion');
  });

  it('loses the nulls that its schema does not allow, and nothing is filled in', () => {
    const things = new Things();
    things.create('a', 1);
    things.convert = (object, version) => ({ ...rename(object, version), spec: { replicas: null, undeclared: 1, note: 'n' } });
    expect(things.get('v2', 'a').body.spec).toEqual({ note: 'n' });
  });
});

describe('a write in a version that is not stored', () => {
  it('starts from what the cache has, and fails on the way to storage', () => {
    const things = new Things();
    things.create('bad', 1);
    things.list('v2');
    things.bad = 'bad';
    expect(things.merge('v2', 'bad', {}).body.message).toBe(noBad.replace('v1', 'v2'));
    expect(things.get('v2', 'bad').body.message).toBe(noBad);
    expect(things.ask('v2', { verb: 'delete', name: 'bad' }).body.message).toBe(noBad);
    expect(things.get('v1', 'bad').code).toBe(200);
  });

  it('is a real one when the webhook does not give back what is stored, and only the first time', () => {
    const things = new Things();
    const stamp: Convert = (object, version) => {
      const { spec, ...renamed } = rename(object, version);
      return { ...renamed, spec: version === 'v1' ? { ...spec, note: 'stamped' } : { replicas: spec?.replicas } };
    };
    things.convert = stamp;
    const { resourceVersion: before } = things.create('a', 1).body.metadata;
    things.list('v2');
    const { resourceVersion: after } = things.merge('v2', 'a', {}).body.metadata;
    expect(Number(after)).toBeGreaterThan(Number(before));
    expect(things.get('v1', 'a').body.spec).toEqual({ size: 1, note: 'stamped' });
    expect(things.merge('v2', 'a', {}).body.metadata.resourceVersion).toBe(after);
  });

  it('clears the owners when nobody can be asked about them', () => {
    const things = new Things();
    things.ask('v2', { verb: 'create', body: { metadata: { name: 'bad' }, spec: { replicas: 1 } } });
    things.bad = 'bad';
    things.merge('v1', 'bad', {});
    things.bad = '';
    things.asked.length = 0;
    things.get('v2', 'bad');
    expect(things.asked[0]?.metadata).not.toHaveProperty('managedFields');
  });
});

describe('a watch cache that cannot convert an object', () => {
  function stalled() {
    const things = new Things();
    things.create('bad', 1);
    things.create('good', 1);
    things.list('v2');
    const before = things.server.revision;
    const watch = things.watch('v2', { resourceVersion: before }).watch as number;
    things.bad = 'bad';
    const changed = [things.merge('v1', 'bad', { spec: { size: 2 } }), things.merge('v1', 'good', { spec: { size: 2 } })];
    return { things, before, watch, first: changed.flatMap(({ deliveries }) => deliveries) };
  }

  it('holds back all events and shows what it had, while new lists are read from etcd after a wait', () => {
    const { things, before, first } = stalled();
    expect(first).toEqual([]);
    const old = [
      ['bad', { replicas: 1 }],
      ['good', { replicas: 1 }],
    ];
    expect(specsOf(things.list('v2', { resourceVersion: '0' }).body)).toEqual(old);
    expect(specsOf(things.list('v2', { resourceVersion: before, resourceVersionMatch: 'Exact' }).body)).toEqual(old);
    expect(things.list('v2')).toMatchObject({ code: 500, heldUpMs: 3000, body: { message: noBad } });
    expect(things.list('v2', { resourceVersion: things.server.revision })).toMatchObject({ code: 504, body: { reason: 'Timeout' } });
    expect(specsOf(things.list('v2', { fieldSelector: 'metadata.name=good' }).body)).toEqual([['good', { replicas: 2 }]]);
    expect(things.list('v1').body.items).toHaveLength(2);
  });

  it('goes on without a loss when the object can be converted again', () => {
    const { things, watch } = stalled();
    things.pass(20_000);
    things.bad = '';
    expect(told(things.pass(1_000), watch)).toEqual(['MODIFIED bad', 'MODIFIED good']);
  });

  it('ends its watches after half a minute and refuses until it is filled anew', () => {
    const { things, before, watch } = stalled();
    expect(told(things.pass(30_000))).toEqual([]);
    expect(told(things.pass(1_500), watch)).toEqual(['ended']);
    const message = `storage is (re)initializing: failed to list example.com/v2, Kind=Thing: ${noBad}`;
    expect(things.list('v2')).toMatchObject({ code: 429, body: { message, details: { retryAfterSeconds: 1 } } });
    expect(things.watch('v2')).toMatchObject({ code: 429, body: { message } });
    expect(things.list('v2', { limit: '1' })).toMatchObject({ code: 500, body: { message: noBad } });
    expect(things.ask('v2', { verb: 'deletecollection' })).toMatchObject({ code: 500, body: { message: noBad } });
    things.pass(20_000);
    expect(things.list('v2').body.details?.retryAfterSeconds).toBe(3);
    things.ask('v1', { verb: 'delete', name: 'bad' });
    things.pass(1_000);
    expect(specsOf(things.list('v2').body)).toEqual([['good', { replicas: 2 }]]);
    expect(told(things.watch('v2', { resourceVersion: before }).deliveries)).toEqual(['ERROR 410', 'ended']);
  });

  it('has no patience left for a second failure soon after the first', () => {
    const { things, watch } = stalled();
    things.pass(10_000);
    things.bad = '';
    things.pass(10_000);
    things.bad = 'bad';
    things.merge('v1', 'bad', { spec: { size: 3 } });
    expect(told(things.pass(12_000), watch)).toEqual(['ended']);
  });

  it('is not filled after a change of the definition, and the version that is stored is not concerned', () => {
    const things = new Things();
    things.create('bad', 1);
    things.bad = 'bad';
    const body = { spec: { names: { shortNames: ['th'] } } };
    things.server.do({ ...crds, verb: 'patch', name: 'things.example.com', contentType: 'application/merge-patch+json', body });
    things.pass(1_000);
    expect(things.list('v2')).toMatchObject({ code: 429, body: { message: 'storage is (re)initializing' } });
    things.pass(500);
    expect(things.list('v2').body.message).toMatch(/^storage is \(re\)initializing: failed to list /);
    expect(things.list('v1').body.items).toHaveLength(1);
  });
});

describe('an answer of the wrong type', () => {
  it.each([
    [{ convertedObjects: 'x' }, 'string into Go struct field ConversionResponse.response.convertedObjects of type []runtime.RawExtension'],
    [{ uid: 1 }, 'number into Go struct field ConversionResponse.response.uid of type types.UID'],
    [{ result: 'x' }, 'string into Go struct field ConversionResponse.response.result of type v1.Status'],
    [{ result: { status: 1 } }, 'number into Go struct field Status.response.result.status of type string'],
  ])('is refused in Go: %j', (response, text) => {
    const things = new Things();
    things.create('a', 1);
    things.answer = (uid) => ({ uid, ...response });
    const prefix = 'conversion webhook for example.com/v1, Kind=Thing failed: json: cannot unmarshal';
    expect(things.get('v2', 'a').body).toMatchObject({ code: 500, message: `${prefix} ${text}` });
  });
});

describe('a conversion webhook without usable certificates', () => {
  const pem = Buffer.from('-----BEGIN CERTIFICATE-----\n').toString('base64');
  const definition = ({ server }: Things) => server.do({ ...crds, name: 'things.example.com' }).response.body as KubeObject;
  const withBundle = ({ server }: Things, caBundle: string) => {
    const body = { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
    return server.do({ ...crds, verb: 'patch', name: 'things.example.com', contentType: 'application/merge-patch+json', body }).response;
  };

  it('keeps a new definition from being established', () => {
    const things = new Things('YWJj');
    const established = { type: 'Established', status: 'False', reason: 'InvalidCABundle' };
    expect(definition(things).status?.conditions).toContainEqual(expect.objectContaining(established));
    withBundle(things, pem);
    expect(things.create('a', 1).code).toBe(201);
  });

  it('is refused for a definition that is established', () => {
    const fault = 'spec.conversion.webhookClientConfig.caBundle: Invalid value: "YWJj": unable to load root certificates';
    expect(withBundle(new Things(pem), 'YWJj')).toMatchObject({ code: 422, body: { message: expect.stringContaining(fault) } });
  });
});
