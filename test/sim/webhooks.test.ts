import {
  type ClientObject,
  ConfigMap,
  converter,
  create,
  defaulter,
  defineKind,
  defineScenario,
  ignoreNotFound,
  type KubeObject,
  newControllerManagedBy,
  remove,
  reviewer,
  type ScenarioDefinition,
  spoke,
  target,
  validator,
  type Webhook,
} from 'seatrial';
import { describe, expect, it } from 'vitest';
import { fuzz } from '../../src/campaign/campaign.js';
import { singleFaults } from '../../src/campaign/closure.js';
import { randomPlan } from '../../src/campaign/portfolio.js';
import { Vocabulary } from '../../src/campaign/vocabulary.js';
import { plainCrd, wish } from '../../src/scenarios/zoo/plain-crd.js';
import { calmPlan, type Fault } from '../../src/sim/plan.js';
import { simulate } from '../../src/sim/simulate.js';
import type { Trace, TraceEvent } from '../../src/sim/trace.js';

interface Web extends ClientObject {
  spec: { text: string; size?: number };
}
const Web = defineKind<Web>('example.com/v1', 'Web');
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});
const crd = plainCrd(Web);
const webA = wish(Web, 'a', { text: 'hello' });

function configuration(kind: 'Mutating' | 'Validating', path: string, resource: string, options: object = {}): KubeObject {
  const [plural = '', group = ''] = resource.split('/').reverse();
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: `${kind.toLowerCase()}-${plural}` },
    webhooks: [
      {
        name: `${plural}.example.com`,
        clientConfig: { service: { namespace: 'system', name: 'hook', path } },
        rules: [{ operations: ['CREATE', 'UPDATE', 'DELETE'], apiGroups: [group], apiVersions: ['v1'], resources: [plural] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...options,
      },
    ],
  };
}

/** Keeps a ConfigMap for each Web, and writes its size into it. */
const operator: ScenarioDefinition['operators'][number] = {
  name: 'web-operator',
  setup(manager) {
    const { client } = manager;
    newControllerManagedBy(manager)
      .for(Web)
      .complete(async (request) => {
        const web = await client.get(Web, request).catch(ignoreNotFound);
        if (web === undefined || web.metadata.deletionTimestamp !== undefined) return;
        const data = { size: String(web.spec.size) };
        const map: ConfigMap = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: request.name, namespace: request.namespace },
          data,
        };
        const there = await client.get(ConfigMap, request).catch(() => undefined);
        if (there === undefined) await client.create(map);
      });
  },
};

function scenario(parts: Partial<ScenarioDefinition>) {
  return defineScenario({ name: 'webs', crds: [crd], operators: [operator], workload: [create(webA)], ...parts });
}

const sizes: Webhook = defaulter(Web, (web) => {
  web.spec.size ??= 3;
});
const mutated = scenario({
  objects: [configuration('Mutating', '/mutate', 'example.com/webs')],
  webhooks: { 'hook.system.svc/mutate': sizes },
});
const maps = (answer: Parameters<typeof reviewer>[0], options: object = {}) =>
  scenario({
    objects: [configuration('Validating', '/maps', '/configmaps', options)],
    webhooks: { 'hook.system.svc/maps': reviewer(answer) },
  });
const callOfMap = 'create configmaps default/a by web-operator #1';
const askedOfMap = 'call hook.system.svc/maps for create configmaps default/a by web-operator #1';

function run(of: ReturnType<typeof scenario>, ...faults: readonly Fault[]): Promise<Trace> {
  return simulate(of, { ...calmPlan(of.name), faults });
}

function events<K extends TraceEvent['kind']>(trace: Trace, kind: K) {
  return trace.entries
    .filter((entry) => entry.event.kind === kind)
    .map((entry) => ({ atMs: entry.atMs, ...(entry.event as Extract<TraceEvent, { kind: K }>) }));
}

function atRest(trace: Trace) {
  return trace.stateAt(trace.phases.find(({ phase }) => phase === 'settle')?.revision ?? 0);
}

describe('webhooks of a scenario', () => {
  it('change what people and operators write, each call under a name of its own', async () => {
    const trace = await run(mutated);
    expect(atRest(trace).get('webs.example.com', 'default', 'a')?.spec).toEqual({ text: 'hello', size: 3 });
    expect(atRest(trace).get('configmaps', 'default', 'a')?.data).toEqual({ size: '3' });
    expect(events(trace, 'webhook').map(({ call, process }) => [call, process])).toEqual([
      ['call hook.system.svc/mutate for create webs.example.com default/a by a user #1', 'a user'],
      ['call hook.system.svc/mutate for delete webs.example.com default/a by a user #1', 'a user'],
    ]);
  });

  it('are reached by a URL as well, and by a service that the scenario brings itself', async () => {
    const byUrl = configuration('Mutating', '', 'example.com/webs', { clientConfig: { url: 'https://hooks.example.com:443/mutate' } });
    const url = scenario({ objects: [byUrl], webhooks: { 'https://hooks.example.com/mutate': sizes } });
    expect(atRest(await run(url)).get('webs.example.com', 'default', 'a')?.spec.size).toBe(3);
    const metadata = { name: 'hook', namespace: 'system' };
    const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 8443 }] } };
    const clientConfig = { service: { ...metadata, path: '/mutate', port: 8443 } };
    const own = scenario({
      objects: [service, configuration('Mutating', '', 'example.com/webs', { clientConfig })],
      webhooks: { 'hook.system.svc/mutate': sizes },
    });
    const state = atRest(await run(own));
    expect(state.get('webs.example.com', 'default', 'a')?.spec.size).toBe(3);
    expect(state.get('services', 'system', 'hook')?.spec.ports.map(({ port }: { port: number }) => port)).toEqual([8443]);
  });

  it('refuse in the words of their author', async () => {
    const trace = await run(maps(({ operation }) => ({ allowed: operation !== 'CREATE', status: { code: 403, message: 'no maps' } })));
    const [handled] = events(trace, 'handled').filter(({ call }) => call === callOfMap);
    expect(handled?.response).toMatchObject({
      code: 403,
      body: { message: 'admission webhook "configmaps.example.com" denied the request: no maps' },
    });
  });

  it('convert between the versions of a definition', async () => {
    const Old = defineKind<ClientObject & { spec: { words: string[] } }>('example.com/v1alpha1', 'Web');
    const conversion = {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { namespace: 'system', name: 'hook', path: '/convert' } },
        conversionReviewVersions: ['v1'],
      },
    };
    const versions = [version('v1alpha1', true), version('v1', false)];
    const of = scenario({
      crds: [{ ...crd, spec: { ...crd.spec, versions, conversion } }],
      webhooks: {
        'hook.system.svc/convert': converter(
          Web,
          spoke(Old, {
            convertTo: ({ metadata, spec }) => ({ metadata, spec: { text: spec.words.join(' '), size: spec.words.length } }),
            convertFrom: ({ metadata, spec }) => ({ metadata, spec: { words: spec.text.split(' ') } }),
          }),
        ),
      },
    });
    const trace = await run(of);
    expect(atRest(trace).get('webs.example.com', 'default', 'a')).toMatchObject({
      apiVersion: 'example.com/v1alpha1',
      spec: { words: ['hello'] },
    });
    expect(atRest(trace).get('configmaps', 'default', 'a')?.data).toEqual({ size: '1' });
  });
});

describe('a webhook that is out of reach', () => {
  it('fails the write when it must be asked, and the operator tries again', async () => {
    const trace = await run(
      maps(() => ({ allowed: true })),
      { kind: 'webhook-unreachable', at: askedOfMap },
    );
    const [refused, done] = events(trace, 'handled').filter(({ call }) => call.startsWith('create configmaps'));
    expect(refused?.response).toMatchObject({
      code: 500,
      body: {
        reason: 'InternalError',
        message: expect.stringMatching(
          /^Internal error occurred: failed calling webhook "configmaps.example.com": failed to call webhook: Post "https:\/\/hook.system.svc:443\/maps\?timeout=10s": dial tcp [\d.]+:443: connect: connection refused$/,
        ),
      },
    });
    expect(done?.response.code).toBe(201);
    expect(trace.unused).toEqual([]);
  });

  it('is passed over when its failurePolicy says so', async () => {
    const never = maps(() => ({ allowed: false }), { failurePolicy: 'Ignore' });
    const trace = await run(never, { kind: 'webhook-unreachable', at: askedOfMap });
    const [handled] = events(trace, 'handled').filter(({ call }) => call === callOfMap);
    expect(handled?.response.code).toBe(201);
  });
});

describe('a webhook that does not answer in time', () => {
  it('holds the answer up for as long as it may take', async () => {
    const trace = await run(
      maps(() => ({ allowed: true }), { timeoutSeconds: 7 }),
      { kind: 'webhook-timed-out', at: askedOfMap },
    );
    const [handled] = events(trace, 'handled').filter(({ call }) => call === callOfMap);
    const [answered] = events(trace, 'answered').filter(({ call }) => call === callOfMap);
    expect(handled?.response).toMatchObject({ body: { message: expect.stringMatching(/timeout=7s": context deadline exceeded$/) } });
    expect((answered?.atMs ?? 0) - (handled?.atMs ?? 0)).toBe(7_001);
    expect(answered?.code).toBe(500);
  });

  it('costs an operator nothing else when it may be ignored', async () => {
    const trace = await run(
      maps(() => ({ allowed: true }), { failurePolicy: 'Ignore', timeoutSeconds: 2 }),
      {
        kind: 'webhook-timed-out',
        at: askedOfMap,
      },
    );
    const [answered] = events(trace, 'answered').filter(({ call }) => call === callOfMap);
    expect(answered?.code).toBe(201);
  });
});

describe('a webhook whose code is at fault', () => {
  it.each([
    ['throws', () => JSON.parse('{'), /failed when it was asked about `create configmaps default\/a by web-operator`: .*JSON/],
    [
      'is asynchronous',
      async () => ({ allowed: true }),
      /failed .*: it answered with a promise; the function of a webhook must answer at once/,
    ],
    [
      'gives no answer',
      () => undefined,
      /failed .*: it must answer \{ allowed: true \} or \{ allowed: false, status \}, and answered undefined/,
    ],
  ])('ends the run with one error that names it when it %s', async (_, answer, message) => {
    const failed = run(maps(answer as never));
    await expect(failed).rejects.toThrow('the webhook `hook.system.svc/maps` of the scenario');
    await expect(run(maps(answer as never))).rejects.toThrow(message);
    await expect(run(maps(answer as never))).rejects.toMatchObject({ name: 'WebhookError' });
  });

  it('is told from one that stands where a conversion is asked', async () => {
    const wrong = scenario({
      objects: [configuration('Validating', '/maps', '/configmaps')],
      webhooks: { 'hook.system.svc/maps': converter(Web) },
    });
    await expect(run(wrong)).rejects.toThrow('it answers reviews of kind ConversionReview and got one of kind AdmissionReview');
  });
});

describe('the definition of a scenario', () => {
  it.each<[string, Partial<ScenarioDefinition>, string]>([
    ['an address that is none', { webhooks: { mutate: sizes } }, 'is at "mutate", which is no address: write service.namespace.svc/path'],
    [
      'two at one address',
      { webhooks: { 'a.b.svc': sizes, 'a.b.svc/': sizes } },
      'two of its `webhooks` are at the same address: a.b.svc and a.b.svc/',
    ],
    [
      'a function that is no webhook',
      { webhooks: { 'a.b.svc': (() => {}) as never } },
      'its webhook at a.b.svc is none: make it with defaulter(…)',
    ],
    [
      'a configuration of a webhook that nobody has declared',
      { objects: [configuration('Mutating', '/mutate', 'example.com/webs')], webhooks: { 'hook.system.svc/other': sizes } },
      'MutatingWebhookConfiguration mutating-webs, webhook webs.example.com is said to listen at hook.system.svc/mutate, and nobody does: declare it in `webhooks` (there are hook.system.svc/other)',
    ],
  ])('refuses %s', (_, parts, message) => {
    expect(() => scenario(parts)).toThrow(message);
  });
});

describe('a campaign', () => {
  it('places both faults at each call for an operator, alone and among others, and none at a person’s', async () => {
    const of = scenario({
      objects: [configuration('Mutating', '/mutate', 'example.com/webs'), configuration('Validating', '/maps', '/configmaps')],
      webhooks: { 'hook.system.svc/mutate': sizes, 'hook.system.svc/maps': reviewer(() => ({ allowed: true })) },
    });
    const calm = await run(of);
    const known = new Vocabulary(of);
    known.learn(calm);
    const ofWebhooks = (faults: readonly Fault[]) => faults.filter(({ kind }) => kind.startsWith('webhook'));
    expect(singleFaults(of, known, 1).flatMap(({ plan }) => ofWebhooks(plan.faults))).toEqual([
      { kind: 'webhook-unreachable', at: askedOfMap },
      { kind: 'webhook-timed-out', at: askedOfMap },
    ]);
    const random = Array.from({ length: 100 }, (_, index) => randomPlan(of, known, calm.steps, 1, index + 1));
    const kinds = new Set(random.flatMap(({ faults }) => ofWebhooks(faults).map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual(['webhook-timed-out', 'webhook-unreachable']);
  });

  it('finds a validating webhook that forbids to take away the last finalizer', async () => {
    const finalizer = 'example.com/web';
    const guarded = defineScenario({
      name: 'guarded',
      crds: [crd],
      objects: [configuration('Validating', '/validate', 'example.com/webs')],
      operators: [
        {
          name: 'web-operator',
          setup(manager) {
            newControllerManagedBy(manager)
              .for(Web)
              .complete(async (request) => {
                const web = await manager.client.get(Web, request).catch(() => undefined);
                if (web === undefined) return;
                const finalizers = web.metadata.deletionTimestamp === undefined ? [finalizer] : [];
                if ((web.metadata.finalizers ?? []).length === finalizers.length) return;
                await manager.client.update({ ...web, metadata: { ...web.metadata, finalizers } });
              });
          },
        },
      ],
      workload: [create(webA), remove(target(Web, 'default/a'))],
      webhooks: {
        'hook.system.svc/validate': validator(Web, {
          validateUpdate: (before) => (before.metadata.deletionTimestamp === undefined ? undefined : 'it is being deleted'),
        }),
      },
    });
    const result = await fuzz(guarded, { failures: 1, runs: 30 });
    expect(result.outcome === 'violated' && result.counterexamples[0]?.finding.message).toBe(
      'web-operator fails for ever at web default/a: admission webhook "webs.example.com" denied the request: it is being deleted',
    );
  });
});
