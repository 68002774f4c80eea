import { forbiddenValue, inKeyOrder, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { type LabelSelector, selects } from '../object-selector.js';
import { checkAnnotations, checkLabels, checkSelector, type Faults, type Fields, listOf } from './checks.js';
import { checkPodSpec } from './pod-spec.js';

/** The template of a workload's pods: metadata that a pod could have, and a spec. */
export function checkTemplate(faults: Faults, field: string, { metadata = {}, spec = {} }: Fields): void {
  checkLabels(faults, `${field}.labels`, metadata.labels);
  checkAnnotations(faults, `${field}.annotations`, metadata.annotations);
  checkPodAnnotations(faults, `${field}.annotations`, metadata.annotations, spec);
  checkPodSpec(faults, `${field}.spec`, spec, { isPod: false });
  if (listOf(spec.ephemeralContainers).length > 0) {
    faults.push(forbiddenValue(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
  }
}

const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

export function checkPodAnnotations(
  faults: Faults,
  field: string,
  annotations: Readonly<Record<string, string>> | undefined,
  spec: Fields,
): void {
  if (annotations === undefined) return;
  if (annotations[mirror] !== undefined && !spec.nodeName) {
    const text = 'must set spec.nodeName if mirror pod annotation is set';
    faults.push(invalidValue(`${field}[${mirror}]`, annotations[mirror], text));
  }
  const cost = annotations[deletionCost];
  if (cost !== undefined && !/^(0|-?[1-9][0-9]*)$/.test(cost)) {
    faults.push(invalidValue(`${field}[${deletionCost}]`, cost, 'must be a 32bit integer'));
  }
}

export function checkTemplateMatches(faults: Faults, field: string, template: Fields, selector: LabelSelector | undefined): void {
  if (selects(selector, template.metadata?.labels)) return;
  faults.push(
    invalidValue(`${field}.metadata.labels`, inKeyOrder(template.metadata?.labels), '`selector` does not match template `labels`'),
  );
}

/** Pods that something keeps alive are always restarted, and never too old. */
export function checkEverlasting(faults: Faults, field: string, { spec = {} }: Fields, kind: string): void {
  if (spec.restartPolicy !== 'Always') {
    faults.push(unsupportedValue(`${field}.spec.restartPolicy`, spec.restartPolicy ?? '', ['Always']));
  }
  if (spec.activeDeadlineSeconds !== undefined) {
    faults.push(forbiddenValue(`${field}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`));
  }
}

/** @returns whether the selector can be held against anything. */
export function checkOwnSelector(faults: Faults, field: string, selector: LabelSelector | undefined, kind: string): boolean {
  if (selector === undefined) {
    faults.push(requiredValue(field));
    return true;
  }
  const before = faults.length;
  checkSelector(faults, field, selector);
  const good = faults.length === before;
  checkNotEmpty(faults, field, selector, kind);
  return good;
}

/** A selector that selects everything is none for something that keeps pods. */
export function checkNotEmpty(faults: Faults, field: string, selector: LabelSelector, kind: string): void {
  if (Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length > 0) return;
  faults.push(invalidValue(field, selector, `empty selector is invalid for ${kind}`));
}
