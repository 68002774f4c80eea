import { describe, expect, it } from 'vitest';
import { fuzz } from '../../src/campaign/campaign.js';
import { campaignText } from '../../src/report/summary.js';
import { create, defineScenario, type Scenario } from '../../src/scenarios/scenario.js';
import { plainCrd, wish } from '../../src/scenarios/zoo/plain-crd.js';
import { ignoreNotFound } from '../../src/sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../src/sim/runtime/builder.js';
import { type ClientObject, defineKind } from '../../src/sim/runtime/kind.js';

interface Export extends ClientObject {
  spec: { to: string };
  status?: { startedAt?: string; done?: boolean; lastSyncTime?: string };
}

const Export = defineKind<Export>('export.example.com/v1', 'Export');
const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');

/** An operator that is right, and must never be accused of anything. */
function sound(name: string, reconcile: (object: Export, nowMs: number) => number | undefined): Scenario {
  return defineScenario({
    name,
    crds: [plainCrd(Export)],
    operators: [
      {
        name: 'export-operator',
        setup(manager) {
          newControllerManagedBy(manager)
            .for(Export)
            .complete(async (request, context) => {
              const object = await manager.client.get(Export, request).catch(ignoreNotFound);
              if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
              const before = JSON.stringify(object.status);
              const requeueAfterMs = reconcile(object, context.nowMs());
              if (JSON.stringify(object.status) !== before) await manager.client.status().update(object);
              return requeueAfterMs === undefined ? {} : { requeueAfterMs };
            });
        },
      },
    ],
    workload: [create(wish(Export, 'orders', { to: 'bucket' }))],
  });
}

/** Work elsewhere takes so long; every five seconds it looks whether it is done. */
const polling = (seconds: number): Scenario =>
  sound(`polling-${seconds}`, (object, nowMs) => {
    object.status ??= {};
    object.status.startedAt ??= timeText(nowMs);
    if (object.status.done) return undefined;
    if (nowMs - Date.parse(object.status.startedAt) < seconds * 1_000) return 5_000;
    object.status.done = true;
    return undefined;
  });

/** Once a minute it says when it last looked. */
const heartbeat = sound('heartbeat', (object, nowMs) => {
  object.status ??= { done: true };
  const { lastSyncTime } = object.status;
  if (lastSyncTime === undefined || nowMs - Date.parse(lastSyncTime) >= 60_000) object.status.lastSyncTime = timeText(nowMs);
  return 60_000;
});

describe('a correct operator is never accused', () => {
  for (const scenario of [polling(20), polling(300), heartbeat])
    it(scenario.name, async () => {
      const result = await fuzz(scenario, { runs: 120 });
      expect(result.outcome, campaignText(result)).toBe('held');
    }, 120_000);
});
