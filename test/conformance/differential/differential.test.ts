import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transport } from '../golden/runner.mjs';
import { GoldenWorld } from '../golden-world.js';
import { playBoth, signatureOf } from './both.js';
import { conversations } from './conversation.js';
import type { Script } from './script.js';
import { smaller } from './smaller.js';

function drawn(seed: number, count: number): readonly Script[] {
  return fc.sample(conversations(), { seed, numRuns: count }).map((make, index) => make(900, `test/${index}`));
}

/** A server that answers as the simulated one does, but for one lie. */
function lyingAbout(text: string): Transport {
  const world = new GoldenWorld({ controllers: false });
  return {
    request: async (wire) => {
      const answer = await world.request(wire);
      return wire.method === 'POST' && wire.body?.includes(text) ? { ...answer, status: 418 } : answer;
    },
    watch: (wire) => world.watch(wire),
    sleep: (ms) => world.sleep(ms),
    compact: (revision) => world.compact(revision),
    now: () => world.now(),
  };
}

const configMap = (name: string, data: { readonly [key: string]: string }) => ({
  id: name,
  method: 'POST',
  path: '/api/v1/namespaces/${ns}/configmaps',
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
});

describe('differential runs', () => {
  it('draw the same conversations from the same seed', () => {
    expect(JSON.stringify(drawn(7, 5))).toEqual(JSON.stringify(drawn(7, 5)));
    expect(JSON.stringify(drawn(7, 5))).not.toEqual(JSON.stringify(drawn(8, 5)));
  });

  it('see no difference between a server and itself', async () => {
    for (const script of drawn(3, 5)) {
      const both = await playBoth(script, new GoldenWorld({ controllers: false }), 'x');
      expect(both.differences).toEqual([]);
      expect(both.compared).toBeGreaterThan(0);
    }
  });

  it('let writers edit what they have read', async () => {
    const script: Script = {
      number: 900,
      name: 'test/edit',
      about: '',
      steps: [
        configMap('a', { k: 'v', l: 'w' }),
        { path: '/api/v1/namespaces/${ns}/configmaps/a', save: { a: '' }, record: false },
        {
          id: 'edit',
          method: 'PUT',
          path: '/api/v1/namespaces/${ns}/configmaps/a',
          edit: { from: 'a', merge: { data: { k: null, m: 'x' } } },
        },
      ],
    };
    const { real } = await playBoth(script, new GoldenWorld({ controllers: false }), 'x');
    expect(real.exchanges[1]).toMatchObject({ status: 200, body: { data: { l: 'w', m: 'x' } } });
  });

  it('make the script of a difference small', async () => {
    const script: Script = {
      number: 900,
      name: 'test/lie',
      about: '',
      steps: [configMap('a', {}), configMap('b', { k: 'v' }), configMap('c', { k: 'w', l: 'strange' }), configMap('d', {})],
    };
    const signatures = async (each: Script) => {
      const { differences } = await playBoth(each, lyingAbout('strange'), 'x');
      return differences.map((difference) => signatureOf(each, difference));
    };
    const [wanted] = await signatures(script);
    expect(wanted).toBe('POST configmaps value /status: 418 | 201');
    const small = await smaller(script, async (each) => (await signatures(each)).includes(wanted as string));
    expect(small.steps).toEqual([{ ...configMap('c', {}), body: { metadata: { name: 'c' }, data: { l: 'strange' } } }]);
  });
});
