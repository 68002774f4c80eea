import type { JsonValue, KubeObject, ObjectMeta } from '../etcd/object.js';
import { cpuMetric, currentInSecondVersion, impliedMetric, metricInFirstVersion, metricInSecondVersion } from './autoscaler-metrics.js';
import { isObject } from './json.js';
import { ownersOfObject, recordOwners } from './managed-fields/owners.js';

export const autoscalers = 'horizontalpodautoscalers.autoscaling';

type Fields = Readonly<Record<string, JsonValue>>;

/** What `autoscaling/v1` cannot say goes along in annotations: the metrics in its own words, the behavior in Go's. */
const restAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const currentAnnotation = 'autoscaling.alpha.kubernetes.io/current-metrics';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions';
/** None of these stays in the annotations that it finds: the last two come from versions that are no more. */
const takenAlong: readonly string[] = [
  restAnnotation,
  currentAnnotation,
  behaviorAnnotation,
  conditionsAnnotation,
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
];

/** A HorizontalPodAutoscaler in another version of it: both show the same object, v1 knows the CPU alone. */
export function autoscalerIn(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const shown = apiVersion === 'autoscaling/v1' ? inFirstVersion(object) : inSecondVersion(object);
  if (shown.metadata !== object.metadata) recordOwners(shown, ownersOfObject(object));
  return shown;
}

function inFirstVersion(object: KubeObject): KubeObject {
  const { metrics, behavior, ...spec } = (object.spec ?? {}) as Fields;
  const wanted = listOf(metrics);
  const cpu = wanted.map(percentageOf).find((percentage) => percentage !== undefined);
  const rest = wanted.filter((metric) => percentageOf(metric) === undefined);
  const { currentMetrics, conditions, currentReplicas = 0, desiredReplicas = 0, ...status } = (object.status ?? {}) as Fields;
  const current = listOf(currentMetrics);
  const shownCpu = current.map(cpuUtilizationOf).findLast((percentage) => percentage !== undefined);
  const said = listOf(conditions);
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(object.metadata, {
      ...(rest.length > 0 && { [restAnnotation]: JSON.stringify(rest.map((metric) => metricInFirstVersion(metric, 'target'))) }),
      ...(current.length > 0 && { [currentAnnotation]: JSON.stringify(current.map((metric) => metricInFirstVersion(metric, 'current'))) }),
      ...(behavior !== undefined && { [behaviorAnnotation]: goBehavior(behavior as Fields) }),
      ...(said.length > 0 && { [conditionsAnnotation]: JSON.stringify(said.map(goCondition)) }),
    }),
    spec: { ...spec, ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu }) },
    status: {
      ...status,
      currentReplicas,
      desiredReplicas,
      ...(shownCpu !== undefined && { currentCPUUtilizationPercentage: shownCpu }),
    },
  };
}

function inSecondVersion(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: percentage, ...spec } = (object.spec ?? {}) as Fields;
  const { annotations = {} } = object.metadata;
  const cpu = percentage === undefined ? [] : [cpuMetric(percentage)];
  const metrics = [...(writtenList(annotations[restAnnotation]) ?? []).map(metricInSecondVersion), ...cpu];
  const behavior = written(annotations[behaviorAnnotation]);
  const { currentReplicas = 0, desiredReplicas = 0, currentCPUUtilizationPercentage: shown, ...status } = (object.status ?? {}) as Fields;
  const current = writtenList(annotations[currentAnnotation])?.map(currentInSecondVersion);
  const conditions = writtenList(annotations[conditionsAnnotation]);
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(object.metadata, {}),
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : [impliedMetric],
      ...(isObject(behavior) && Object.values(behavior).some((rules) => rules !== null) && { behavior: behaviorOf(behavior) }),
    },
    status: {
      ...status,
      ...(currentReplicas !== 0 && { currentReplicas }),
      desiredReplicas,
      currentMetrics: current ?? (shown === undefined ? null : [cpuShown(shown)]),
      ...(conditions !== undefined && conditions.length > 0 && { conditions }),
    },
  };
}

/** The metadata with these annotations for those that went along, and the same metadata where there are none of either. */
function withAnnotations(metadata: ObjectMeta, added: Readonly<Record<string, string>>): ObjectMeta {
  const { annotations: given = {}, ...bare } = metadata;
  if (Object.keys(added).length === 0 && !takenAlong.some((name) => given[name] !== undefined)) return metadata;
  const kept = Object.entries(given).filter(([name]) => !takenAlong.includes(name));
  const annotations = { ...Object.fromEntries(kept), ...added };
  return Object.keys(annotations).length === 0 ? bare : { ...bare, annotations };
}

/** What an annotation says in JSON; nothing where it is not there or no JSON. */
function written(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function writtenList(text: string | undefined): readonly JsonValue[] | undefined {
  const value = written(text);
  return Array.isArray(value) ? value : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function percentageOf(metric: JsonValue): JsonValue | undefined {
  return (cpuOf(metric)?.target as Fields | undefined)?.averageUtilization;
}

function cpuUtilizationOf(metric: JsonValue): JsonValue | undefined {
  return (cpuOf(metric)?.current as Fields | undefined)?.averageUtilization;
}

function cpuOf(metric: JsonValue): Fields | undefined {
  const { type, resource } = metric as Fields;
  return type === 'Resource' && isObject(resource) && resource.name === 'cpu' ? (resource as Fields) : undefined;
}

function cpuShown(averageUtilization: JsonValue): JsonValue {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function goCondition(condition: JsonValue): JsonValue {
  const { type = '', status = '', lastTransitionTime = null, reason, message } = condition as Fields;
  return { type, status, lastTransitionTime, ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) };
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
