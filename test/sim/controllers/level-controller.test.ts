import { expect, test } from 'vitest';
import { ApiServer } from '../../../src/sim/apiserver/server.js';
import { startLevelController } from '../../../src/sim/controllers/level-controller.js';
import { Etcd } from '../../../src/sim/etcd/etcd.js';
import type { FeedObserver, ObjectFeed } from '../../../src/sim/host.js';
import { Clockwork } from './clockwork.js';

test('a controller that has just started looks at nothing before its caches are filled', () => {
  const clockwork: Clockwork = new Clockwork(0, () => server);
  const server = new ApiServer({ etcd: new Etcd(), environment: { nowMs: () => clockwork.nowMs, random: () => 0 } });
  let tell: FeedObserver = () => {};
  let filled = (): void => {};
  const subscribe: ObjectFeed['subscribe'] = (_, observed, synced) => {
    tell = observed;
    filled = synced ?? filled;
  };
  const looks: string[] = [];
  startLevelController(
    clockwork.host('controller'),
    { subscribe },
    {
      name: 'controller',
      resource: 'configmaps',
      related: {},
      // biome-ignore lint/correctness/useYield: it only looks.
      *sync(key) {
        looks.push(key);
      },
    },
  );
  tell('configmaps', { type: 'ADDED', object: { metadata: { name: 'a', namespace: 'default' } } });
  clockwork.run(1_000);
  expect(looks).toEqual([]);
  filled();
  clockwork.run(1_000);
  expect(looks).toEqual(['default/a']);
});
