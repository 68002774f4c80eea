import { describe, expect, it } from 'vitest';
import { startJobController } from '../../../src/sim/controllers/job/job.js';
import { startReplicaSetController } from '../../../src/sim/controllers/replicaset/replicaset.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import type { Fault, PodTrouble } from '../../../src/sim/plan.js';
import { TroubledCluster } from './troubled-cluster.js';
import { workload } from './workload-cluster.js';

const container = { name: 'c', image: 'img:1' };
const probed = { ...container, readinessProbe: { httpGet: { port: 80 } } };

function trouble(life: PodTrouble, pod = 'ns/a', nth = 1): Fault {
  return { kind: 'pod', pod, nth, ...life };
}

function podCluster(faults: readonly Fault[] = [], spec: object = {}): TroubledCluster {
  const cluster = new TroubledCluster(faults);
  cluster.create('pods', 'a', { spec: { containers: [container], ...spec } });
  return cluster;
}

/** How a pod stood in each of its versions: the phase, the state of its first container, and whether it was ready. */
function story(cluster: TroubledCluster, name = 'a'): readonly string[] {
  return cluster.versions('pods', name).map((pod) => {
    const { status } = pod;
    const { state = {}, restartCount = 0 } = status.containerStatuses?.[0] ?? {};
    const what = state.waiting?.reason ?? Object.keys(state)[0] ?? 'nothing';
    return `${status.phase} ${what} ${restartCount}${isTrue(pod, 'Ready') ? ' ready' : ''}`;
  });
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

function condition({ status }: KubeObject, type: string): Condition | undefined {
  return ((status?.conditions ?? []) as readonly Condition[]).find((each) => each.type === type);
}

function isTrue(pod: KubeObject, type: string): boolean {
  return condition(pod, type)?.status === 'True';
}

describe('the kubelet on a calm day', () => {
  it('says how a pod comes up in two writes after it is bound', () => {
    const cluster = podCluster();
    cluster.run(5);
    expect(story(cluster)).toEqual(['Pending nothing 0', 'Pending nothing 0', 'Pending ContainerCreating 0', 'Running running 0 ready']);
    const [, bound, creating, running] = cluster.versions('pods', 'a');
    expect(bound?.spec.nodeName).toBe('node-1');
    expect(((creating as KubeObject).status.conditions as readonly Condition[]).map(({ type, status }) => `${type} ${status}`)).toEqual([
      'PodReadyToStartContainers False',
      'Initialized True',
      'Ready False',
      'ContainersReady False',
      'PodScheduled True',
    ]);
    expect(condition(creating as KubeObject, 'Ready')).toMatchObject({
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [c]',
    });
    expect(Object.hasOwn(condition(running as KubeObject, 'Ready') as object, 'reason')).toBe(false);
    expect(running?.status).toMatchObject({
      startTime: '2026-01-01T00:00:00Z',
      hostIP: '192.168.0.2',
      podIPs: [{ ip: '10.244.0.2' }],
      observedGeneration: 1,
      qosClass: 'BestEffort',
      containerStatuses: [{ started: true, state: { running: { startedAt: '2026-01-01T00:00:02Z' } }, lastState: {} }],
    });
  });

  it('runs init containers one after the other, and lets sidecars run on', () => {
    const initContainers = [
      { name: 'one', image: 'i:1' },
      { name: 'side', image: 'i:1', restartPolicy: 'Always' },
      { name: 'two', image: 'i:1' },
    ];
    const cluster = podCluster([], { initContainers, restartPolicy: 'Never' });
    cluster.run(10);
    const inits = cluster
      .versions('pods', 'a')
      .slice(2)
      .map(({ status }) => status.initContainerStatuses.map(({ state }: { state: object }) => Object.keys(state)[0]).join(' '));
    expect(inits).toEqual([
      'waiting waiting waiting',
      'running waiting waiting',
      'terminated running running',
      'terminated running terminated',
      'terminated terminated terminated',
    ]);
    const initialized = cluster.versions('pods', 'a').slice(2);
    expect(condition(initialized[1] as KubeObject, 'Initialized')).toMatchObject({
      status: 'False',
      message: 'containers with incomplete status: [one side two]',
    });
    expect(isTrue(initialized[3] as KubeObject, 'Initialized')).toBe(true);
    expect(cluster.get('pods', 'a').status.phase).toBe('Succeeded');
  });

  it('waits for the readiness gates of a pod', () => {
    const cluster = podCluster([], { readinessGates: [{ conditionType: 'example.com/lb' }] });
    cluster.run(5);
    const before = cluster.get('pods', 'a');
    expect(isTrue(before, 'ContainersReady')).toBe(true);
    expect(condition(before, 'Ready')?.reason).toBe('ReadinessGatesNotReady');
    cluster.patch(
      'pods',
      'a',
      { status: { conditions: [...before.status.conditions, { type: 'example.com/lb', status: 'True' }] } },
      'status',
    );
    cluster.run(1);
    expect(isTrue(cluster.get('pods', 'a'), 'Ready')).toBe(true);
    expect(isTrue(cluster.get('pods', 'a'), 'example.com/lb')).toBe(true);
  });

  it('says how the containers of a deleted pod ended before it lets it go', () => {
    const cluster = podCluster();
    cluster.run(5);
    cluster.delete('pods', 'a');
    cluster.run(1);
    expect(story(cluster).at(-1)).toBe('Succeeded terminated 0');
    expect(cluster.list('pods')).toEqual([]);
  });
});

describe('the kubelet in trouble', () => {
  it('starts a crashing container again at once, then after 10 s, 20 s and so on', () => {
    const cluster = podCluster([trouble({ life: 'crash-loop', times: 3 })]);
    cluster.run(60);
    expect(story(cluster).slice(3)).toEqual([
      'Running running 0 ready',
      'Running terminated 0',
      'Running running 1 ready',
      'Running terminated 1',
      'Running CrashLoopBackOff 1',
      'Running running 2 ready',
      'Running terminated 2',
      'Running CrashLoopBackOff 2',
      'Running running 3 ready',
    ]);
    const waits = cluster.versions('pods', 'a').flatMap(({ status }) => status.containerStatuses?.[0].state.waiting?.message ?? []);
    expect(waits.map((text: string) => text.slice(0, 13))).toEqual(['back-off 10s ', 'back-off 20s ']);
    const [{ lastState, state }] = cluster.get('pods', 'a').status.containerStatuses;
    expect(lastState.terminated).toMatchObject({ exitCode: 1, reason: 'Error' });
    expect(Date.parse(state.running.startedAt) - Date.parse(lastState.terminated.finishedAt)).toBe(20_000);
    expect(cluster.events('Pod').filter((message) => message.startsWith('Back-off restarting failed container c'))).toHaveLength(1);
    expect(cluster.come).toHaveLength(1);
  });

  it('never waits more than five minutes for a restart', () => {
    const cluster = podCluster([trouble({ life: 'crash-loop', times: 9 })]);
    cluster.run(3_600);
    const waits = cluster.versions('pods', 'a').flatMap(({ status }) => status.containerStatuses?.[0].state.waiting?.message ?? []);
    expect(waits.map((text: string) => /back-off (\S+)/.exec(text)?.[1])).toEqual([
      '10s',
      '20s',
      '40s',
      '1m20s',
      '2m40s',
      '5m0s',
      '5m0s',
      '5m0s',
    ]);
    expect(story(cluster).at(-1)).toBe('Running running 9 ready');
  });

  it('lets a pod that is not to be restarted fail with the exit code', () => {
    const cluster = podCluster([trouble({ life: 'crash-loop', times: 1, exitCode: 42 })], { restartPolicy: 'Never' });
    cluster.run(10);
    const pod = cluster.get('pods', 'a');
    expect(pod.status.phase).toBe('Failed');
    expect(pod.status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 42, reason: 'Error' });
    expect(condition(pod, 'Ready')?.reason).toBe('PodFailed');
  });

  it('fails to pull an image, backs off, and pulls it at last', () => {
    const cluster = podCluster([trouble({ life: 'image-pull', times: 2 })]);
    cluster.run(60);
    expect(story(cluster).slice(2)).toEqual([
      'Pending ContainerCreating 0',
      'Pending ErrImagePull 0',
      'Pending ImagePullBackOff 0',
      'Pending ErrImagePull 0',
      'Pending ImagePullBackOff 0',
      'Running running 0 ready',
    ]);
    expect(cluster.events('Pod').slice(1, 4)).toEqual(['Error: ErrImagePull', 'Back-off pulling image "img:1"', 'Error: ImagePullBackOff']);
  });

  it('lets readiness flap as often as it is to, where there is a probe', () => {
    const flap = trouble({ life: 'flap', times: 2, forMs: 7_000 });
    const cluster = podCluster([flap], { containers: [probed] });
    cluster.run(60);
    expect(story(cluster).slice(2)).toEqual([
      'Pending ContainerCreating 0',
      'Running running 0',
      'Running running 0 ready',
      'Running running 0',
      'Running running 0 ready',
      'Running running 0',
      'Running running 0 ready',
    ]);
    const without = podCluster([flap]);
    without.run(60);
    expect(story(without)).toHaveLength(4);
    expect(without.come).toEqual([]);
  });

  it('lets a pod take long: its probe fails, or its containers are not there yet', () => {
    const slow = trouble({ life: 'slow-start', forMs: 30_000 });
    const withProbe = podCluster([slow], { containers: [probed] });
    withProbe.run(20);
    expect(story(withProbe).at(-1)).toBe('Running running 0');
    const without = podCluster([slow]);
    without.run(20);
    expect(story(without).at(-1)).toBe('Pending ContainerCreating 0');
    for (const cluster of [withProbe, without]) {
      cluster.run(20);
      expect(story(cluster).at(-1)).toBe('Running running 0 ready');
    }
  });

  it('evicts a pod: it has failed, says why, and its owner replaces it', () => {
    const cluster = new TroubledCluster([trouble({ life: 'evicted', afterMs: 5_000 }, 'ns/web-*')], startReplicaSetController);
    cluster.create('replicasets.apps', 'web', { spec: { replicas: 1, ...workload() } });
    cluster.run(20);
    const [evicted, next] = [...cluster.list('pods')].sort((a, b) => (a.status.phase < b.status.phase ? -1 : 1));
    expect(evicted?.status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
    expect(condition(evicted as KubeObject, 'DisruptionTarget')).toMatchObject({ status: 'True', reason: 'TerminationByKubelet' });
    expect(isTrue(next as KubeObject, 'Ready')).toBe(true);
  });

  it('keeps a pod that does not heed SIGTERM until its grace period is over', () => {
    const cluster = podCluster([trouble({ life: 'slow-stop' })], { terminationGracePeriodSeconds: 20 });
    cluster.run(5);
    cluster.delete('pods', 'a');
    cluster.run(19);
    expect(isTrue(cluster.get('pods', 'a'), 'Ready')).toBe(true);
    cluster.run(2);
    expect(cluster.list('pods')).toEqual([]);
    expect(cluster.versions('pods', 'a').at(-1)?.status).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 137 } } }],
    });
  });

  it('has trouble with the pod of that number alone, also when the server makes the names', () => {
    const cluster = new TroubledCluster([trouble({ life: 'crash-loop', times: 1 }, 'ns/work-*', 2)], startJobController);
    const template = { spec: { restartPolicy: 'Never', containers: [container] } };
    cluster.create('jobs.batch', 'work', { spec: { template, completions: 3 } });
    cluster.run(60);
    expect(cluster.get('jobs.batch', 'work').status).toMatchObject({ succeeded: 3, failed: 1 });
  });

  it('mends whatever it can once the storm is over', () => {
    const lives: readonly PodTrouble[] = [
      { life: 'crash-loop', times: 1_000 },
      { life: 'image-pull', times: 1_000 },
      { life: 'unschedulable', forMs: 100_000_000 },
      { life: 'flap', times: 1_000, forMs: 1_000 },
    ];
    for (const life of lives) {
      const cluster = podCluster([trouble(life)], { containers: [probed] });
      cluster.run(100);
      expect(cluster.come).toHaveLength(1);
      cluster.fates.heal();
      cluster.run(600);
      expect(story(cluster).at(-1)).toContain(' ready');
      const versions = story(cluster).length;
      cluster.run(3_600);
      expect(story(cluster)).toHaveLength(versions);
    }
  });
});
