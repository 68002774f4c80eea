/**
 * Plays the data tables of other projects against the simulated API server:
 *
 *   npm run tables                   how many rows of each are equal
 *   npm run tables -- --only NAME    and what is different, of the tables whose name holds a text
 */
import { parseArgs } from 'node:util';
import { players } from './tables/players.js';

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
let equal = 0;
let total = 0;
for (const { name, play, leftOut } of players) {
  if (options.only !== undefined && !name.includes(options.only)) continue;
  const rows = play();
  const wrong = rows.filter(({ fault }) => fault !== undefined);
  equal += rows.length - wrong.length;
  total += rows.length;
  console.log(`${name.padEnd(24)} ${rows.length - wrong.length}/${rows.length}`);
  for (const { id, fault } of wrong) console.log(options.only === undefined ? `    ${id}` : `    ${id}\n      ${fault}`);
  for (const { what, rows: count, why } of leftOut) console.log(`    left out: ${what} (${count}): ${why}`);
}
console.log(`${'ALL'.padEnd(24)} ${equal}/${total} (${((100 * equal) / total).toFixed(2)} %)`);
