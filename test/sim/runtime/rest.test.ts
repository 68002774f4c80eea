import { expect, test } from 'vitest';
import type { ApiRequest, Verb } from '../../../src/sim/apiserver/request.js';
import type { Outcome } from '../../../src/sim/host.js';
import { RestClient } from '../../../src/sim/runtime/rest.js';
import { ScriptedHost } from './scripted-host.js';

function request(verb: Verb): ApiRequest {
  return { verb, group: '', version: 'v1', resource: 'pods', namespace: 'ns', name: 'a' };
}

function sent(verb: Verb) {
  const host = new ScriptedHost();
  const outcomes: Outcome[] = [];
  const rest = new RestClient(host);
  const cancel = rest.send(request(verb), (outcome) => outcomes.push(outcome));
  return { host, rest, outcomes, cancel };
}

const busy: Outcome = { response: { code: 429, body: 'busy', retryAfterSeconds: 2 } };
const fine: Outcome = { response: { code: 200, body: {} } };

test('a read whose answer is lost is tried again every second, ten times, then comes up', () => {
  const { host, outcomes } = sent('get');
  for (let i = 0; i < 10; i++) {
    host.last.done?.({ lost: 'reset' });
    host.advance(1000);
  }
  expect(host.asked.length).toBe(11);
  expect(outcomes).toEqual([]);
  host.last.done?.({ lost: 'reset' });
  expect(outcomes).toEqual([{ lost: 'reset' }]);
});

test('a read that is lost on a connection that has served before is tried once more at once', () => {
  const { host, rest, outcomes } = sent('get');
  host.last.done?.(fine);
  rest.send(request('get'), (outcome) => outcomes.push(outcome));
  host.last.done?.({ lost: 'eof' });
  expect(host.asked.length).toBe(3);
  host.last.done?.({ lost: 'eof' });
  expect(host.asked.length).toBe(3);
});

test.each(['create', 'update', 'patch', 'delete'] as const)('a %s whose answer is lost is never sent twice', (verb) => {
  const { host, outcomes } = sent(verb);
  host.last.done?.({ lost: 'eof' });
  host.advance(60_000);
  expect(host.asked.length).toBe(1);
  expect(outcomes).toEqual([{ lost: 'eof' }]);
});

test.each(['create', 'get'] as const)('a %s that is told when to come back comes back exactly then', (verb) => {
  const { host, outcomes } = sent(verb);
  host.last.done?.(busy);
  host.advance(1999);
  expect(host.asked.length).toBe(1);
  host.advance(1);
  expect(host.asked.length).toBe(2);
  host.last.done?.(fine);
  expect(outcomes).toEqual([fine]);
});

test('a refused connection and an error without Retry-After come up at once', () => {
  const refused = sent('get');
  refused.host.last.done?.({ lost: 'refused' });
  expect(refused.outcomes).toEqual([{ lost: 'refused' }]);
  const failed = sent('get');
  failed.host.last.done?.({ response: { code: 503, body: 'away' } });
  expect(failed.outcomes.length).toBe(1);
});

test('a request that is given up while it waits is not sent again', () => {
  const { host, outcomes, cancel } = sent('get');
  host.last.done?.(busy);
  cancel();
  host.advance(60_000);
  expect(host.asked.length).toBe(1);
  expect(outcomes).toEqual([]);
});

test('a watch that cannot be opened for lost connections becomes an empty one', () => {
  const host = new ScriptedHost();
  const said: string[] = [];
  new RestClient(host).watch(request('watch'), {
    opened: () => said.push('opened'),
    refused: () => said.push('refused'),
    event: () => said.push('event'),
    ended: (how) => said.push(how),
  });
  for (let i = 0; i < 11; i++) {
    host.last.sink?.refused({ lost: 'reset' });
    host.advance(1000);
  }
  expect(said).toEqual(['opened', 'eof']);
});
