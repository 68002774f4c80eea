import type { KubeObject } from '../../etcd/object.js';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../field-errors.js';
import { ownMember } from '../json.js';
import { qualifiedNameFaults } from '../label-syntax.js';
import { compareQuantities, parseQuantity } from '../quantity.js';
import { type Faults, type Fields, listOf, textsOf } from './checks.js';
import { checkAmount, checkContainerResourceName, checkResourceName, isHugePages, isOvercommitted } from './resources.js';

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];
type Amounts = Readonly<Record<string, string>>;

export function checkLimitRange(faults: Faults, { spec = {} }: KubeObject): void {
  const limits = listOf(spec.limits);
  for (const [index, limit] of limits.entries()) {
    const at = `spec.limits[${index}]`;
    const type: string = limit.type ?? '';
    checkLimitType(faults, `${at}.type`, type);
    if (limits.slice(0, index).some((other) => other.type === type)) faults.push(duplicateValue(`${at}.type`, type));
    const names = new Set<string>();
    const read = (list: string) => {
      const amounts: Amounts = limit[list] ?? {};
      for (const name of Object.keys(amounts)) {
        if (type === 'Pod' || type === 'Container') checkContainerResourceName(faults, `${at}.${list}[${name}]`, name);
        else checkResourceName(faults, `${at}.${list}[${name}]`, name);
        names.add(name);
      }
      return amounts;
    };
    const [max, min] = [read('max'), read('min')];
    let [defaults, requests]: [Amounts, Amounts] = [{}, {}];
    if (type === 'Pod') {
      for (const list of ['default', 'defaultRequest']) {
        if (Object.keys(limit[list] ?? {}).length === 0) continue;
        faults.push(forbiddenValue(`${at}.${list}`, "may not be specified when `type` is 'Pod'"));
      }
    } else [defaults, requests] = [read('default'), read('defaultRequest')];
    if (type === 'PersistentVolumeClaim' && min.storage === undefined && max.storage === undefined) {
      const text = 'either minimum or maximum storage value is required, but neither was provided';
      faults.push(requiredValue(`${at}.limits`, text));
    }
    const ratios = read('maxLimitRequestRatio');
    for (const name of names) {
      const [limit, request, ratio] = [ownMember(defaults, name), ownMember(requests, name), ownMember(ratios, name)];
      checkLimit(faults, at, name, { max: ownMember(max, name), min: ownMember(min, name), limit, request, ratio });
    }
  }
}

function checkLimitType(faults: Faults, field: string, type: string): void {
  const texts = qualifiedNameFaults(type);
  for (const text of texts) faults.push(invalidValue(field, type, text));
  if (texts.length > 0 || type.includes('/') || limitTypes.includes(type)) return;
  faults.push(invalidValue(field, type, 'must be a standard limit type or fully qualified'));
}

interface Limit {
  readonly max: string | undefined;
  readonly min: string | undefined;
  readonly limit: string | undefined;
  readonly request: string | undefined;
  readonly ratio: string | undefined;
}

function isLess(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && compareQuantities(parseQuantity(a), parseQuantity(b)) < 0;
}

function checkLimit(faults: Faults, field: string, name: string, { max, min, limit, request, ratio }: Limit): void {
  const wrong = (list: string, value: string | undefined, text: string) =>
    faults.push(invalidValue(`${field}.${list}[${name}]`, value, text));
  if (isLess(max, min)) wrong('min', min, `min value ${min} is greater than max value ${max}`);
  if (isLess(request, min)) wrong('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
  if (isLess(max, request)) wrong('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
  if (isLess(limit, request)) {
    wrong('defaultRequest', request, `default request value ${request} is greater than default limit value ${limit}`);
  }
  if (isLess(limit, min)) wrong('default', min, `min value ${min} is greater than default value ${limit}`);
  if (isLess(max, limit)) wrong('default', max, `default value ${limit} is greater than max value ${max}`);
  if (isLess(ratio, '1')) wrong('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const most = Number(parseQuantity(max).nanos) / Number(parseQuantity(min).nanos);
    if (Number(parseQuantity(ratio).nanos) / 1e9 > most) {
      wrong('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`);
    }
  }
  if (!isOvercommitted(name) && limit !== undefined && request !== undefined && limit !== request) {
    wrong('defaultRequest', request, `default value ${limit} must equal to defaultRequest value ${request} in ${name}`);
  }
}

const ofQuotas = new Set(
  'cpu memory ephemeral-storage requests.cpu requests.memory requests.storage requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage pods resourcequotas services replicationcontrollers secrets persistentvolumeclaims configmaps services.nodeports services.loadbalancers'.split(
    ' ',
  ),
);
const scopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];
const ofPods = new Set(
  'cpu memory requests.cpu requests.memory requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage pods ephemeral-storage'.split(
    ' ',
  ),
);

export function checkResourceQuota(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  checkQuotaAmounts(faults, 'spec.hard', spec.hard ?? {});
  checkScopes(faults, spec);
  checkScopeSelector(faults, 'spec.scopeSelector.matchExpressions', spec);
  if (stored === undefined) return;
  const [before, after] = [textsOf(stored.spec?.scopes), textsOf(spec.scopes)];
  if (before.some((scope) => !after.includes(scope)) || after.some((scope) => !before.includes(scope))) {
    faults.push(invalidValue('spec.scopes', spec.scopes ?? null, 'field is immutable'));
  }
}

export function checkQuotaStatus(faults: Faults, { status = {} }: KubeObject): void {
  checkQuotaAmounts(faults, 'status.hard', status.hard ?? {});
  checkQuotaAmounts(faults, 'status.used', status.used ?? {});
}

function isOfQuotas(name: string): boolean {
  return ofQuotas.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

function checkQuotaAmounts(faults: Faults, field: string, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const at = `${field}[${name}]`;
    checkResourceName(faults, at, name);
    if (!name.includes('/') && !isOfQuotas(name)) faults.push(invalidValue(at, name, 'must be a standard resource for quota'));
    checkAmount(faults, at, name, amount);
  }
}

/** Whether what is counted has what the scope asks for. */
function fits(scope: string, resource: string): boolean {
  switch (scope) {
    case 'BestEffort':
      return resource === 'pods';
    case 'Terminating':
    case 'NotTerminating':
    case 'NotBestEffort':
    case 'PriorityClass':
    case 'CrossNamespacePodAffinity':
      return ofPods.has(resource);
    case 'VolumeAttributesClass':
      return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
    default:
      return true;
  }
}

function checkScopes(faults: Faults, { scopes: sent, hard = {} }: Fields): void {
  const wanted = textsOf(sent);
  const wrong = (text: string) => faults.push(invalidValue('spec.scopes', wanted, text));
  for (const scope of wanted) {
    if (!scopes.includes(scope)) wrong('unsupported scope');
    for (const name of Object.keys(hard).sort()) if (isOfQuotas(name) && !fits(scope, name)) wrong('unsupported scope applied to resource');
  }
  if (conflicts(wanted, 'BestEffort', 'NotBestEffort')) wrong('conflicting scopes');
  if (conflicts(wanted, 'Terminating', 'NotTerminating')) wrong('conflicting scopes');
}

function conflicts(wanted: readonly string[], a: string, b: string): boolean {
  return wanted.includes(a) && wanted.includes(b);
}

const onlyExists =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function checkScopeSelector(faults: Faults, field: string, { scopeSelector, hard = {}, scopes: sent }: Fields): void {
  const requirements = listOf(scopeSelector?.matchExpressions);
  const names = requirements.map(({ scopeName = '' }) => scopeName as string);
  for (const { scopeName = '', operator = '', values: given } of requirements) {
    if (!scopes.includes(scopeName)) faults.push(invalidValue(`${field}.scopeName`, scopeName, 'unsupported scope'));
    for (const name of Object.keys(hard).sort()) {
      if (!isOfQuotas(name) || fits(scopeName, name)) continue;
      const shown = {
        MatchExpressions: requirements.map((each) => ({ ScopeName: each.scopeName, Operator: each.operator, Values: each.values ?? null })),
      };
      faults.push(invalidValue(field, shown, 'unsupported scope applied to resource'));
    }
    if (scopes.includes(scopeName) && !['PriorityClass', 'VolumeAttributesClass'].includes(scopeName) && operator !== 'Exists') {
      faults.push(invalidValue(`${field}.operator`, operator, onlyExists));
    }
    const values = textsOf(given);
    switch (operator) {
      case 'In':
      case 'NotIn':
        if (values.length === 0) {
          faults.push(requiredValue(`${field}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
        }
        break;
      case 'Exists':
      case 'DoesNotExist':
        if (values.length > 0) {
          const text = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
          faults.push(invalidValue(`${field}.values`, values, text));
        }
        break;
      default:
        faults.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
    }
  }
  for (const [a, b] of [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ] as const) {
    if (conflicts(names, a, b)) faults.push(invalidValue(field, sent ?? null, 'conflicting scopes'));
  }
}
