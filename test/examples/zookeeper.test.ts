import { expect, test } from 'vitest';
import zookeeper from '../../examples/zookeeper/scenario.js';
import { Examiner } from '../../src/campaign/examine.js';
import { calmPlan, type Plan } from '../../src/sim/plan.js';
import type { Trace } from '../../src/sim/trace.js';

/** The write of the status by which the operator remembers that it has made the znode. */
function statusAfterZnode({ entries }: Trace): string {
  const sent = entries.flatMap(({ event }) => (event.kind === 'sent' ? [event.call] : []));
  const znode = sent.findIndex((call) => call.startsWith('patch persistentvolumeclaims default/data-zk-0'));
  return sent.slice(znode).find((call) => call.startsWith('update zookeeperclusters.zookeeper.pravega.io/status default/zk ')) ?? 'none';
}

test('the port of the ZooKeeper operator comes to its goal, and has three mistakes that a fault each brings out', async () => {
  const examiner = new Examiner(zookeeper);
  const calm = calmPlan(zookeeper.name);
  const { trace, failures } = await examiner.examine(calm);
  const end = trace.phases.find(({ phase }) => phase === 'settle');
  expect([failures, zookeeper.goal?.(trace.stateAt(end?.revision ?? 0))]).toEqual([[], true]);

  const crash = (at: string): Plan => ({ ...calm, faults: [{ kind: 'crash', at, when: 'before', restartAfterMs: 5 }] });
  const found = async (plan: Plan) =>
    (await examiner.examine(plan)).failures.map(({ property, finding }) => `${property}: ${finding.culprit}`);
  expect(await found(crash(statusAfterZnode(trace)))).toContain('noHotLoop: zookeepercluster fails for ever');
  expect(await found({ ...calm, ops: [{ op: 'scale', atMs: 5_000, args: 3 }] })).toContain('noHotLoop: zookeepercluster fails for ever');
  expect(await found(crash('create services default/zk-client by zookeeper-operator #1'))).toContain(
    'converges: Service metadata.labels.owner-rv',
  );
}, 300_000);
