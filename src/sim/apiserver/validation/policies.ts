import type { KubeObject } from '../../etcd/object.js';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import {
  checkAtMostAll,
  checkImmutable,
  checkIntOrPercent,
  checkLabels,
  checkName,
  checkNonNegative,
  checkOption,
  checkQualifiedName,
  checkSelector,
  type Faults,
  type Fields,
  isBlank,
  listOf,
} from './checks.js';
import { checkConditions } from './conditions.js';
import { internalForm } from './internal-form.js';
import { checkResources } from './resources.js';
import { checkTolerations } from './scheduling.js';

export function checkDisruptionBudget(faults: Faults, { spec = {} }: KubeObject): void {
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const { minAvailable, maxUnavailable, selector = null, unhealthyPodEvictionPolicy = null } = spec;
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
    };
    faults.push(invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const name of ['minAvailable', 'maxUnavailable']) {
    if (spec[name] === undefined) continue;
    checkIntOrPercent(faults, `spec.${name}`, spec[name]);
    checkAtMostAll(faults, `spec.${name}`, spec[name]);
  }
  checkSelector(faults, 'spec.selector', spec.selector);
  checkOption(faults, 'spec.unhealthyPodEvictionPolicy', spec.unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget']);
}

export function checkDisruptionStatus(faults: Faults, { status = {} }: KubeObject): void {
  checkConditions(faults, 'status.conditions', status.conditions);
  for (const name of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']) {
    checkNonNegative(faults, `status.${name}`, status[name]);
  }
}

const leaseStrategies = ['OldestEmulationVersion'];

export function checkLease(faults: Faults, { spec = {} }: KubeObject): void {
  const { leaseDurationSeconds: duration, strategy, preferredHolder } = spec;
  if (duration !== undefined && duration <= 0) faults.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  checkNonNegative(faults, 'spec.leaseTransitions', spec.leaseTransitions);
  if (strategy?.includes('/')) checkQualifiedName(faults, 'spec.strategy.strategy', strategy);
  else if (strategy !== undefined && !leaseStrategies.includes(strategy)) {
    faults.push(unsupportedValue('spec.strategy.strategy', strategy, leaseStrategies));
  }
  if (!isBlank(preferredHolder) && isBlank(strategy)) {
    faults.push(forbiddenValue('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
  }
}

const highestPriority = 1_000_000_000;
const systemClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

export function checkPriorityClass(faults: Faults, object: KubeObject, stored: KubeObject | undefined): void {
  const { name = '' } = object.metadata;
  const value: number = object.value ?? 0;
  if (stored !== undefined) {
    if (value !== stored.value) faults.push(forbiddenValue('value', 'may not be changed in an update.'));
    checkImmutable(faults, 'preemptionPolicy', object.preemptionPolicy, stored.preemptionPolicy);
    return;
  }
  if (name.startsWith('system-')) {
    const fault = systemClassFault(name, value, object.globalDefault === true);
    const text = "priority class names with 'system-' prefix are reserved for system use only. error: ";
    if (fault !== undefined) faults.push(forbiddenValue('metadata.name', text + fault));
  } else if (value > highestPriority) {
    faults.push(forbiddenValue('value', `maximum allowed value of a user defined priority is ${highestPriority}`));
  }
  checkOption(faults, 'preemptionPolicy', object.preemptionPolicy, ['PreemptLowerPriority', 'Never']);
}

function systemClassFault(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = Object.hasOwn(systemClasses, name) ? systemClasses[name] : undefined;
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function checkRuntimeClass(faults: Faults, object: KubeObject, stored: KubeObject | undefined): void {
  const handler: string = object.handler ?? '';
  if (handler === '') faults.push(requiredValue('handler'));
  else checkName(faults, 'handler', 'label', handler);
  if (object.overhead !== undefined) checkResources(faults, 'overhead', { limits: object.overhead.podFixed }, new Set());
  if (object.scheduling !== undefined) checkClassScheduling(faults, object.scheduling);
  if (stored !== undefined) checkImmutable(faults, 'handler', handler, stored.handler);
}

function checkClassScheduling(faults: Faults, { nodeSelector, tolerations: sent }: Fields): void {
  checkLabels(faults, 'scheduling.nodeSelector', nodeSelector);
  const tolerations = listOf(sent);
  checkTolerations(faults, 'scheduling.tolerations', tolerations);
  const parts = ['key', 'operator', 'value', 'effect'];
  for (const [index, toleration] of tolerations.entries()) {
    const again = tolerations.slice(0, index).some((other) => parts.every((part) => other[part] === toleration[part]));
    if (again) faults.push(duplicateValue(`scheduling.tolerations[${index}]`, internalForm('core.Toleration', toleration)));
  }
}
