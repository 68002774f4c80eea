import { describe, expect, it } from 'vitest';
import { callParts, callText, deliveryParts } from '../../src/report/decision-names.js';
import { counted, durationText, ordinal, timeText } from '../../src/report/numbers.js';
import { faultWords, planWords } from '../../src/report/words.js';
import { calmPlan, type Fault } from '../../src/sim/plan.js';

const kindOf = (resource: string): string =>
  ({ 'deployments.apps': 'Deployment', pods: 'Pod', 'webs.example.com': 'Web' })[resource] ?? resource;
const create = 'create deployments.apps default/web by web-operator #1';
const deliver = 'deliver pods default/a to web-operator #2';

describe('a fault in words', () => {
  it.each<[Fault, string]>([
    [
      { kind: 'reply-lost', at: create },
      'The reply to the 1st create of Deployment default/web by web-operator was lost after the server had done it.',
    ],
    [
      { kind: 'request-lost', at: create },
      'The 1st create of Deployment default/web by web-operator was lost before it reached the server.',
    ],
    [
      { kind: 'rejected', at: create, code: 429 },
      'The server refused the 1st create of Deployment default/web by web-operator with 429 Too Many Requests, and did nothing.',
    ],
    [
      { kind: 'conflict', at: 'update webs.example.com/status default/a by web-operator #3' },
      'Somebody else changed the object just before the 3rd update of the status of Web default/a by web-operator reached the server.',
    ],
    [
      { kind: 'crash', at: create, when: 'after', restartAfterMs: 1_000 },
      'web-operator crashed after its 1st create of Deployment default/web was done and before the answer came, and started again with empty memory 1 s later.',
    ],
    [
      { kind: 'crash', at: create, when: 'before', restartAfterMs: 5 },
      'web-operator crashed just before its 1st create of Deployment default/web, and started again with empty memory 5 ms later.',
    ],
    [
      { kind: 'watch-ended', at: deliver },
      'The server ended the watch of Pod objects by web-operator instead of bringing the 2nd event of Pod default/a.',
    ],
    [
      { kind: 'watch-reset', at: deliver },
      'The connection broke of the watch of Pod objects by web-operator instead of bringing the 2nd event of Pod default/a.',
    ],
    [
      { kind: 'watch-expired', at: deliver },
      'The server said 410 Gone to the watch of Pod objects by web-operator instead of bringing the 2nd event of Pod default/a.',
    ],
    [
      { kind: 'watch-expired', at: 'watch pods by web-operator #1' },
      'The server answered the 1st watch of all Pod objects by web-operator with 410 Gone: its history does not go back so far.',
    ],
    [
      { kind: 'stale-read', at: 'list pods default/ by web-operator #2', revisions: 3 },
      'The 2nd list of all Pod objects in default by web-operator was answered by an API server whose cache was 3 changes behind.',
    ],
    [
      { kind: 'webhook-unreachable', at: `call hook.default.svc/mutate for ${create}` },
      'The server could not reach the webhook hook.default.svc/mutate when it asked for the 1st time about the create of Deployment default/web by web-operator.',
    ],
    [
      { kind: 'webhook-timed-out', at: 'call https://x.example.com for update webs.example.com/status default/a by web-operator #2' },
      'The server got no answer in time from the webhook https://x.example.com when it asked for the 2nd time about the update of the status of Web default/a by web-operator.',
    ],
    [
      { kind: 'restart', process: 'web-operator', atMs: 31_001, restartAfterMs: 150_000 },
      'web-operator was killed at t=31.001s and started again with empty memory 2.5 min later.',
    ],
    [
      { kind: 'freeze', process: 'garbage-collector', atMs: 10_000, forMs: 30_000 },
      'garbage-collector stood still for 30 s from t=10.000s on.',
    ],
  ])('%j', (fault, words) => {
    expect(faultWords(fault, kindOf)).toBe(words);
  });
});

describe('a plan in words', () => {
  it('has a sentence for each of its entries', () => {
    const target = { resource: 'webs.example.com', namespace: 'default', name: 'a' };
    expect(
      planWords(
        {
          ...calmPlan('web', 7),
          ops: [
            { op: 'recreate', atMs: 31_000, target },
            { op: 'touch', atMs: 1, target },
            { op: 'scale', atMs: 2_500, args: { replicas: 3 } },
          ],
          faults: [{ kind: 'reply-lost', at: create }],
          overrides: {
            [deliver]: 30_000,
            [`send ${create} #1`]: 5_000,
            [`reply to ${create} #1`]: 50,
            'run web default/a by web-operator #4': 100,
            'user edit webs.example.com default/a #1': 61_000,
            'client-go of web-operator': 'deltafifo',
            'start kubelet #1': 9,
          },
          strategy: { kind: 'pct', depth: 3, steps: 100 },
          latency: { requestMs: 200, replyMs: 1, watchMs: 2 },
        },
        kindOf,
      ),
    ).toEqual([
      'Some parts of the cluster went ahead and others lagged, by priorities that changed 2 times (seed 7).',
      'Every request took 200 ms to the server, every reply 1 ms back, and every watch event 2 ms.',
      'web-operator heard of the 2nd event of Pod default/a only 30 s after it: its cache was behind for so long.',
      'The 1st create of Deployment default/web by web-operator took 5 s to reach the server.',
      'The reply to the 1st create of Deployment default/web by web-operator took 50 ms.',
      'The 4th reconcile of default/a by web-operator (controller web) waited 100 ms for its turn.',
      'A user’s “edit Web default/a” came only 61 s after the run began.',
      'web-operator is built with client-go up to 1.32 (DeltaFIFO).',
      '“start kubelet #1” came only after 9 ms.',
      'The reply to the 1st create of Deployment default/web by web-operator was lost after the server had done it.',
      'A user deleted Web default/a and made it again under the same name at t=31.000s.',
      'A user edited an annotation of Web default/a that means nothing at t=0.001s.',
      'A user did “scale” with {"replicas":3} at t=2.500s.',
    ]);
  });

  it('is empty for a calm day', () => {
    expect(planWords(calmPlan('web'), kindOf)).toEqual([]);
  });
});

describe('names of decisions', () => {
  it('are taken apart', () => {
    expect(callParts('patch webs.example.com/status default/a by web-operator #12')).toEqual({
      verb: 'patch',
      resource: 'webs.example.com',
      subresource: 'status',
      target: 'default/a',
      process: 'web-operator',
      occurrence: 12,
    });
    expect(callParts('call hook.default.svc/mutate for create pods default/a by web-operator #1')).toMatchObject({
      verb: 'create',
      target: 'default/a',
      process: 'web-operator',
    });
    expect(callParts('get nodes n1 by a user #1')).toMatchObject({ target: 'n1', process: 'a user' });
    expect(callParts('watch pods by x #1')).toMatchObject({ target: '', process: 'x' });
    expect(deliveryParts(deliver)).toEqual({ resource: 'pods', target: 'default/a', process: 'web-operator', occurrence: 2 });
  });

  it('are shown as they are when they are none', () => {
    expect(callText('something else', kindOf)).toBe('“something else”');
  });
});

describe('numbers in words', () => {
  it('are short', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 111].map(ordinal)).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '22nd',
      '111th',
    ]);
    expect([0, 5, 999, 1_000, 1_234, 90_000, 120_000].map(durationText)).toEqual([
      '0 ms',
      '5 ms',
      '999 ms',
      '1 s',
      '1.234 s',
      '90 s',
      '2 min',
    ]);
    expect(timeText(31_002)).toBe('t=31.002s');
    expect([counted(1, 'run'), counted(1_200, 'run'), counted(0, 'entry', 'entries')]).toEqual(['1 run', '1,200 runs', '0 entries']);
  });
});
