import { describe, expect, it } from 'vitest';
import { type ClientObject, defineKind } from '../../../src/sim/runtime/kind.js';
import { type AdmissionRequest, defaulter, reviewer, validator } from '../../../src/sim/runtime/webhook/admission.js';
import { converter, spoke } from '../../../src/sim/runtime/webhook/conversion.js';
import { patchBetween } from '../../../src/sim/runtime/webhook/patch-between.js';
import type { Webhook } from '../../../src/sim/webhook.js';

interface Web extends ClientObject {
  spec: { text: string; size?: number };
}
interface OldWeb extends ClientObject {
  spec: { words: string[] };
}
const Web = defineKind<Web>('example.com/v1', 'Web');
const OldWeb = defineKind<OldWeb>('example.com/v1alpha1', 'Web');

const web = (spec: object) => ({ apiVersion: 'example.com/v1', kind: 'Web', metadata: { name: 'a', namespace: 'default' }, spec });

function ask(webhook: Webhook, request: Partial<AdmissionRequest>) {
  const kind = { group: 'example.com', version: 'v1', kind: 'Web' };
  const asked = { uid: 'u', operation: 'CREATE', kind, object: null, oldObject: null, dryRun: false, ...request };
  return webhook.answer(JSON.parse(JSON.stringify(asked)));
}

function patchOf({ patch }: ReturnType<Webhook['answer']>): unknown {
  return patch === undefined ? undefined : JSON.parse(Buffer.from(patch as string, 'base64').toString('utf8'));
}

describe('a defaulter', () => {
  const fill = defaulter(Web, (object) => {
    object.spec.size ??= 3;
    object.metadata.labels = { ...object.metadata.labels, sized: 'yes' };
    if (object.spec.text === 'bad') return 'no text like that';
    return undefined;
  });

  it('answers with the patch from what it got to what it made of it', () => {
    const answer = ask(fill, { object: web({ text: 'hello' }) });
    expect(answer).toMatchObject({ allowed: true, patchType: 'JSONPatch' });
    expect(patchOf(answer)).toEqual([
      { op: 'add', path: '/metadata/labels', value: { sized: 'yes' } },
      { op: 'add', path: '/spec/size', value: 3 },
    ]);
  });

  it('sends no patch when all was there, and is not asked about a delete', () => {
    const full = { ...web({ text: 'hello', size: 1 }), metadata: { name: 'a', labels: { sized: 'yes' } } };
    expect(ask(fill, { object: full })).toEqual({ allowed: true });
    expect(ask(fill, { operation: 'DELETE', oldObject: web({ text: 'bad' }) })).toEqual({ allowed: true });
  });

  it('refuses with 403 and Forbidden, as controller-runtime does for an error', () => {
    expect(ask(fill, { object: web({ text: 'bad' }) })).toEqual({
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: 'no text like that' },
    });
  });

  it('says so when its function answers later, or answers something else', () => {
    const later = defaulter(Web, (async () => {}) as never);
    expect(() => ask(later, { object: web({}) })).toThrow(/it answered with a promise; .* cannot be async/);
    const odd = defaulter(Web, (() => 7) as never);
    expect(() => ask(odd, { object: web({}) })).toThrow('it must answer nothing, or why it refuses, and answered 7');
  });

  it('says so when it is asked about another kind than its own', () => {
    const kind = { group: '', version: 'v1', kind: 'Pod' };
    expect(() => ask(fill, { kind, object: web({}) })).toThrow(
      'it is for Web of example.com/v1 and was asked about Pod of v1: see the `rules` of its configuration',
    );
  });
});

describe('a validator', () => {
  const check = validator(Web, {
    validateCreate: ({ spec }) => (spec.text === '' ? 'text is empty' : { warnings: spec.size === 0 ? ['size is 0'] : [] }),
    validateUpdate: (before, after) =>
      before.spec.text === after.spec.text ? undefined : { denied: { code: 422, reason: 'Invalid', message: 'text is immutable' } },
  });

  it('hears of each operation by its own function', () => {
    expect(ask(check, { object: web({ text: '' }) })).toMatchObject({ allowed: false, status: { code: 403, message: 'text is empty' } });
    expect(ask(check, { object: web({ text: 'x', size: 0 }) })).toEqual({ allowed: true, warnings: ['size is 0'] });
    const update = { operation: 'UPDATE', oldObject: web({ text: 'x' }), object: web({ text: 'y' }) } as const;
    expect(ask(check, update)).toMatchObject({ allowed: false, status: { code: 422, reason: 'Invalid', message: 'text is immutable' } });
    expect(ask(check, { ...update, object: update.oldObject })).toEqual({ allowed: true });
  });

  it('allows an operation that it has no function for', () => {
    expect(ask(check, { operation: 'DELETE', oldObject: web({ text: '' }) })).toEqual({ allowed: true });
  });

  it.each([true, 1, null, ['no'], { deny: 'x' }, { warnings: 'x' }])('takes %j for no answer', (answer) => {
    const odd = validator(Web, { validateCreate: (() => answer) as never });
    expect(() => ask(odd, { object: web({}) })).toThrow('it must answer nothing, why it refuses, or { denied, warnings }, and answered');
  });
});

describe('a reviewer', () => {
  it('gets the request and gives the response, the patch as operations', () => {
    const hook = reviewer(({ object }) => ({
      allowed: true,
      patch: [{ op: 'add', path: '/spec/of', value: object?.metadata.name ?? '' }],
    }));
    expect(patchOf(ask(hook, { object: web({}) }))).toEqual([{ op: 'add', path: '/spec/of', value: 'a' }]);
  });

  it.each([undefined, {}, { allowed: 'yes' }, 'no'])('takes %j for no answer', (answer) => {
    expect(() => ask(reviewer((() => answer) as never), {})).toThrow('it must answer { allowed: true } or { allowed: false, status }');
  });

  it('says so when its patch is no list', () => {
    expect(() => ask(reviewer((() => ({ allowed: true, patch: 'x' })) as never), {})).toThrow('its `patch` must be a list of operations');
  });
});

describe('a converter', () => {
  const convert = converter(
    Web,
    spoke(OldWeb, {
      convertTo: ({ metadata, spec }) => (spec.words.length === 0 ? 'no words' : { metadata, spec: { text: spec.words.join(' ') } }),
      convertFrom: ({ metadata, spec }) => ({ metadata, spec: { words: spec.text.split(' ') } }),
    }),
  );
  const old = (words: readonly string[]) => ({ ...web({ words }), apiVersion: 'example.com/v1alpha1' });
  const to = (desiredAPIVersion: string, ...objects: readonly object[]) =>
    convert.answer(JSON.parse(JSON.stringify({ uid: 'u', desiredAPIVersion, objects })));

  it('goes from a version to the hub and back, and names the version itself', () => {
    expect(to('example.com/v1', old(['a', 'b'])).convertedObjects).toEqual([web({ text: 'a b' })]);
    expect(to('example.com/v1alpha1', web({ text: 'a b' })).convertedObjects).toEqual([old(['a', 'b'])]);
  });

  it('fails with the text of the function that cannot', () => {
    expect(to('example.com/v1', old([]))).toEqual({ result: { status: 'Failure', message: 'no words' } });
  });

  it('says so when it does not know the version', () => {
    expect(() => to('example.com/v2', web({ text: '' }))).toThrow(
      'it knows no version example.com/v2, only example.com/v1, example.com/v1alpha1',
    );
  });
});

describe('the patch between two objects', () => {
  it('has an operation for each field that differs, with its path escaped, and lists whole', () => {
    expect(patchBetween({ a: { 'x/y': 1, '~': 2 }, list: [1, 2], gone: true }, { a: { 'x/y': 2, '~': 2, new: null }, list: [1] })).toEqual([
      { op: 'remove', path: '/gone' },
      { op: 'replace', path: '/a/x~1y', value: 2 },
      { op: 'add', path: '/a/new', value: null },
      { op: 'replace', path: '/list', value: [1] },
    ]);
    expect(patchBetween({ 'a~b': 1 }, {})).toEqual([{ op: 'remove', path: '/a~0b' }]);
  });
});
