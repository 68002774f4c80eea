import {
  campaignText,
  create,
  defineKind,
  defineScenario,
  edit,
  fuzz,
  type KubeObject,
  newControllerManagedBy,
  remove,
  target,
} from 'seatrial';
import { describe, expect, it } from 'vitest';
import { soundOperator, Web, webA, webCrd } from './web.js';

const given = { name: 'web', crds: [webCrd], operators: [soundOperator] };
const a = target(Web, 'default/a');

describe('a calm day on which nothing happens', () => {
  it('is bad input when the server refuses an act of the workload, in the words of the server', async () => {
    const scenario = defineScenario({ ...given, workload: [create({ ...webA, spec: { text: 3 } })] });
    await expect(fuzz(scenario)).rejects.toThrow(/create Web default\/a: the server refused it: .*spec\.text: Invalid value: "integer"/);
  });

  it('is bad input when an act finds nothing to act on', async () => {
    const scenario = defineScenario({ ...given, workload: [create(webA), remove(target(Web, 'default/b'))] });
    await expect(fuzz(scenario)).rejects.toThrow('delete webs.example.com default/b: the object is not there');
  });

  it('is bad input when an edit changes nothing, as one of a field that is pruned', async () => {
    const prunes = edit(a, (web) => {
      web.spec.size = 3;
    });
    const scenario = defineScenario({ ...given, workload: [create(webA), prunes] });
    await expect(fuzz(scenario)).rejects.toThrow('edit webs.example.com default/a: it changed nothing');
  });

  it('is bad input when an operator asks for a kind that the server does not know', async () => {
    const Redis = defineKind('example.com/v1', 'Redis');
    const forgetful = {
      name: 'forgetful',
      setup: (manager: Parameters<typeof soundOperator.setup>[0]) => {
        newControllerManagedBy(manager)
          .for(Web)
          .owns(Redis)
          .complete(async () => undefined);
      },
    };
    const scenario = defineScenario({ ...given, operators: [forgetful], workload: [create(webA)] });
    await expect(fuzz(scenario)).rejects.toThrow('forgetful asks for redises of example.com/v1, which the server does not know');
  });
});

describe('an object that waits for a controller', () => {
  const metadata = { name: 'a', namespace: 'default' };
  const pods = { selector: { matchLabels: { app: 'a' } }, template: podTemplate() };
  const set: KubeObject = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: pods };
  const balancer: KubeObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { type: 'LoadBalancer', selector: { app: 'a' }, ports: [{ port: 80 }] },
  };

  it('is named when that controller does not run', async () => {
    const result = await fuzz(
      defineScenario({ ...given, controllers: ['garbage-collector'], workload: [create(webA), create(set), create(balancer)] }),
      { runs: 1 },
    );
    expect(campaignText(result)).toContain('! ReplicaSet default/a, Service default/a: no simulated controller acts on them');
  });

  it('is named beside a goal that is not reached', async () => {
    const goal = () => 'no address';
    const result = await fuzz(defineScenario({ ...given, goal, workload: [create(webA), create(balancer)] }));
    expect(result).toMatchObject({ outcome: 'goal-not-reached', unattended: ['Service default/a'] });
    expect(campaignText(result)).toContain('Service default/a: no simulated controller acts on it');
  });

  it('is not named when that controller runs', async () => {
    const result = await fuzz(defineScenario({ ...given, workload: [create(webA), create(set)] }), { runs: 1 });
    expect(result.unattended).toEqual([]);
  });
});

function podTemplate() {
  return { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'main' }] } };
}
