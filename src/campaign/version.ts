import { readFileSync } from 'node:fs';

/** The version of seatrial that is running, from its package. */
export const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
