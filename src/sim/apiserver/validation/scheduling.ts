import { operatorFaults } from '../admission/selector-validation.js';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { labelValueFaults } from '../label-syntax.js';
import {
  checkName,
  checkOption,
  checkPositive,
  checkQualifiedName,
  checkSelector,
  type Faults,
  type Fields,
  invalidFor,
  isBlank,
  listOf,
  textsOf,
} from './checks.js';

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function checkTolerations(faults: Faults, field: string, tolerations: readonly Fields[]): void {
  for (const [index, { key = '', operator = '', value = '', effect = '', tolerationSeconds }] of tolerations.entries()) {
    const at = `${field}[${index}]`;
    if (key !== '') checkQualifiedName(faults, `${at}.key`, key);
    else if (operator !== 'Exists') {
      const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      faults.push(invalidValue(`${at}.operator`, operator, text));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      faults.push(invalidValue(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    switch (operator) {
      case 'Equal':
      case '': {
        const texts = labelValueFaults(value);
        if (texts.length > 0) faults.push(invalidValue(`${at}.operator`, value, texts.join(';')));
        break;
      }
      case 'Exists':
        if (value !== '') faults.push(invalidValue(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
        break;
      case 'Lt':
      case 'Gt':
        faults.push(unsupportedValue(`${at}.operator`, operator, ['Equal', 'Exists', 'Lt', 'Gt']));
        break;
      default:
        faults.push(unsupportedValue(`${at}.operator`, operator, ['Equal', 'Exists']));
    }
    if (effect !== '') checkOption(faults, `${at}.effect`, effect, taintEffects);
  }
}

export function checkAffinity(faults: Faults, field: string, affinity: Fields | undefined): void {
  if (affinity === undefined) return;
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity !== undefined) checkNodeAffinity(faults, `${field}.nodeAffinity`, nodeAffinity);
  if (podAffinity !== undefined) checkPodAffinity(faults, `${field}.podAffinity`, podAffinity);
  if (podAntiAffinity !== undefined) checkPodAffinity(faults, `${field}.podAntiAffinity`, podAntiAffinity);
}

const must = 'requiredDuringSchedulingIgnoredDuringExecution';
const should = 'preferredDuringSchedulingIgnoredDuringExecution';

function checkNodeAffinity(faults: Faults, field: string, affinity: Fields): void {
  if (affinity[must] !== undefined) checkNodeSelector(faults, `${field}.${must}`, affinity[must]);
  for (const [index, { weight = 0, preference = {} }] of listOf(affinity[should]).entries()) {
    const at = `${field}.${should}[${index}]`;
    if (weight <= 0 || weight > 100) faults.push(invalidValue(`${at}.weight`, weight, 'must be in the range 1-100'));
    checkNodeSelectorTerm(faults, `${at}.preference`, preference, false);
  }
}

export function checkNodeSelector(faults: Faults, field: string, { nodeSelectorTerms }: Fields): void {
  const terms = listOf(nodeSelectorTerms);
  const at = `${field}.nodeSelectorTerms`;
  if (terms.length === 0) faults.push(requiredValue(at, 'must have at least one node selector term'));
  for (const [index, term] of terms.entries()) checkNodeSelectorTerm(faults, `${at}[${index}]`, term, true);
}

function checkNodeSelectorTerm(faults: Faults, field: string, { matchExpressions, matchFields }: Fields, strict: boolean): void {
  for (const [index, { key = '', operator = '', values: sent }] of listOf(matchExpressions).entries()) {
    const at = `${field}.matchExpressions[${index}]`;
    const values = textsOf(sent);
    if (operator !== 'Gt' && operator !== 'Lt') faults.push(...operatorFaults(at, operator, values));
    else if (values.length !== 1) {
      faults.push(requiredValue(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    }
    checkQualifiedName(faults, `${at}.key`, key);
    if (strict) for (const [place, value] of values.entries()) invalidFor(faults, `${at}.values[${place}]`, value, labelValueFaults(value));
  }
  for (const [index, { key = '', operator = '', values: sent }] of listOf(matchFields).entries()) {
    const at = `${field}.matchFields[${index}]`;
    const values = textsOf(sent);
    if (operator !== 'In' && operator !== 'NotIn') {
      faults.push(invalidValue(`${at}.operator`, operator, 'not a valid selector operator'));
    } else if (values.length !== 1) {
      const text = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      faults.push(requiredValue(`${at}.values`, text));
    }
    if (key !== 'metadata.name') faults.push(invalidValue(`${at}.key`, key, 'not a valid field selector key'));
    else for (const [place, value] of values.entries()) checkName(faults, `${at}.values[${place}]`, 'subdomain', value);
  }
}

function checkPodAffinity(faults: Faults, field: string, affinity: Fields): void {
  for (const [index, term] of listOf(affinity[must]).entries()) checkPodAffinityTerm(faults, `${field}.${must}[${index}]`, term);
  for (const [index, { weight = 0, podAffinityTerm = {} }] of listOf(affinity[should]).entries()) {
    const at = `${field}.${should}[${index}]`;
    if (weight <= 0 || weight > 100) faults.push(invalidValue(`${at}.weight`, weight, 'must be in the range 1-100'));
    checkPodAffinityTerm(faults, `${at}.podAffinityTerm`, podAffinityTerm);
  }
}

function checkPodAffinityTerm(faults: Faults, field: string, term: Fields): void {
  checkSelector(faults, `${field}.labelSelector`, term.labelSelector);
  checkSelector(faults, `${field}.namespaceSelector`, term.namespaceSelector);
  for (const namespace of textsOf(term.namespaces)) checkName(faults, `${field}.namespace`, 'label', namespace);
  checkLabelKeys(faults, field, term);
  const { topologyKey = '' } = term;
  if (topologyKey === '') faults.push(requiredValue(`${field}.topologyKey`, 'can not be empty'));
  checkQualifiedName(faults, `${field}.topologyKey`, topologyKey);
}

/** Labels of the pod itself that its selector is to be narrowed by. */
function checkLabelKeys(faults: Faults, field: string, { labelSelector, matchLabelKeys, mismatchLabelKeys }: Fields): void {
  const matching = textsOf(matchLabelKeys);
  for (const [name, keys] of [
    ['matchLabelKeys', matching],
    ['mismatchLabelKeys', textsOf(mismatchLabelKeys)],
  ] as const) {
    if (keys.length > 0 && labelSelector === undefined) {
      faults.push(forbiddenValue(`${field}.${name}`, 'must not be specified when labelSelector is not set'));
    } else for (const [index, key] of keys.entries()) checkQualifiedName(faults, `${field}.${name}[${index}]`, key);
  }
  const known = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of listOf(labelSelector?.matchExpressions)) {
    if (matching.includes(key) && known.has(key)) {
      faults.push(invalidValue(`${field}[${matching.lastIndexOf(key)}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
    known.add(key);
  }
  for (const [index, key] of matching.entries()) {
    if (textsOf(mismatchLabelKeys).includes(key)) {
      faults.push(invalidValue(`${field}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys'));
    }
  }
}

export function checkSpread(faults: Faults, field: string, constraints: readonly Fields[]): void {
  for (const [index, constraint] of constraints.entries()) {
    const at = `${field}[${index}]`;
    const { maxSkew, topologyKey, whenUnsatisfiable = '', minDomains, nodeAffinityPolicy, nodeTaintsPolicy, labelSelector } = constraint;
    checkPositive(faults, `${at}.maxSkew`, maxSkew);
    if (isBlank(topologyKey)) faults.push(requiredValue(`${at}.topologyKey`, 'can not be empty'));
    checkOption(faults, `${at}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']);
    const again = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    if (again) faults.push(duplicateValue(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`));
    if (minDomains !== undefined) {
      checkPositive(faults, `${at}.minDomains`, minDomains);
      if (whenUnsatisfiable !== 'DoNotSchedule') {
        const text = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
        faults.push(invalidValue(`${at}.minDomains`, minDomains, text));
      }
    }
    checkOption(faults, `${at}.nodeAffinityPolicy`, nodeAffinityPolicy, ['Honor', 'Ignore']);
    checkOption(faults, `${at}.nodeTaintsPolicy`, nodeTaintsPolicy, ['Honor', 'Ignore']);
    checkLabelKeys(faults, at, constraint);
    checkSelector(faults, `${at}.labelSelector`, labelSelector);
  }
}
