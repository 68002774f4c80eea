import { expect, test } from 'vitest';
import memcached from '../../examples/memcached/scenario.js';
import { fuzz } from '../../src/campaign/campaign.js';
import { entryCount } from '../../src/campaign/plan-entries.js';

test('the Memcached operator of the tutorials has at least three mistakes, each shown by a small plan', async () => {
  const result = await fuzz(memcached, { failures: 3 });
  if (result.outcome !== 'violated') throw new Error(`nothing was found: ${result.outcome}`);
  const shown = result.counterexamples.map(({ property, finding }) => `${property}: ${finding.culprit}`);
  expect(shown).toEqual(['converges: Service missing', 'noOrphans: Service without an owner', 'noDeadEnd: Memcached does not notice Pod']);
  for (const { plan } of result.counterexamples) expect(entryCount(plan)).toBeLessThanOrEqual(5);
}, 300_000);
