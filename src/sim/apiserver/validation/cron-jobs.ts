import type { KubeObject } from '../../etcd/object.js';
import { invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { checkEnum, checkNonNegative, type Faults, type Fields, shownSelector } from './checks.js';
import { cronFault } from './cron-schedule.js';
import { checkJobSpec } from './jobs.js';

export function checkCronJob(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  const schedule: string = spec.schedule ?? '';
  if (schedule === '') faults.push(requiredValue('spec.schedule'));
  else checkSchedule(faults, schedule, spec.timeZone, stored?.spec?.schedule?.includes('TZ') === true);
  checkNonNegative(faults, 'spec.startingDeadlineSeconds', spec.startingDeadlineSeconds);
  if (stored === undefined || stored.spec?.timeZone !== spec.timeZone) checkTimeZone(faults, 'spec.timeZone', spec.timeZone);
  checkEnum(faults, 'spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']);
  const template: Fields = spec.jobTemplate?.spec ?? {};
  checkJobSpec(faults, 'spec.jobTemplate.spec', template);
  if (template.selector !== undefined) {
    faults.push(invalidValue('spec.jobTemplate.spec.selector', shownSelector(template.selector), '`selector` will be auto-generated'));
  }
  if (template.manualSelector === true) {
    faults.push(unsupportedValue('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']));
  }
  checkNonNegative(faults, 'spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit);
  checkNonNegative(faults, 'spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit);
}

function checkSchedule(faults: Faults, schedule: string, timeZone: string | undefined, zoneAllowed: boolean): void {
  const fault = cronFault(schedule);
  if (fault !== undefined) faults.push(invalidValue('spec.schedule', schedule, fault));
  if (!schedule.includes('TZ')) return;
  if (!zoneAllowed) {
    faults.push(invalidValue('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  } else if (timeZone !== undefined) {
    faults.push(invalidValue('spec.schedule', schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  }
}

function checkTimeZone(faults: Faults, field: string, zone: string | undefined): void {
  if (zone === undefined) return;
  if (zone === '') {
    faults.push(invalidValue(field, zone, 'timeZone must be nil or non-empty string'));
    return;
  }
  const bad = zone
    .split('/')
    .some((part) => part === '.' || part === '..' || part.startsWith('-') || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part));
  if (!bad && zone.toLowerCase() === 'local') {
    const text = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    faults.push(invalidValue(field, zone, text));
  }
  if (bad || !isZone(zone)) faults.push(invalidValue(field, zone, `unknown time zone ${zone}`));
}

function isZone(zone: string): boolean {
  if (zone === 'Local') return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
