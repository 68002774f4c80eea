import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { duplicateValue, invalidPlace, invalidValue, requiredValue } from '../field-errors.js';
import { checkNonNegative, type Faults, type Fields, listOf } from './checks.js';
import { countIndexes } from './job-success-policy.js';

/** What a Job's controller may report: each thing is looked at when it changes, so that old mistakes do not stand in the way. */
export function checkJobStatus(faults: Faults, job: KubeObject, stored: KubeObject): void {
  const status: Fields = job.status ?? {};
  const before: Fields = stored.status ?? {};
  const spec: Fields = job.spec ?? {};
  const changed = (name: string) => !deepEqual(status[name], before[name]);
  const is = (type: string) => hasCondition(status, type);
  const was = (type: string) => hasCondition(before, type);
  const turned = (type: string) => is(type) !== was(type);
  const finished = is('Complete') || is('Failed');
  const finishing = finished !== (was('Complete') || was('Failed'));
  const wrong = (text: string) => faults.push(invalidPlace('status.conditions', text));

  for (const name of ['active', 'succeeded', 'failed', 'ready', 'terminating']) checkNonNegative(faults, `status.${name}`, status[name]);
  checkUncounted(faults, status.uncountedTerminatedPods);
  if ((turned('Complete') || turned('Failed')) && is('Complete') && is('Failed')) {
    wrong('cannot set Complete=True and Failed=true conditions');
  }
  if ((turned('Complete') || turned('FailureTarget')) && is('Complete') && is('FailureTarget')) {
    wrong('cannot set Complete=True and FailureTarget=true conditions');
  }
  if (turned('Complete') || changed('completionTime')) {
    if (status.completionTime !== undefined && !is('Complete')) {
      const text = 'cannot set completionTime when there is no Complete=True condition';
      faults.push(invalidValue('status.completionTime', status.completionTime, text));
    }
    if (status.completionTime === undefined && is('Complete')) {
      faults.push(requiredValue('status.completionTime', 'completionTime is required for Complete jobs'));
    }
  }
  if ((changed('startTime') || changed('completionTime')) && status.completionTime < status.startTime) {
    faults.push(invalidValue('status.completionTime', status.completionTime, 'must be equal to or after `startTime`'));
  }
  if ((turned('Failed') || changed('failedIndexes')) && is('Failed') && !is('FailureTarget')) {
    wrong('cannot set Failed=True condition without the FailureTarget=true condition');
  }
  if ((turned('Complete') || turned('SuccessCriteriaMet')) && is('Complete') && !is('SuccessCriteriaMet')) {
    wrong('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  if ((finishing || changed('active')) && finished && status.active > 0) {
    faults.push(invalidValue('status.active', status.active, 'active>0 is invalid for finished job'));
  }
  const resting = spec.suspend === true && spec.completions === 0;
  if ((finishing || changed('startTime')) && !resting && finished && status.startTime === undefined) {
    faults.push(requiredValue('status.startTime', 'startTime is required for finished job'));
  }
  const uncounted = [...listOf(status.uncountedTerminatedPods?.failed), ...listOf(status.uncountedTerminatedPods?.succeeded)];
  if ((finishing || changed('uncountedTerminatedPods')) && finished && uncounted.length > 0) {
    const { succeeded = null, failed = null } = status.uncountedTerminatedPods;
    const shown = { Succeeded: succeeded, Failed: failed };
    faults.push(invalidValue('status.uncountedTerminatedPods', shown, 'must be empty for finished job'));
  }
  checkIndexes(faults, status, spec, changed);
  if ((finishing || changed('terminating')) && finished && status.terminating > 0) {
    faults.push(invalidValue('status.terminating', status.terminating, 'terminating>0 is invalid for finished job'));
  }
  if ((changed('ready') || changed('active')) && status.ready > (status.active ?? 0)) {
    faults.push(invalidValue('status.ready', status.ready, 'cannot set more ready pods than active'));
  }
  if (is('SuccessCriteriaMet') && is('Failed')) wrong('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  if (is('SuccessCriteriaMet') && is('FailureTarget')) wrong('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  if (spec.successPolicy !== undefined && !is('SuccessCriteriaMet') && is('Complete')) {
    wrong('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
  checkHistory(faults, job, stored);
}

function hasCondition(status: Fields, type: string): boolean {
  return listOf(status.conditions).some((condition) => condition.type === type && condition.status === 'True');
}

function checkUncounted(faults: Faults, pods: Fields | undefined): void {
  const seen = new Set<unknown>();
  for (const list of ['succeeded', 'failed']) {
    for (const [index, uid] of ((pods?.[list] ?? []) as readonly string[]).entries()) {
      const at = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') faults.push(invalidValue(at, uid, 'must not be empty'));
      else if (seen.has(uid)) faults.push(duplicateValue(at, uid));
      seen.add(uid);
    }
  }
}

function checkIndexes(faults: Faults, status: Fields, spec: Fields, changed: (name: string) => boolean): void {
  const { completedIndexes = '', failedIndexes } = status;
  if (changed('completedIndexes') && spec.completions !== undefined) {
    const fault = countIndexes(completedIndexes, spec.completions);
    if (typeof fault === 'string') {
      faults.push(invalidValue('status.completedIndexes', completedIndexes, `error parsing completedIndexes: ${fault}`));
    }
  }
  if (
    changed('failedIndexes') &&
    failedIndexes !== undefined &&
    spec.backoffLimitPerIndex !== undefined &&
    spec.completions !== undefined
  ) {
    const fault = countIndexes(failedIndexes, spec.completions);
    if (typeof fault === 'string') {
      faults.push(invalidValue('status.failedIndexes', failedIndexes, `error parsing failedIndexes: ${fault}`));
    }
  }
  if (changed('completedIndexes') && completedIndexes !== '' && spec.completionMode !== 'Indexed') {
    const text = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    faults.push(invalidValue('status.completedIndexes', completedIndexes, text));
  }
  if (changed('failedIndexes') && failedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    const text = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    faults.push(invalidValue('status.failedIndexes', failedIndexes, text));
  }
}

/** What has happened stays so. */
function checkHistory(faults: Faults, job: KubeObject, stored: KubeObject): void {
  const status: Fields = job.status ?? {};
  const before: Fields = stored.status ?? {};
  const spec: Fields = job.spec ?? {};
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (!hasCondition(before, type) || hasCondition(status, type)) continue;
    faults.push(invalidPlace('status.conditions', `cannot disable the terminal ${type}=True condition`));
  }
  const scalable = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  for (const name of ['failed', 'succeeded']) {
    if ((status[name] ?? 0) >= (before[name] ?? 0) || (name === 'succeeded' && scalable)) continue;
    faults.push(invalidValue(`status.${name}`, status[name] ?? 0, `cannot decrease the ${name} counter`));
  }
  const { completionTime, startTime } = status;
  if (completionTime !== undefined && before.completionTime !== undefined && completionTime !== before.completionTime) {
    faults.push(invalidValue('status.completionTime', completionTime, 'field is immutable'));
  }
  const resumes =
    hasCondition(before, 'Suspended') &&
    listOf(status.conditions).some((condition) => condition.type === 'Suspended' && condition.status === 'False');
  if (before.startTime !== undefined && startTime !== before.startTime && spec.suspend !== true && !resumes) {
    faults.push(invalidValue('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set'));
  }
  const met = 'SuccessCriteriaMet';
  if (hasCondition(before, met) && !hasCondition(status, met)) {
    faults.push(invalidPlace('status.conditions', 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  if (hasCondition(before, 'Complete') && !hasCondition(before, met) && hasCondition(status, met)) {
    const text = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    faults.push(invalidPlace('status.conditions', text));
  }
}
