import { describe, expect, it } from 'vitest';
import { startJobController } from '../../../src/sim/controllers/job/job.js';
import { startTtlAfterFinished } from '../../../src/sim/controllers/ttl-after-finished.js';
import { podRunners, type Start, WorkloadCluster } from './workload-cluster.js';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'img:1' }] } };

function withJob(spec: object, ...controllers: readonly Start[]): WorkloadCluster {
  const cluster = new WorkloadCluster(startJobController, ...controllers);
  cluster.create('jobs.batch', 'work', { spec: { template, ...spec } });
  cluster.run(2);
  return cluster;
}

function active(cluster: WorkloadCluster): readonly string[] {
  return cluster
    .list('pods')
    .filter(({ status }) => status.phase === 'Pending' || status.phase === 'Running')
    .map(({ metadata }) => metadata.name as string);
}

describe('the Job controller', () => {
  it('counts each pod once and says when the Job is complete', () => {
    const cluster = withJob({ completions: 4, parallelism: 2 }, ...podRunners);
    cluster.run(30);
    const { status } = cluster.get('jobs.batch', 'work');
    expect(status).toMatchObject({ succeeded: 4, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(status.conditions.map(({ type }: { type: string }) => type)).toEqual(['SuccessCriteriaMet', 'Complete']);
    expect(cluster.list('pods')).toHaveLength(4);
    expect(cluster.list('pods').flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
  });

  it('waits longer after each failure, and gives up at last', () => {
    const cluster = withJob({ backoffLimit: 1 });
    cluster.becomes(active(cluster)[0] as string, 'Failed');
    cluster.patch(
      'pods',
      cluster.names('pods')[0] as string,
      { status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:02Z' }] } },
      'status',
    );
    cluster.run(5);
    expect(active(cluster)).toEqual([]);
    cluster.run(10);
    expect(active(cluster)).toHaveLength(1);
    cluster.becomes(active(cluster)[0] as string, 'Failed');
    cluster.run(5);
    const { status } = cluster.get('jobs.batch', 'work');
    expect(status).toMatchObject({ failed: 2 });
    expect(status.conditions.at(-1)).toMatchObject({ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' });
  });

  it('gives every index a pod of its own until it has succeeded', () => {
    const cluster = withJob({ completionMode: 'Indexed', completions: 3, parallelism: 3 }, ...podRunners);
    cluster.run(20);
    expect(cluster.get('jobs.batch', 'work').status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    expect(
      cluster
        .list('pods')
        .map(({ spec }) => spec.hostname)
        .sort(),
    ).toEqual(['work-0', 'work-1', 'work-2']);
  });

  it('fails an index alone when it has a limit of its own', () => {
    const cluster = withJob({ completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 0 });
    const [first = '', second = ''] = active(cluster);
    const failing = cluster.get('pods', first).spec.hostname.slice(-1);
    cluster.becomes(first, 'Failed');
    cluster.run(3);
    expect(cluster.get('jobs.batch', 'work').status).toMatchObject({ failed: 1, failedIndexes: failing, active: 1 });
    cluster.becomes(second, 'Succeeded');
    cluster.run(3);
    expect(cluster.get('jobs.batch', 'work').status.conditions.at(-1)).toMatchObject({ type: 'Failed', reason: 'FailedIndexes' });
  });

  it('deletes its pods when it is suspended, and makes them again', () => {
    const cluster = withJob({});
    cluster.patch('jobs.batch', 'work', { spec: { suspend: true } });
    cluster.run(3);
    expect(cluster.list('pods')).toEqual([]);
    expect(cluster.get('jobs.batch', 'work').status.startTime).toBeUndefined();
    cluster.patch('jobs.batch', 'work', { spec: { suspend: false } });
    cluster.run(3);
    expect(active(cluster)).toHaveLength(1);
  });

  it('fails at its deadline', () => {
    const cluster = withJob({ activeDeadlineSeconds: 5 });
    cluster.run(10);
    expect(cluster.get('jobs.batch', 'work').status.conditions.at(-1)).toMatchObject({ type: 'Failed', reason: 'DeadlineExceeded' });
    expect(active(cluster)).toEqual([]);
  });

  it('is deleted so long after its end as it asks for', () => {
    const cluster = withJob({ ttlSecondsAfterFinished: 60 }, ...podRunners, startTtlAfterFinished);
    cluster.run(30);
    expect(cluster.get('jobs.batch', 'work').metadata.deletionTimestamp).toBeUndefined();
    cluster.run(60);
    expect(cluster.get('jobs.batch', 'work').metadata).toMatchObject({ finalizers: ['foregroundDeletion'] });
  });
});
