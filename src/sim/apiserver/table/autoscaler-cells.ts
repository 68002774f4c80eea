import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { age } from './ages.js';
import { firstFew, NONE, nameOf, quantityCell, UNKNOWN, UNSET } from './cell-text.js';

const SHOWN = 2;

interface Value {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

/** One metric, in the spec with a target, in the status with what there is. */
interface Metric {
  readonly type: string;
  readonly [source: string]: { readonly name?: string; readonly target?: Value; readonly current?: Value } | string | undefined;
}

/** What `kubectl get horizontalpodautoscalers` shows. @param object of autoscaling/v2 */
export function autoscalerCells(object: KubeObject, nowMs: number): readonly JsonValue[] {
  const { scaleTargetRef, metrics, minReplicas, maxReplicas = 0 } = object.spec ?? {};
  return [
    nameOf(object),
    `${scaleTargetRef?.kind ?? ''}/${scaleTargetRef?.name ?? ''}`,
    metricsText(metrics ?? [], object.status?.currentMetrics ?? []),
    minReplicas === undefined ? UNSET : `${minReplicas}`,
    maxReplicas,
    object.status?.currentReplicas ?? 0,
    age(object, nowMs),
  ];
}

function metricsText(wanted: readonly Metric[], found: readonly Metric[]): string {
  if (wanted.length === 0) return NONE;
  return firstFew(
    wanted.map((metric, index) => metricText(metric, found[index])),
    SHOWN,
    ', ',
  );
}

function metricText(metric: Metric, found: Metric | undefined): string {
  switch (metric.type) {
    case 'External':
      return amountText(sourceOf(metric, 'external'), sourceOf(found, 'external'));
    case 'Object':
      return amountText(sourceOf(metric, 'object'), sourceOf(found, 'object'));
    case 'Pods': {
      const current = sourceOf(found, 'pods')?.current;
      return `${current === undefined ? UNKNOWN : given(current.averageValue)}/${given(sourceOf(metric, 'pods')?.target?.averageValue)}`;
    }
    case 'Resource':
      return useText(sourceOf(metric, 'resource'), sourceOf(found, 'resource'));
    case 'ContainerResource':
      return useText(sourceOf(metric, 'containerResource'), sourceOf(found, 'containerResource'));
    default:
      return '<unknown type>';
  }
}

type Source = Exclude<Metric[string], string>;

function sourceOf(metric: Metric | undefined, name: string): Source {
  const source = metric?.[name];
  return typeof source === 'string' ? undefined : source;
}

/** A quantity, or what Go writes for the absence of one. */
function given(quantity: string | undefined): string {
  return quantity === undefined ? '<nil>' : quantityCell(quantity);
}

function amountText(wanted: Source, found: Source): string {
  const { averageValue, value } = wanted?.target ?? {};
  if (averageValue === undefined) return `${found === undefined ? UNKNOWN : given(found.current?.value)}/${given(value)}`;
  const current = found?.current?.averageValue;
  return `${current === undefined ? UNKNOWN : quantityCell(current)}/${quantityCell(averageValue)} (avg)`;
}

function useText(wanted: Source, found: Source): string {
  const { averageValue, averageUtilization } = wanted?.target ?? {};
  const name = wanted?.name ?? '';
  if (averageValue !== undefined) {
    return `${name}: ${found === undefined ? UNKNOWN : given(found.current?.averageValue)}/${quantityCell(averageValue)}`;
  }
  const current = found?.current?.averageUtilization;
  const target = averageUtilization === undefined ? '<auto>' : `${averageUtilization}%`;
  return `${name}: ${current === undefined ? UNKNOWN : `${current}%`}/${target}`;
}
