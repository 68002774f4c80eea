import { describe, expect, it } from 'vitest';
import { AWrite, aPodSpec, aTemplate, aWorkload, type Fields } from './a-write.js';

const mismatch = '`selector` does not match template `labels`';

describe.each(['apps/v1 deployments', 'apps/v1 replicasets', 'apps/v1 statefulsets', 'apps/v1 daemonsets'])('a %s object', (kind) => {
  it('is stored when its selector finds its pods', () => {
    expect(new AWrite(kind).create({ spec: aWorkload })).toEqual([]);
  });

  it('is refused when it does not find them', () => {
    const spec = { ...aWorkload, selector: { matchLabels: { app: 'b' } } };
    expect(new AWrite(kind).create({ spec })).toEqual([`spec.template.metadata.labels: Invalid value: {"app":"a"}: ${mismatch}`]);
  });

  it('is refused when its pods would not be restarted', () => {
    const spec = { ...aWorkload, template: { ...aTemplate, spec: { ...aPodSpec, restartPolicy: 'Never' } } };
    expect(new AWrite(kind).create({ spec })).toEqual([
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ]);
  });
});

describe.each(['apps/v1 deployments', 'apps/v1 replicasets', 'apps/v1 daemonsets'])('a stored %s object', (kind) => {
  it('keeps its selector (TK-10)', () => {
    const write = new AWrite(kind);
    write.create({ spec: aWorkload });
    const labels = { app: 'b' };
    expect(write.patch({ spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } } })).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable',
    ]);
  });
});

describe('a Deployment', () => {
  it('that recreates has nothing to say of rolling (TK-9)', () => {
    const spec = { ...aWorkload, strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } };
    expect(new AWrite('apps/v1 deployments').create({ spec })).toEqual([
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ]);
  });

  it('with an unknown strategy is refused in the words of the internal form (FE-7)', () => {
    const spec = { ...aWorkload, strategy: { type: 'BlueGreen' } };
    expect(new AWrite('apps/v1 deployments').create({ spec })).toEqual([
      'spec.strategy: Unsupported value: {"Type":"BlueGreen","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ]);
  });

  it('may not report more ready pods than it has', () => {
    const write = new AWrite('apps/v1 deployments');
    write.create({ spec: aWorkload });
    expect(write.patch({ status: { replicas: 1, readyReplicas: 2 } }, 'status')).toEqual([
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ]);
  });
});

describe('a StatefulSet', () => {
  it('may be scaled and not renamed (TK-10)', () => {
    const write = new AWrite('apps/v1 statefulsets');
    write.create({ spec: aWorkload });
    expect(write.patch({ spec: { replicas: 2 } })).toEqual([]);
    expect(write.patch({ spec: { serviceName: 'other' } })[0]).toMatch(
      /^spec: Forbidden: updates to statefulset spec for fields other than/,
    );
  });
});

describe('a Job', () => {
  const job = (fields: Fields = {}) => ({ spec: { template: { spec: { ...aPodSpec, restartPolicy: 'Never' } }, ...fields } });

  it('must say when its pods are restarted', () => {
    expect(new AWrite('batch/v1 jobs').create({ spec: { template: { spec: aPodSpec } } })).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  it('keeps its template, which the server prints whole (TK-10)', () => {
    const write = new AWrite('batch/v1 jobs');
    expect(write.create(job())).toEqual([]);
    const [fault = ''] = write.patch({ spec: { template: { spec: { containers: [{ name: 'c', image: 'i:2' }] } } } });
    expect(fault).toMatch(/^spec\.template: Invalid value: \{"labels":\{.*"Spec":\{"Volumes":null,.*: field is immutable$/);
  });

  it('that waits may be placed elsewhere', () => {
    const write = new AWrite('batch/v1 jobs');
    write.create(job({ suspend: true }));
    expect(write.patch({ spec: { template: { spec: { nodeSelector: { disk: 'ssd' } } } } })).toEqual([]);
  });
});

describe('a CronJob', () => {
  const cron = (schedule: string) => ({
    spec: { schedule, jobTemplate: { spec: { template: { spec: { ...aPodSpec, restartPolicy: 'Never' } } } } },
  });

  it.each(['0 3 * * 1-5', '@hourly', '*/5 0 1 jan sun'])('runs at %j', (schedule) => {
    expect(new AWrite('batch/v1 cronjobs').create(cron(schedule))).toEqual([]);
  });

  it.each([
    ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
    ['61 * * * *', 'end of range (61) above maximum (59): 61'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ])('does not run at %j', (schedule, fault) => {
    expect(new AWrite('batch/v1 cronjobs').create(cron(schedule))).toEqual([`spec.schedule: Invalid value: "${schedule}": ${fault}`]);
  });
});
