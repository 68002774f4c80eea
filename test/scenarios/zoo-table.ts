import { fuzz } from '../../src/campaign/campaign.js';
import { entryCount } from '../../src/campaign/plan-entries.js';
import { zoo } from '../../src/scenarios/zoo.js';

/** Prints what a campaign makes of every known mistake and of its remedy: `npm run zoo [ids]`. */
const ids = process.argv.slice(2);
const widths = [4, 60, 6, 8, 12, 10, 30];
const row = (cells: readonly string[]) => console.log(cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' '));

row(['id', 'found', 'runs', 'wall ms', 'entries', 'shrinking', 'the remedy']);
let asExpected = true;
for (const { id, property, broken, fixed } of zoo) {
  if (ids.length > 0 && !ids.includes(id)) continue;
  const began = performance.now();
  let runs = 0;
  const result = await fuzz(broken, {
    failures: 1,
    onProgress: (progress) => {
      if (progress.stage !== 'shrinking') runs = progress.runs;
    },
  });
  const foundMs = performance.now() - began;
  const found = result.outcome === 'violated' ? result.counterexamples[0] : undefined;
  const entries = found === undefined ? '' : `${found.foundEntries} to ${entryCount(found.plan)}`;
  const remedy = await fuzz(fixed, { failures: 1 });
  const broke =
    remedy.outcome === 'violated' ? ` ${remedy.counterexamples[0]?.property}` : remedy.outcome === 'inconclusive' ? ` ${remedy.why}` : '';
  const remedyMs = Math.round(performance.now() - began - foundMs);
  const what = found === undefined ? result.outcome : `${found.property}: ${found.finding.culprit}`;
  row([
    id,
    what,
    String(runs),
    String(Math.round(foundMs)),
    entries,
    String(found?.executions ?? 0),
    `${remedy.outcome}${broke} in ${remedy.runs} runs, ${remedyMs} ms`,
  ]);
  asExpected &&= found?.property === property && remedy.outcome === 'held';
}
process.exitCode = asExpected ? 0 : 1;
