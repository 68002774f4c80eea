import { describe, expect, it } from 'vitest';
import { startCronJobController } from '../../../src/sim/controllers/cronjob/cronjob.js';
import { localText, readSchedule } from '../../../src/sim/controllers/cronjob/schedule.js';
import { WorkloadCluster } from './workload-cluster.js';

const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'img:1' }] } } } };

function withCronJob(spec: object): WorkloadCluster {
  const cluster = new WorkloadCluster(startCronJobController);
  cluster.create('cronjobs.batch', 'tick', { spec: { schedule: '* * * * *', jobTemplate, ...spec } });
  return cluster;
}

function next(schedule: string, after: string, timeZone?: string): string | undefined {
  const atMs = readSchedule(schedule, timeZone)?.next(Date.parse(after));
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

describe('a cron schedule', () => {
  it('is read field by field', () => {
    expect(next('*/15 9-17 * * mon-fri', '2026-01-02T17:50:00Z')).toBe('2026-01-05T09:00:00.000Z');
    expect(next('0 0 29 2 *', '2026-01-01T00:00:00Z')).toBe('2028-02-29T00:00:00.000Z');
    expect(next('@hourly', '2026-01-01T00:00:00Z')).toBe('2026-01-01T01:00:00.000Z');
  });

  it('adds days of the week to days of the month when both are given', () => {
    expect(next('0 0 15 * sun', '2026-01-01T00:00:00Z')).toBe('2026-01-04T00:00:00.000Z');
  });

  it('is of its time zone', () => {
    expect(next('0 9 * * *', '2026-01-01T00:00:00Z', 'America/New_York')).toBe('2026-01-01T14:00:00.000Z');
    expect(localText(Date.parse('2026-01-01T14:00:00Z'), 'America/New_York')).toBe('2026-01-01T09:00:00-05:00');
  });

  it('has no time when there is no such day, and none when it cannot be read', () => {
    expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
    expect(readSchedule('61 * * * *')).toBeUndefined();
  });
});

describe('the CronJob controller', () => {
  it('makes a Job each time that is due, under a name of that time', () => {
    const cluster = withCronJob({});
    cluster.run(130);
    const first = Date.UTC(2026, 0, 1, 0, 1) / 60_000;
    expect(cluster.names('jobs.batch')).toEqual([`tick-${first}`, `tick-${first + 1}`]);
    expect(cluster.get('cronjobs.batch', 'tick').status).toMatchObject({ lastScheduleTime: '2026-01-01T00:02:00Z' });
    expect(cluster.get('cronjobs.batch', 'tick').status.active).toHaveLength(2);
  });

  it('makes none while the last one runs, when it must not', () => {
    const cluster = withCronJob({ concurrencyPolicy: 'Forbid' });
    cluster.run(200);
    expect(cluster.list('jobs.batch')).toHaveLength(1);
  });

  it('puts the new Job in the place of the last one, when it shall', () => {
    const cluster = withCronJob({ concurrencyPolicy: 'Replace' });
    cluster.run(200);
    expect(cluster.list('jobs.batch')).toHaveLength(1);
    expect(cluster.get('cronjobs.batch', 'tick').status.active).toHaveLength(1);
  });

  it('makes none while it is suspended', () => {
    const cluster = withCronJob({ suspend: true });
    cluster.run(200);
    expect(cluster.list('jobs.batch')).toEqual([]);
  });
});
