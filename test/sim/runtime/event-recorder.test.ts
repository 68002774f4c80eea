import { expect, test } from 'vitest';
import { EventBroadcaster } from '../../../src/sim/runtime/event-recorder.js';
import { memcached, prepare } from './memcached.js';
import { ServedHost } from './served-host.js';

async function recorded() {
  const host = new ServedHost();
  await prepare(host);
  host.requests.length = 0;
  const recorder = new EventBroadcaster(host, host, 'test').recorderFor('cache-controller');
  const written = () =>
    host.stored('events').map(({ metadata, message, count, type }) => `${metadata.namespace} ${count} ${type} ${message}`);
  return { host, recorder, written };
}

test('the same event again raises the count of the first', async () => {
  const { host, recorder, written } = await recorded();
  for (let time = 0; time < 3; time++) recorder.event(memcached('a', 1), 'Normal', 'Scaled', 'to 3');
  await host.advance(1000);
  expect(written()).toEqual(['ns 3 Normal to 3']);
  expect(host.requests.map(({ verb }) => verb)).toEqual(['create', 'patch', 'patch']);
});

test('the tenth of many similar events says that it is combined', async () => {
  const { host, recorder, written } = await recorded();
  for (let size = 1; size <= 12; size++) recorder.event(memcached('a', 1), 'Warning', 'Scaled', `to ${size}`);
  await host.advance(1000);
  expect(written()).toHaveLength(10);
  expect(written().filter((text) => text.includes('combined'))).toEqual(['ns 3 Warning (combined from similar events): to 12']);
});

test('of more than 25 events about one object the rest is dropped', async () => {
  const { host, recorder } = await recorded();
  for (let reason = 0; reason < 40; reason++) recorder.event(memcached('a', 1), 'Normal', `Reason${reason}`, 'x');
  recorder.event(memcached('b', 1), 'Normal', 'Other', 'x');
  await host.advance(1000);
  expect(host.stored('events')).toHaveLength(26);
  recorder.event(memcached('a', 1), 'Normal', 'TooSoon', 'x');
  await host.advance(300_000);
  recorder.event(memcached('a', 1), 'Normal', 'Later', 'x');
  await host.advance(1000);
  expect(host.stored('events').map(({ reason }) => reason)).not.toContain('TooSoon');
  expect(host.stored('events').map(({ reason }) => reason)).toContain('Later');
});

test('an event about a cluster-scoped object goes to the namespace default', async () => {
  const { host, recorder, written } = await recorded();
  host.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  recorder.event({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }, 'Normal', 'Seen', 'x');
  await host.advance(1000);
  expect(written()).toEqual(['default 1 Normal x']);
});

test('an answer that refuses the event drops it; a lost connection is tried again', async () => {
  const { host, recorder, written } = await recorded();
  host.fates.push(() => ({
    response: { code: 500, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 500 } },
  }));
  recorder.event(memcached('a', 1), 'Normal', 'One', 'refused');
  await host.advance(60_000);
  expect(host.requests).toHaveLength(1);
  host.fates.push(() => ({ lost: 'eof' }));
  recorder.event(memcached('a', 1), 'Normal', 'Two', 'lost once');
  await host.advance(60_000);
  expect(written()).toEqual(['ns 1 Normal lost once']);
});
