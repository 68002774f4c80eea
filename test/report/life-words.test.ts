import { describe, expect, it } from 'vitest';
import { lifeInBrief } from '../../src/report/life-words.js';
import { planWords } from '../../src/report/words.js';
import { calmPlan, type PodTrouble } from '../../src/sim/plan.js';

const wordsOf = (trouble: PodTrouble, pod = 'default/web-0', nth = 1): string | undefined =>
  planWords({ ...calmPlan('web'), faults: [{ kind: 'pod', pod, nth, ...trouble }] }, (resource) => resource)[0];

describe('the life of a pod in words', () => {
  it.each<[PodTrouble, string]>([
    [{ life: 'unschedulable', forMs: 60_000 }, 'Pod default/web-0 fitted on no node for 60 s.'],
    [{ life: 'image-pull', times: 1 }, 'Pod default/web-0 started late: its image could not be pulled the first time.'],
    [{ life: 'image-pull', times: 3 }, 'Pod default/web-0 started late: its image could not be pulled 3 times.'],
    [{ life: 'slow-start', forMs: 30_000 }, 'Pod default/web-0 took 30 s longer to become ready.'],
    [{ life: 'crash-loop', times: 3 }, 'Pod default/web-0 crashed 3 times before it ran.'],
    [{ life: 'crash-loop', times: 1, exitCode: 42 }, 'Pod default/web-0 crashed once with exit code 42 before it ran.'],
    [{ life: 'flap', times: 2, forMs: 5_000 }, 'Pod default/web-0 became unready 2 times for 5 s: its probe failed.'],
    [{ life: 'evicted', afterMs: 5_000 }, 'Pod default/web-0 was evicted by its node 5 s after its containers had started.'],
    [{ life: 'slow-stop' }, 'Pod default/web-0 did not heed SIGTERM: once deleted it stayed for its whole grace period.'],
  ])('%j', (trouble, words) => {
    expect(wordsOf(trouble)).toBe(words);
  });

  it('tells pods of one name apart by their number', () => {
    const crash: PodTrouble = { life: 'crash-loop', times: 1 };
    expect(wordsOf(crash, 'default/web-0', 2)).toBe('The 2nd Pod default/web-0 crashed once before it ran.');
    expect(wordsOf(crash, 'default/web-*', 1)).toBe('The 1st Pod default/web-* crashed once before it ran.');
  });

  it('speaks of claims and nodes too', () => {
    const faults = [
      { kind: 'claim', claim: 'default/data', nth: 1, forMs: 30_000 },
      { kind: 'node', node: 'node-1', atMs: 10_000, forMs: 420_000 },
    ] as const;
    expect(planWords({ ...calmPlan('web'), faults }, (resource) => resource)).toEqual([
      'PersistentVolumeClaim default/data was bound only after 30 s.',
      'Nothing was heard of Node node-1 for 7 min from t=10.000s on.',
    ]);
    expect(faults.map(lifeInBrief)).toEqual([
      'nobody binds PersistentVolumeClaim default/data for a while',
      'nothing is heard of Node node-1 from now on',
    ]);
  });
});
