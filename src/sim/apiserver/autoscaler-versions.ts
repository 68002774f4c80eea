import type { JsonValue, KubeObject } from '../etcd/object.js';
import { ownersOfObject, recordOwners } from './managed-fields/owners.js';

export const autoscalers = 'horizontalpodautoscalers.autoscaling';

type Fields = Readonly<Record<string, JsonValue>>;

/** What `autoscaling/v1` cannot say goes along in annotations: the metrics here in the words of v2, the behavior in Go's own. */
const restAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';
const impliedPercentage = 80;

/** A HorizontalPodAutoscaler in another version of it: both show the same object, v1 knows the CPU alone. */
export function autoscalerIn(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const shown = apiVersion === 'autoscaling/v1' ? inFirstVersion(object) : inSecondVersion(object);
  if (shown.metadata !== object.metadata) recordOwners(shown, ownersOfObject(object));
  return shown;
}

function inFirstVersion(object: KubeObject): KubeObject {
  const { metrics = [], behavior, ...spec } = (object.spec ?? {}) as Fields & { readonly metrics?: readonly Fields[] };
  const cpu = metrics.find((metric) => percentageOf(metric) !== undefined);
  const rest = metrics.filter((metric) => metric !== cpu);
  const { currentMetrics: _, currentReplicas = 0, desiredReplicas = 0, ...status } = (object.status ?? {}) as Fields;
  const annotations = {
    ...object.metadata.annotations,
    ...(rest.length > 0 && { [restAnnotation]: JSON.stringify(rest) }),
    ...(behavior !== undefined && { [behaviorAnnotation]: goBehavior(behavior as Fields) }),
  };
  const metadata = rest.length > 0 || behavior !== undefined ? { ...object.metadata, annotations } : object.metadata;
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata,
    spec: { ...spec, ...(cpu !== undefined && { targetCPUUtilizationPercentage: percentageOf(cpu) }) },
    status: { ...status, currentReplicas, desiredReplicas },
  };
}

function inSecondVersion(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage, ...spec } = (object.spec ?? {}) as Fields;
  const { [restAnnotation]: rest, [behaviorAnnotation]: behavior, ...annotations } = object.metadata.annotations ?? {};
  const others = rest === undefined ? [] : (JSON.parse(rest) as readonly JsonValue[]);
  const percentage = targetCPUUtilizationPercentage ?? (others.length === 0 ? impliedPercentage : undefined);
  const { currentReplicas = 0, desiredReplicas = 0, currentMetrics = null, ...status } = (object.status ?? {}) as Fields;
  const { annotations: _, ...bare } = object.metadata;
  const changed = rest !== undefined || behavior !== undefined;
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: !changed ? object.metadata : Object.keys(annotations).length === 0 ? bare : { ...bare, annotations },
    spec: {
      ...spec,
      metrics: [...(percentage === undefined ? [] : [cpuMetric(percentage)]), ...others],
      ...(behavior !== undefined && { behavior: behaviorOf(JSON.parse(behavior) as Fields) }),
    },
    status: { ...status, ...(currentReplicas !== 0 && { currentReplicas }), desiredReplicas, currentMetrics },
  };
}

function cpuMetric(averageUtilization: JsonValue): JsonValue {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function percentageOf(metric: Fields): JsonValue | undefined {
  const resource = metric.resource as Fields | undefined;
  const target = resource?.target as Fields | undefined;
  return metric.type === 'Resource' && resource?.name === 'cpu' && target?.type === 'Utilization' ? target.averageUtilization : undefined;
}

/** The behavior as Go's internal type is written: every field, by its Go name. */
function goBehavior({ scaleUp, scaleDown }: Fields): string {
  const rules = (given: Fields | undefined) =>
    given === undefined
      ? null
      : {
          StabilizationWindowSeconds: given.stabilizationWindowSeconds ?? null,
          SelectPolicy: given.selectPolicy ?? null,
          Policies: ((given.policies ?? []) as readonly Fields[]).map(({ type, value, periodSeconds }) => ({
            Type: type,
            Value: value,
            PeriodSeconds: periodSeconds,
          })),
          Tolerance: given.tolerance ?? null,
        };
  return JSON.stringify({ ScaleUp: rules(scaleUp as Fields | undefined), ScaleDown: rules(scaleDown as Fields | undefined) });
}

/** Nulls are what is not there; Go does not look at capitals. */
function behaviorOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(behaviorOf);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name.slice(0, 1).toLowerCase() + name.slice(1), behaviorOf(member)]));
}
