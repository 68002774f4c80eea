import type { LabelSelector } from '../../apiserver/object-selector.js';

/** A selector as Go prints it. */
export function selectorAsGo(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const pairs = labels.map(([key, value]) => `${key}: ${value},`).join('');
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${pairs}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
