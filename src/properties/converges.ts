import { differenceCulprit, differenceText } from './differences.js';
import { compareEnds } from './end-state.js';
import { heldAfter, summaryOf } from './history.js';
import type { Property } from './property.js';

/** Whatever happened on the way, the cluster ends where the calm run with the same acts of people ends. */
export const converges: Property = {
  name: 'converges',
  kind: 'eventually',
  about: 'the cluster settles where the calm run settles',
  check(the) {
    const comparison = compareEnds(the);
    if ('unclear' in comparison) return comparison.unclear;
    const [first, ...others] = comparison.differences;
    if (first === undefined) return heldAfter(the.trace, 'settle');
    const more = others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'difference' : 'differences'})`;
    return {
      message: `the cluster has settled, but ${differenceText(first)}${more}`,
      culprit: differenceCulprit(first),
      entries: [summaryOf(the.trace, 'settle')?.seq ?? 0],
    };
  },
};
