import { digestsOf, trials } from './plans.js';

/** Prints the digests of so many runs as JSON: `digests.ts COUNT forwards|backwards`. */
const [count = '500', order = 'forwards'] = process.argv.slice(2);
const digests = await digestsOf(await trials(Number(count)), order === 'backwards' ? 'backwards' : 'forwards');
process.stdout.write(JSON.stringify(digests));
