import { deepEqual, type KubeObject } from '../../etcd/object.js';
import {
  duplicateValue,
  inKeyOrder,
  invalidPlace,
  invalidValue,
  requiredValue,
  tooLong,
  tooMany,
  unsupportedValue,
} from '../field-errors.js';
import { selects } from '../object-selector.js';
import {
  checkDomainPrefixedPath,
  checkImmutable,
  checkName,
  checkNonNegative,
  checkOption,
  checkQualifiedName,
  checkSelector,
  checkSelectorChange,
  type Faults,
  type Fields,
  isBlank,
  listOf,
  shownSelector,
} from './checks.js';
import { internalForm } from './internal-form.js';
import { checkSuccessPolicy } from './job-success-policy.js';
import { checkTemplate, checkTemplateMatches } from './pod-templates.js';

/** TK-10: on an update the server looks at the whole Job twice. */
export function checkJob(faults: Faults, job: KubeObject, stored: KubeObject | undefined): void {
  const spec: Fields = job.spec ?? {};
  const labels = stored?.spec?.template?.metadata?.labels;
  const prefixed =
    stored === undefined || (labels?.[`${prefix}controller-uid`] !== undefined && labels?.[`${prefix}job-name`] !== undefined);
  checkGeneratedSelector(faults, job, spec, prefixed);
  checkWholeJobSpec(faults, spec);
  checkHostName(faults, job, spec);
  if (stored === undefined) return;
  checkWholeJobSpec(faults, spec);
  checkJobChange(faults, spec, stored);
}

const prefix = 'batch.kubernetes.io/';

function checkGeneratedSelector(faults: Faults, { metadata }: KubeObject, spec: Fields, prefixed: boolean): void {
  if (spec.manualSelector === true || spec.selector === undefined) return;
  const { uid = '', name = '' } = metadata;
  const labels: Readonly<Record<string, string>> | undefined = spec.template?.metadata?.labels;
  const expected: Record<string, string> = { 'controller-uid': uid, 'job-name': name };
  if (prefixed) Object.assign(expected, { [`${prefix}controller-uid`]: uid, [`${prefix}job-name`]: name });
  for (const [key, value] of Object.entries(expected)) {
    const at = `spec.template.metadata.labels[${key}]`;
    if (labels?.[key] === undefined) faults.push(requiredValue(at, `must be '${value}'`));
    else if (labels[key] !== value) faults.push(invalidValue(at, inKeyOrder(labels), `must be '${value}'`));
  }
  if (!selects(spec.selector, expected))
    faults.push(invalidValue('spec.selector', shownSelector(spec.selector), '`selector` not auto-generated'));
}

function checkWholeJobSpec(faults: Faults, spec: Fields): void {
  checkJobSpec(faults, 'spec', spec);
  const before = faults.length;
  if (spec.selector === undefined) faults.push(requiredValue('spec.selector'));
  else checkSelector(faults, 'spec.selector', spec.selector);
  if (spec.selector === undefined || faults.length === before) {
    checkTemplateMatches(faults, 'spec.template', spec.template ?? {}, spec.selector);
  }
}

function checkHostName(faults: Faults, { metadata }: KubeObject, { completionMode, completions = 0 }: Fields): void {
  if (completionMode !== 'Indexed' || completions <= 0) return;
  const hostName = `${metadata.name}-${completions - 1}`;
  const found: Faults = [];
  checkName(found, '', 'label', hostName);
  if (found.length === 0) return;
  faults.push(invalidValue('metadata.name', metadata.name, `will not able to create pod with invalid DNS label: ${hostName}`));
}

/** The spec of a Job, or of a template of Jobs. */
export function checkJobSpec(faults: Faults, field: string, spec: Fields): void {
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ]) {
    checkNonNegative(faults, `${field}.${name}`, spec[name]);
  }
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    faults.push(requiredValue(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  if (spec.managedBy !== undefined) checkManagedBy(faults, `${field}.managedBy`, spec.managedBy);
  checkOption(faults, `${field}.completionMode`, spec.completionMode, ['NonIndexed', 'Indexed']);
  if (spec.completionMode === 'Indexed') checkIndexed(faults, field, spec);
  else if (spec.completionMode === undefined || spec.completionMode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      if (spec[name] !== undefined) faults.push(invalidValue(`${field}.${name}`, spec[name], 'requires indexed completion mode'));
    }
  }
  if (spec.podFailurePolicy !== undefined) checkFailurePolicy(faults, `${field}.podFailurePolicy.rules`, spec);
  if (spec.successPolicy !== undefined) checkSuccessPolicy(faults, `${field}.successPolicy`, spec);
  const replacement: string | undefined = spec.podReplacementPolicy;
  checkOption(faults, `${field}.podReplacementPolicy`, replacement, spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed']);
  checkTemplate(faults, `${field}.template`, spec.template ?? {});
  checkJobRestart(faults, `${field}.template.spec.restartPolicy`, spec);
}

function checkJobRestart(faults: Faults, field: string, { template, podFailurePolicy }: Fields): void {
  const policy: string = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') faults.push(requiredValue(field, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') faults.push(unsupportedValue(field, policy, ['OnFailure', 'Never']));
  else if (podFailurePolicy !== undefined && policy !== 'Never') {
    faults.push(invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

function checkManagedBy(faults: Faults, field: string, value: string): void {
  checkDomainPrefixedPath(faults, field, value);
  if (value.length > 63) faults.push(tooLong(field, 63));
}

function checkIndexed(faults: Faults, field: string, spec: Fields): void {
  const { completions, parallelism, maxFailedIndexes, backoffLimitPerIndex } = spec;
  if (completions === undefined) faults.push(requiredValue(`${field}.completions`, 'when completion mode is Indexed'));
  const limit = (name: string, maximum: number, tail = '') => {
    if (spec[name] !== undefined && spec[name] > maximum) {
      faults.push(invalidValue(`${field}.${name}`, spec[name], `must be less than or equal to ${maximum}${tail}`));
    }
  };
  limit('parallelism', 100_000, ' when completion mode is Indexed');
  if (completions !== undefined && maxFailedIndexes > completions) {
    faults.push(invalidValue(`${field}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'));
  }
  limit('maxFailedIndexes', 100_000);
  if (completions === undefined || completions <= 100_000 || backoffLimitPerIndex === undefined) return;
  const tail = ' when completions are above 100000 and used with backoff limit per index';
  if (maxFailedIndexes === undefined) {
    faults.push(requiredValue(`${field}.maxFailedIndexes`, 'must be specified when completions is above 100000'));
  }
  if (parallelism !== undefined) limit('parallelism', 10_000, tail);
  limit('maxFailedIndexes', 10_000, tail);
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function checkFailurePolicy(faults: Faults, field: string, spec: Fields): void {
  const rules = listOf(spec.podFailurePolicy.rules);
  if (rules.length > 20) faults.push(tooMany(field, rules.length, 20));
  const pod: Fields = spec.template?.spec ?? {};
  const names = new Set([...listOf(pod.containers), ...listOf(pod.initContainers)].map(({ name }) => name));
  for (const [index, { action, onExitCodes, onPodConditions }] of rules.entries()) {
    const at = `${field}[${index}]`;
    if (isBlank(action)) faults.push(requiredValue(`${at}.action`, `valid values: ${goList(actions)}`));
    else if (action === 'FailIndex') {
      if (spec.backoffLimitPerIndex === undefined) {
        faults.push(invalidValue(`${at}.action`, action, 'requires the backoffLimitPerIndex to be set'));
      }
    } else checkOption(faults, `${at}.action`, action, actions);
    if (onExitCodes !== undefined) checkExitCodes(faults, `${at}.onExitCodes`, onExitCodes, names);
    const conditions = listOf(onPodConditions);
    checkPodConditions(faults, `${at}.onPodConditions`, conditions);
    if (onExitCodes !== undefined && conditions.length > 0) {
      faults.push(invalidPlace(at, 'specifying both OnExitCodes and OnPodConditions is not supported'));
    }
    if (onExitCodes === undefined && conditions.length === 0) {
      faults.push(invalidPlace(at, 'specifying one of OnExitCodes and OnPodConditions is required'));
    }
  }
}

/** A list as Go prints one with `%q`. */
function goList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}

function checkPodConditions(faults: Faults, field: string, conditions: readonly Fields[]): void {
  const statuses = ['False', 'True', 'Unknown'];
  if (conditions.length > 20) faults.push(tooMany(field, conditions.length, 20));
  for (const [index, { type = '', status }] of conditions.entries()) {
    checkQualifiedName(faults, `${field}[${index}].type`, type);
    if (isBlank(status)) faults.push(requiredValue(`${field}[${index}].status`, `valid values: ${goList(statuses)}`));
    else checkOption(faults, `${field}[${index}].status`, status, statuses);
  }
}

function checkExitCodes(faults: Faults, field: string, { operator, containerName, values }: Fields, names: ReadonlySet<string>): void {
  if (isBlank(operator)) faults.push(requiredValue(`${field}.operator`, `valid values: ${goList(['In', 'NotIn'])}`));
  else checkOption(faults, `${field}.operator`, operator, ['In', 'NotIn']);
  if (containerName !== undefined && !names.has(containerName)) {
    const text = 'must be one of the container or initContainer names in the pod template';
    faults.push(invalidValue(`${field}.containerName`, containerName, text));
  }
  const codes: readonly number[] = values ?? [];
  if (codes.length === 0) faults.push(invalidValue(`${field}.values`, values ?? null, 'at least one value is required'));
  else if (codes.length > 255) faults.push(tooMany(`${field}.values`, codes.length, 255));
  for (const [index, code] of codes.entries()) {
    const at = `${field}.values[${index}]`;
    if (operator === 'In' && code === 0) faults.push(invalidValue(at, code, 'must not be 0 for the In operator'));
    if (codes.indexOf(code) < index) faults.push(duplicateValue(at, code));
  }
  const ordered = codes.every((code, index) => index === 0 || (codes[index - 1] as number) <= code);
  if (!ordered) faults.push(invalidValue(`${field}.values`, codes, 'must be ordered'));
}

function checkJobChange(faults: Faults, spec: Fields, stored: KubeObject): void {
  const before: Fields = stored.spec ?? {};
  const at = 'spec.completions';
  if (spec.completionMode !== 'Indexed') checkImmutable(faults, at, spec.completions, before.completions);
  else if (spec.completions !== before.completions && spec.completions !== undefined && spec.completions !== spec.parallelism) {
    // The server loses its way here and names the parallelism of the whole spec.
    faults.push(invalidValue(at, spec.completions, 'can only be modified in tandem with spec.parallelism'));
  }
  checkSelectorChange(faults, spec.selector, before.selector);
  checkTemplateChange(faults, spec.template ?? {}, stored);
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) {
    const form = name === 'podFailurePolicy' ? 'batch.PodFailurePolicy' : name === 'successPolicy' ? 'batch.SuccessPolicy' : undefined;
    const shown = form !== undefined && spec[name] !== undefined ? internalForm(form, spec[name]) : spec[name];
    checkImmutable(faults, `spec.${name}`, spec[name], before[name], shown);
  }
}

/** TK-10: the pods of a Job that waits, and has none, may still be placed and sized in another way. */
function checkTemplateChange(faults: Faults, template: Fields, stored: KubeObject): void {
  const before: Fields = stored.spec?.template ?? {};
  const waits = stored.spec?.suspend === true;
  if (!waits || !isIdle(stored)) {
    checkImmutable(faults, 'spec.template', template, before, internalForm('core.PodTemplateSpec', template));
    return;
  }
  const spec: Fields = template.spec ?? {};
  const old: Fields = before.spec ?? {};
  const free: Record<string, unknown> = { ...old };
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates']) copy(free, spec, name);
  for (const list of ['containers', 'initContainers']) {
    if (listOf(spec[list]).length === listOf(old[list]).length && old[list] !== undefined) {
      free[list] = listOf(old[list]).map((container, index) => {
        const next = listOf(spec[list])[index] as Fields;
        return next.name === container.name ? { ...container, resources: next.resources } : container;
      });
    }
  }
  const affinity: Record<string, unknown> = { ...old.affinity };
  copy(affinity, spec.affinity ?? {}, 'nodeAffinity');
  if (Object.keys(affinity).length > 0) free.affinity = affinity;
  else delete free.affinity;
  if (!deepEqual(spec, free)) faults.push(invalidValue('spec.template.spec', internalForm('core.PodSpec', spec), 'field is immutable'));
}

function copy(into: Record<string, unknown>, from: Fields, name: string): void {
  if (from[name] === undefined) delete into[name];
  else into[name] = from[name];
}

/** No pod of it has started, or the controller says that it rests. */
function isIdle({ status }: KubeObject): boolean {
  const suspended = listOf(status?.conditions).some((condition) => condition.type === 'Suspended' && condition.status === 'True');
  return (status?.startTime === undefined || suspended) && (status?.active ?? 0) === 0;
}
