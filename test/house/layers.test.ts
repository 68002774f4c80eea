import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../src');

/** From the ground up. A room imports only from rooms of a lower number, or from itself. */
const floors: readonly (readonly string[])[] = [
  ['sim/kernel'],
  ['sim/etcd'],
  ['sim/apiserver'],
  // The data that goes in and comes out, and the machine a process runs on: types that everything above reads.
  ['sim/(border)'],
  ['sim/(network)'],
  ['sim/runtime'],
  ['sim/controllers'],
  ['sim/(simulate)'],
  ['properties'],
  ['scenarios'],
  ['campaign'],
  ['report'],
  // The public surface, which the command line hands to the files it loads.
  ['(index)'],
  ['vitest', 'cli'],
];

/** Files directly in `sim/`, by the floor they stand on. */
const simFiles: Readonly<Record<string, string>> = {
  'host.ts': 'sim/(border)',
  'plan.ts': 'sim/(border)',
  'cluster-state.ts': 'sim/(border)',
  'call-name.ts': 'sim/(border)',
  'trace.ts': 'sim/(border)',
  'webhook.ts': 'sim/(border)',
  'faults.ts': 'sim/(network)',
  'recorder.ts': 'sim/(network)',
  'streams.ts': 'sim/(network)',
  'network.ts': 'sim/(network)',
  'sim-host.ts': 'sim/(network)',
  'webhook-calls.ts': 'sim/(network)',
};

/** Where a dependency may be used; nowhere else. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'fast-check': ['scenarios', 'campaign'],
  immer: ['sim/etcd', 'sim/apiserver'],
  seedrandom: ['sim/kernel'],
  yaml: ['sim/apiserver', 'scenarios', 'cli'],
  'ts-pattern': ['report', 'cli', 'campaign'],
  commander: ['cli'],
  picocolors: ['cli', 'report'],
  jiti: ['cli'],
  re2js: ['sim/apiserver'],
  vitest: ['vitest'],
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();

function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  if (file === 'index.ts') return '(index)';
  if (first !== 'sim') return first;
  if (second.endsWith('.ts')) return simFiles[second] ?? 'sim/(simulate)';
  return `sim/${second}`;
}

function importsOf(file: string): readonly { readonly from: string; readonly typeOnly: boolean }[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)'/gms)].map(([, type, from]) => ({
    from: from as string,
    typeOnly: type !== undefined,
  }));
}

function floorOf(room: string): number {
  return floors.findIndex((rooms) => rooms.includes(room));
}

describe('the house', () => {
  it('knows on which floor every file stands', () => {
    expect(files.filter((file) => floorOf(roomOf(file)) < 0)).toEqual([]);
  });

  it('lets imports go one way only: down', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => relative('.', normalize(join(dirname(file), from))).replace(/\.js$/, '.ts'))
        .filter((target) => roomOf(target) !== roomOf(file) && floorOf(roomOf(target)) >= floorOf(roomOf(file)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('gives every dependency one home', () => {
    const strays = files.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => !from.startsWith('.') && !from.startsWith('node:'))
        .filter(({ from, typeOnly }) => !(from === '@kubernetes/client-node' && typeOnly))
        .filter(({ from }) => !(homes[from] ?? []).includes(roomOf(file)))
        .map(({ from }) => `${file} imports ${from}`),
    );
    expect(strays).toEqual([]);
  });

  it('has no real clock, chance or timer in what is simulated', () => {
    const banned =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|[^.\w](setTimeout|setInterval|setImmediate)\(|\bprocess\.nextTick\(|\bPromise\.race\(/;
    const found = files
      .filter((file) => file.startsWith('sim/') || file.startsWith('properties/') || file.startsWith('scenarios/'))
      .filter((file) => banned.test(readFileSync(join(root, file), 'utf8')));
    expect(found).toEqual([]);
  });

  it('has no file that is longer than 300 lines or is called by a name that explains nothing', () => {
    const long = files.filter((file) => !file.includes('/data/') && readFileSync(join(root, file), 'utf8').split('\n').length > 301);
    const nameless = files.filter((file) => /(^|\/)(utils?|common|helpers?|misc|types|shared)(\/|\.ts$)/.test(file));
    expect({ long, nameless }).toEqual({ long: [], nameless: [] });
  });
});
