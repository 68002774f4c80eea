import { describe, expect, it } from 'vitest';
import { fuzz } from '../../src/campaign/campaign.js';
import { entryCount } from '../../src/campaign/plan-entries.js';
import { zoo } from '../../src/scenarios/zoo.js';

describe('the zoo', () => {
  it.each(zoo)('$id: finds a $title and makes it small', async ({ broken, property }) => {
    const result = await fuzz(broken, { failures: 1 });
    if (result.outcome !== 'violated') throw new Error(`it was not found: ${result.outcome}`);
    const [found] = result.counterexamples;
    expect(found?.property).toBe(property);
    expect(entryCount(found?.plan ?? expect.fail())).toBeLessThanOrEqual(4);
    expect(found?.minimal).toBe(true);
  });

  it.each(zoo)('$id: has nothing to say against the remedy of a $title', async ({ fixed }) => {
    const result = await fuzz(fixed, { runs: 120, failures: 1 });
    expect(result.outcome === 'violated' ? result.counterexamples[0]?.finding.message : result.outcome).toBe('held');
  });
});
