import { selects } from '../apiserver/object-selector.js';
import type { KubeObject } from '../etcd/object.js';

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Term {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

/** Whether the node selector and the required node affinity of a pod's spec allow the node (WL-77). */
export function affinityAllows(spec: KubeObject['spec'], node: KubeObject): boolean {
  if (!selects({ matchLabels: spec?.nodeSelector ?? {} }, node.metadata.labels)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return true;
  return ((required.nodeSelectorTerms ?? []) as readonly Term[]).some((term) => termMatches(term, node));
}

/** A term that asks for nothing matches nothing. */
function termMatches({ matchExpressions = [], matchFields = [] }: Term, { metadata }: KubeObject): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => matches(requirement, metadata.labels ?? {})) &&
    matchFields.every((requirement) => matches(requirement, { 'metadata.name': metadata.name ?? '' }))
  );
}

function matches(requirement: Requirement, values: Readonly<Record<string, string>>): boolean {
  const { key, operator, values: [wanted = ''] = [] } = requirement;
  if (operator !== 'Gt' && operator !== 'Lt') return selects({ matchExpressions: [requirement] }, values);
  const found = Object.hasOwn(values, key) ? (values[key] as string) : '';
  if (!/^[+-]?\d+$/.test(found) || !/^[+-]?\d+$/.test(wanted)) return false;
  return operator === 'Gt' ? Number(found) > Number(wanted) : Number(found) < Number(wanted);
}

/** Whether each taint of the node that has one of these effects is tolerated. */
export function toleratesTaints(tolerations: readonly Toleration[], node: KubeObject, effects: readonly string[]): boolean {
  const taints: readonly Taint[] = node.spec?.taints ?? [];
  return taints
    .filter(({ effect }) => effects.includes(effect))
    .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
}

/** Whether a toleration is one for this taint. */
export function tolerates({ key = '', operator = '', value = '', effect = '' }: Toleration, taint: Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}
