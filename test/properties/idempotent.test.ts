import { expect, test } from 'vitest';
import { idempotent } from '../../src/properties/idempotent.js';
import { check, child, findingOf, HandMade, operator, user, web } from './hand-made.js';

function probed(inRestart: (run: HandMade) => void, inRedelivery: (run: HandMade) => void = () => {}) {
  const run = new HandMade();
  run.put(user, web('a'));
  run.end('quiescent', 'settle').end('quiescent', 'probe-restart');
  inRestart(run);
  run.end('quiescent', 'probe-redelivery');
  inRedelivery(run);
  return run.end('quiescent', 'probe-deletion').end('quiescent').trace();
}

test('a write after a restart of a settled cluster is found', () => {
  const trace = probed((run) => run.put(operator, child('ConfigMap', undefined, { name: 'a' })));
  expect(findingOf(idempotent, trace)?.culprit).toBe('creates ConfigMap after a restart');
});

test('a write when everything is delivered again is found', () => {
  const trace = probed(
    () => {},
    (run) => run.put(operator, web('a', { status: { seen: 2 } }), { subresource: 'status' }),
  );
  expect(findingOf(idempotent, trace)?.culprit).toBe('changes Web/status when everything is delivered again');
});

test('a write that changes nothing, and a renewed lease, are silence', () => {
  const trace = probed((run) => {
    run.idle(operator, 'update', web('a'));
    run.put(operator, child('leases.coordination.k8s.io', undefined, { name: 'leader' }));
  });
  expect(check(idempotent, trace)).toBe('proved');
});

test('a repair after a restart is no finding when the cluster had not come to its calm end', () => {
  const calm = new HandMade();
  calm.put(user, web('a'));
  calm.put(operator, child('ConfigMap', undefined, { name: 'a' }));
  const trace = probed((run) => run.put(operator, child('ConfigMap', undefined, { name: 'a' })));
  expect(findingOf(idempotent, trace, calm.rest())).toBeUndefined();
});
