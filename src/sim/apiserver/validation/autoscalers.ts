import type { KubeObject } from '../../etcd/object.js';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { parseQuantity } from '../quantity.js';
import { checkName, checkNonNegative, checkOption, type Faults, type Fields, isBlank, listOf } from './checks.js';

export function checkAutoscaler(faults: Faults, { spec = {} }: KubeObject): void {
  const { minReplicas, maxReplicas = 0 } = spec;
  if (minReplicas !== undefined && minReplicas < 1) {
    faults.push(invalidValue('spec.minReplicas', minReplicas, 'must be greater than or equal to 1'));
  }
  if (maxReplicas === 0) faults.push(requiredValue('spec.maxReplicas', 'must be set and greater than 0'));
  else if (maxReplicas < 0) faults.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    faults.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  checkReference(faults, 'spec.scaleTargetRef', spec.scaleTargetRef ?? {}, false);
  for (const [index, metric] of listOf(spec.metrics).entries()) checkMetric(faults, `spec.metrics[${index}]`, metric);
  const scalesToZero = listOf(spec.metrics).some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas === 0 && !scalesToZero) {
    const text = 'must specify at least one Object or External metric to support scaling to zero replicas';
    faults.push(forbiddenValue('spec.metrics', text));
  }
  for (const direction of ['scaleUp', 'scaleDown']) {
    if (spec.behavior?.[direction] !== undefined) checkRules(faults, `spec.behavior.${direction}`, spec.behavior[direction]);
  }
}

function checkReference(faults: Faults, field: string, reference: Fields, coreAllowed: boolean): void {
  for (const part of ['kind', 'name']) {
    if (isBlank(reference[part])) faults.push(requiredValue(`${field}.${part}`));
    else checkName(faults, `${field}.${part}`, 'path segment', reference[part]);
  }
  // TK-9
  const { apiVersion = '' } = reference;
  const slashes = apiVersion.split('/').length - 1;
  if (slashes > 1) faults.push(invalidValue(`${field}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else if (!coreAllowed && (slashes === 0 || apiVersion.startsWith('/'))) {
    faults.push(invalidValue(`${field}.apiVersion`, apiVersion, 'apiVersion must specify API group'));
  }
}

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const sources: Readonly<Record<string, string>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

function checkMetric(faults: Faults, field: string, metric: Fields): void {
  const type: string = metric.type ?? '';
  if (type === '') faults.push(requiredValue(`${field}.type`, 'must specify a metric source type'));
  if (!metricTypes.includes(type)) faults.push(unsupportedValue(`${field}.type`, type, metricTypes));
  const present = Object.values(sources).filter((name) => metric[name] !== undefined);
  if (present[0] !== undefined) checkSource(faults, `${field}.${present[0]}`, present[0], metric[present[0]]);
  const expected = Object.hasOwn(sources, type) ? sources[type] : undefined;
  if (expected === undefined) faults.push(unsupportedValue(`${field}.type`, type, metricTypes));
  else if (metric[expected] === undefined) {
    faults.push(requiredValue(`${field}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return;
  for (const name of present) {
    if (name !== expected) faults.push(forbiddenValue(`${field}.${name}`, 'must populate the given metric source only'));
  }
}

function checkSource(faults: Faults, field: string, kind: string, source: Fields): void {
  const target: Fields = source.target ?? {};
  if (kind === 'object') checkReference(faults, `${field}.describedObject`, source.describedObject ?? {}, true);
  if (kind === 'object' || kind === 'external' || kind === 'pods') {
    const name: string = source.metric?.name ?? '';
    if (name === '') faults.push(requiredValue(`${field}.metric.name`, 'must specify a metric name'));
    else checkName(faults, `${field}.metric.name`, 'path segment', name);
  } else {
    if (isBlank(source.name)) faults.push(requiredValue(`${field}.name`, 'must specify a resource name'));
    if (kind === 'containerResource') {
      if (isBlank(source.container)) faults.push(requiredValue(`${field}.container`, 'must specify a container'));
      else checkName(faults, `${field}.container`, 'label', source.container);
    }
  }
  checkTarget(faults, `${field}.target`, target);
  const { value, averageValue, averageUtilization } = target;
  const at = `${field}.target`;
  switch (kind) {
    case 'object':
      if (value === undefined && averageValue === undefined) {
        faults.push(requiredValue(`${at}.averageValue`, 'must set either a target value or averageValue'));
      }
      return;
    case 'external':
      if (value === undefined && averageValue === undefined) {
        faults.push(requiredValue(`${at}.averageValue`, 'must set either a target value for metric or a per-pod target'));
      }
      if (value !== undefined && averageValue !== undefined) {
        faults.push(forbiddenValue(`${at}.value`, 'may not set both a target value for metric and a per-pod target'));
      }
      return;
    case 'pods':
      if (averageValue === undefined) faults.push(requiredValue(`${at}.averageValue`, 'must specify a positive target averageValue'));
      return;
    default:
      if (averageUtilization === undefined && averageValue === undefined) {
        faults.push(requiredValue(`${at}.averageUtilization`, 'must set either a target raw value or a target utilization'));
      }
      if (averageUtilization !== undefined && averageValue !== undefined) {
        faults.push(forbiddenValue(`${at}.averageValue`, 'may not set both a target raw value and a target utilization'));
      }
  }
}

function checkTarget(faults: Faults, field: string, { type = '', value, averageValue, averageUtilization }: Fields): void {
  if (type === '') faults.push(requiredValue(`${field}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    faults.push(invalidValue(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const [name, amount] of Object.entries({ value, averageValue })) {
    if (amount !== undefined && parseQuantity(amount).nanos <= 0n)
      faults.push(invalidValue(`${field}.${name}`, amount, 'must be positive'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    faults.push(invalidValue(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0'));
  }
}

function checkRules(faults: Faults, field: string, rules: Fields): void {
  const seconds: number | undefined = rules.stabilizationWindowSeconds;
  const at = `${field}.stabilizationWindowSeconds`;
  if (seconds !== undefined && seconds < 0) faults.push(invalidValue(at, seconds, 'must be greater than or equal to zero'));
  if (seconds !== undefined && seconds > 3600) faults.push(invalidValue(at, seconds, 'must be less than or equal to 3600'));
  checkOption(faults, `${field}.selectPolicy`, rules.selectPolicy, ['Disabled', 'Max', 'Min']);
  const policies = listOf(rules.policies);
  if (policies.length === 0) faults.push(requiredValue(`${field}.policies`, 'must specify at least one Policy'));
  for (const [index, { type = '', value = 0, periodSeconds = 0 }] of policies.entries()) {
    const place = `${field}.policies[${index}]`;
    if (type !== 'Pods' && type !== 'Percent') faults.push(unsupportedValue(`${place}.type`, type, ['Percent', 'Pods']));
    if (value <= 0) faults.push(invalidValue(`${place}.value`, value, 'must be greater than zero'));
    if (periodSeconds <= 0) faults.push(invalidValue(`${place}.periodSeconds`, periodSeconds, 'must be greater than zero'));
    if (periodSeconds > 1800) faults.push(invalidValue(`${place}.periodSeconds`, periodSeconds, 'must be less than or equal to 1800'));
  }
  if (rules.tolerance !== undefined && parseQuantity(rules.tolerance).nanos < 0n) {
    faults.push(invalidValue(`${field}.tolerance`, rules.tolerance, 'must be greater than or equal to 0'));
  }
}

export function checkAutoscalerStatus(faults: Faults, { status = {} }: KubeObject): void {
  for (const name of ['currentReplicas', 'desiredReplicas']) checkNonNegative(faults, `status.${name}`, status[name]);
}
