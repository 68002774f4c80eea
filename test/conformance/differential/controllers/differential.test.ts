import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transport } from '../../golden/runner.mjs';
import { GoldenWorld } from '../../golden-world.js';
import { playBoth, signatureOf, stepOf } from './both.js';
import { makeNodes } from './play.js';
import type { EditScript, PlainEdit } from './script.js';
import { smallerEdits } from './smaller-edits.js';
import { editScripts } from './workloads.js';

function drawn(seed: number, count: number): readonly EditScript[] {
  return fc.sample(editScripts([]), { seed, numRuns: count });
}

async function cluster(): Promise<GoldenWorld> {
  const world = new GoldenWorld({ workloads: true });
  await makeNodes(world);
  return world;
}

/** A cluster in which nobody sees a pod become ready. */
async function blindCluster(): Promise<Transport> {
  const world = await cluster();
  return {
    request: (wire) => world.request(wire.method === 'PATCH' && wire.path.endsWith('/status') ? { ...wire, method: 'GET' } : wire),
    watch: (wire) => world.watch(wire),
    sleep: (ms) => world.sleep(ms),
    compact: (revision) => world.compact(revision),
    now: () => world.now(),
  };
}

describe('differential runs of controllers', () => {
  it('draw the same scripts from the same seed', () => {
    expect(drawn(7, 5)).toEqual(drawn(7, 5));
    expect(drawn(7, 5)).not.toEqual(drawn(8, 5));
  });

  it('see no difference between a cluster and itself, whatever names it draws', async () => {
    const server = await cluster();
    // Other names are drawn when others were drawn before.
    await server.request({ method: 'POST', path: '/api/v1/namespaces', headers: {}, body: '{"metadata":{"generateName":"a"}}' });
    for (const [index, script] of drawn(3, 6).entries()) {
      const { differences, real } = await playBoth(script, server, `x${index}`);
      expect(differences).toEqual([]);
      expect(real.length).toBe(script.length);
    }
  });

  it('make the script of a difference small', async () => {
    const spec = {
      replicas: 1,
      minReadySeconds: 0,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'img:1' }] } },
    };
    const ready: PlainEdit = { each: 'pods', of: 'web', from: 'first', count: 1, act: { turn: 'ready' } };
    const create: PlainEdit = { create: 'replicasets', body: { metadata: { name: 'web' }, spec } };
    const script: EditScript = [create, { waitMs: 1_000 }, ready, { waitMs: 1_000 }];
    const firstOf = async (each: EditScript) => (await playBoth(each, await blindCluster(), 'x')).differences[0];
    const first = await firstOf(script);
    expect(first && stepOf(first)).toBe(2);
    const signature = first && signatureOf(first);
    const small = await smallerEdits(script, async (each) => {
      const difference = await firstOf(each);
      return difference !== undefined && signatureOf(difference) === signature;
    });
    const { replicas: _, minReadySeconds: __, ...needed } = spec;
    expect(small).toEqual([{ ...create, body: { metadata: { name: 'web' }, spec: needed } }, ready]);
  });
});
