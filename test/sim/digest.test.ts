import { describe, expect, it } from 'vitest';
import { firstDifference, traceDigest } from '../../src/sim/digest.js';
import { canonicalText } from '../../src/sim/etcd/object.js';
import { calmPlan } from '../../src/sim/plan.js';
import { simulate } from '../../src/sim/simulate.js';
import { sound } from '../campaign/web.js';

describe('the digest of a run', () => {
  it('is the same for the same plan and another for another', async () => {
    const plan = calmPlan(sound.name);
    const [once, again] = [await simulate(sound, plan), await simulate(sound, plan)];
    const other = await simulate(sound, {
      ...plan,
      ops: [{ op: 'touch', atMs: 500, target: { resource: 'webs.example.com', namespace: 'default', name: 'a' } }],
    });
    expect(traceDigest(again)).toBe(traceDigest(once));
    expect(traceDigest(other)).not.toBe(traceDigest(once));
  });

  it('does not depend on the order in which an object was built', () => {
    expect(canonicalText({ a: 1, b: [{ d: null, c: 'x' }], e: undefined })).toBe(canonicalText({ b: [{ c: 'x', d: null }], a: 1 }));
    expect(canonicalText([1, 2])).not.toBe(canonicalText([2, 1]));
  });

  it('comes with the first entry in which two runs differ', async () => {
    const once = await simulate(sound, calmPlan(sound.name));
    const shorter = { ...once, entries: once.entries.slice(0, 20) };
    const changed = { ...once, entries: once.entries.map((entry) => (entry.seq === 9 ? { ...entry, atMs: entry.atMs + 1 } : entry)) };
    expect(firstDifference(once, once)).toBeUndefined();
    expect(firstDifference(once, changed)?.seq).toBe(9);
    expect(firstDifference(once, shorter)).toEqual({ seq: 21, first: once.entries[20] });
  });
});
