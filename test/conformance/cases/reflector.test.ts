import { expect, test } from 'vitest';
import type { Status, StatusCause } from '../../../src/sim/apiserver/request.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { type InformerOptions, SharedInformer } from '../../../src/sim/runtime/informer.js';
import { bookmark, initialEventsEnd, pod, pods, ScriptedHost } from '../../sim/runtime/scripted-host.js';

function informer(options: Partial<InformerOptions> = {}) {
  const host = new ScriptedHost();
  const errors: string[] = [];
  const made = new SharedInformer(host, {
    kind: pods,
    profile: 'list',
    watchErrorHandler: (error) => errors.push(error.message),
    ...options,
  });
  return { host, informer: made, errors };
}

function started(options: Partial<InformerOptions> = {}) {
  const all = informer(options);
  all.informer.start();
  return all;
}

const streaming = { profile: 'default' } as const;

/** The requests so far: `list 0`, `watch 10`, `stream`, each with its resourceVersion, if any. */
function requests(host: ScriptedHost): string[] {
  return host.asked.map(({ request: { verb, query = {} } }) => {
    const what = query.sendInitialEvents === 'true' ? 'stream' : verb;
    return [what, query.resourceVersion ?? query.continue].filter((part) => part !== undefined).join(' ');
  });
}

const status = (code: number, reason: string, causes: readonly StatusCause[] = []): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  code,
  reason,
  message: reason,
  details: { causes },
});

/** The newest request is answered with an error. */
function fail(host: ScriptedHost, body: Status): void {
  const { done, sink } = host.last;
  const outcome = { response: { code: body.code as number, body } };
  done?.(outcome);
  sink?.refused(outcome);
}

const errorEvent = (host: ScriptedHost, body: Status) => host.event('ERROR', body as unknown as KubeObject);
const stored = ({ informer: { store } }: { informer: SharedInformer }) =>
  store
    .list()
    .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
    .sort();

test('REF-01: what is stopped before its start asks for nothing', () => {
  const { host, informer: made } = informer();
  made.stop();
  made.start();
  host.advance(60_000);
  expect(host.asked).toEqual([]);
});

test('REF-03: an event of another type is dropped; those around it take effect', () => {
  const all = started();
  all.host.answerList('10', pod('gone', 5), pod('changed', 6));
  all.host.event('DELETED', pod('gone', 11));
  all.host.event('ADDED', { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'ns', name: 's', resourceVersion: '99' } });
  all.host.event('MODIFIED', pod('changed', 12));
  all.host.event('ADDED', pod('new', 13));
  expect([stored(all), all.informer.lastSyncResourceVersion()]).toEqual([['changed@12', 'new@13'], '13']);
});

test('REF-04: an ERROR event ends the watch, and a list follows', () => {
  const { host } = started();
  host.answerList('10');
  const watch = host.last;
  errorEvent(host, status(500, 'InternalError'));
  host.advance(2000);
  expect([watch.cancelled || watch !== host.last, requests(host)]).toEqual([true, ['list 0', 'watch 10', 'list 10']]);
});

test('REF-06: with the stream there is no LIST, but one WATCH for the initial events', () => {
  const { host } = started(streaming);
  const { allowWatchBookmarks, resourceVersionMatch, resourceVersion } = host.last.request.query ?? {};
  expect([requests(host), allowWatchBookmarks, resourceVersionMatch, resourceVersion]).toEqual([
    ['stream'],
    'true',
    'NotOlderThan',
    undefined,
  ]);
});

test('REF-07: after good lists, failed lists and failed watches the store has the last good list and its events', () => {
  const all = started();
  all.host.answerList('10', pod('a', 5));
  all.host.event('ADDED', pod('b', 11));
  fail(all.host, status(500, 'InternalError'));
  all.host.advance(5000);
  fail(all.host, status(503, 'ServiceUnavailable'));
  expect(stored(all)).toEqual(['a@5', 'b@11']);
  all.host.advance(10_000);
  all.host.answerList('20', pod('b', 11), pod('c', 15));
  all.host.event('DELETED', pod('b', 21));
  expect(stored(all)).toEqual(['c@15']);
});

test('REF-09: 429 as an answer or as an event means to wait and watch again from the same version', () => {
  const { host } = started();
  host.answerList('10');
  for (const how of ['answer', 'event', 'answer', 'event']) {
    if (how === 'answer') fail(host, status(429, 'TooManyRequests'));
    else errorEvent(host, status(429, 'TooManyRequests'));
    host.advance(40_000);
  }
  expect(requests(host)).toEqual(['list 0', ...Array(5).fill('watch 10')]);
});

test('REF-12: pages are followed and all their items land', () => {
  const all = started();
  const page = (token: string | undefined, ...items: KubeObject[]) =>
    all.host.last.done?.({
      response: {
        code: 200,
        body: { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '10', ...(token && { continue: token }) }, items },
      },
    });
  page('C1', ...[1, 2, 3, 4].map((index) => pod(`p${index}`, index)));
  page('C2', ...[5, 6, 7, 8].map((index) => pod(`p${index}`, index)));
  page(undefined, pod('p9', 9), pod('p10', 10));
  expect([requests(all.host), stored(all).length]).toEqual([['list 0', 'list C1', 'list C2', 'watch 10'], 10]);
});

test('REF-13: a list after a gap is at the last version and without a limit', () => {
  const { host } = started();
  host.answerList('10');
  errorEvent(host, status(410, 'Expired'));
  host.advance(2000);
  expect(host.last.request).toMatchObject({ verb: 'list', query: { resourceVersion: '10' } });
  expect(host.last.request.query).not.toHaveProperty('limit');
});

test('REF-15: lists are at "0" first, then at the last version', () => {
  const { host } = started();
  host.answerList('10');
  host.event('ADDED', pod('a', 12));
  errorEvent(host, status(410, 'Expired'));
  host.advance(2000);
  expect(requests(host)).toEqual(['list 0', 'watch 10', 'list 12']);
});

test('REF-16: when the list at the last version is Expired the next has none', () => {
  const { host } = started();
  host.answerList('10');
  errorEvent(host, status(410, 'Expired'));
  host.advance(2000);
  fail(host, status(410, 'Expired'));
  expect([requests(host).slice(2), host.last.request.query?.resourceVersion]).toEqual([['list 10', 'list'], undefined]);
});

test('REF-18: so it is when the server says that the version is too large (as recorded the cause tells it)', () => {
  const { host } = started();
  host.answerList('20');
  for (const version of ['30', '40']) {
    errorEvent(host, status(410, 'Expired'));
    host.advance(60_000);
    fail(host, status(504, 'Timeout', [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]));
    host.answerList(version);
  }
  expect(requests(host).filter((text) => text.startsWith('list'))).toEqual(['list 0', 'list 20', 'list', 'list 30', 'list']);
});

test('REF-19: timeoutSeconds lies between 300 and 600', () => {
  for (const draw of [0, 0.5, 0.999]) {
    const { host, informer: made } = informer();
    host.random = () => draw;
    made.start();
    host.answerList('10');
    const seconds = Number(host.last.request.query?.timeoutSeconds);
    expect([seconds >= 300, seconds <= 600]).toEqual([true, true]);
  }
});

test('REF-21: an object that a list no longer has is removed, the others stay', () => {
  const all = started();
  all.host.answerList('10', pod('a', 5), pod('corrupt', 6));
  errorEvent(all.host, status(500, 'StorageReadError'));
  all.host.advance(2000);
  all.host.answerList('12', pod('a', 5));
  expect(stored(all)).toEqual(['a@5']);
});

test('REF-22: until the end bookmark the store is empty, whatever was ADDED', () => {
  const all = started(streaming);
  all.host.event('ADDED', pod('a', 5));
  all.host.event('BOOKMARK', bookmark(6));
  expect([stored(all), all.informer.hasSynced()]).toEqual([[], false]);
});

test('REF-24: what a stream brings melts into one Replace', () => {
  const all = started(streaming);
  const added: string[] = [];
  all.informer.addEventHandler({
    onAdd: ({ metadata }) => added.push(`${metadata.name}@${metadata.resourceVersion}`),
    onUpdate() {},
    onDelete() {},
  });
  all.host.event('ADDED', pod('p1', 1));
  all.host.event('ADDED', pod('p2', 2));
  all.host.event('MODIFIED', pod('p1', 3));
  all.host.event('ADDED', pod('p3', 4));
  all.host.event('DELETED', pod('p3', 5));
  all.host.event('BOOKMARK', bookmark(6, initialEventsEnd));
  expect([added.sort(), all.informer.lastSyncResourceVersion()]).toEqual([['p1@3', 'p2@2'], '6']);
});

test('REF-25: any error but 429 on the stream means LIST and WATCH in the same pass (as recorded not for good: the next pass streams again)', () => {
  for (const error of [status(422, 'Invalid'), status(500, 'InternalError')]) {
    const { host } = started(streaming);
    fail(host, error);
    host.answerList('10');
    errorEvent(host, status(500, 'InternalError'));
    host.advance(2000);
    // A29
    expect(requests(host)).toEqual(['stream', 'list 0', 'watch 10', 'stream 10']);
  }
});

test('REF-27: a stream that ends before its end bookmark is begun again, and what it brought thrown away', () => {
  const all = started(streaming);
  all.host.event('ADDED', pod('lost', 5));
  all.host.advance(1500);
  all.host.last.sink?.ended('eof');
  expect(requests(all.host)).toEqual(['stream', 'stream']);
  all.host.event('ADDED', pod('a', 6));
  all.host.event('BOOKMARK', bookmark(7, initialEventsEnd));
  expect(stored(all)).toEqual(['a@6']);
});

test('REF-28: a stream that ends after it has synced goes on as a plain WATCH from the last version', () => {
  const { host } = started(streaming);
  host.event('BOOKMARK', bookmark(7, initialEventsEnd));
  host.event('ADDED', pod('a', 8));
  host.advance(1500);
  host.last.sink?.ended('eof');
  expect(requests(host)).toEqual(['stream', 'watch 8']);
});
