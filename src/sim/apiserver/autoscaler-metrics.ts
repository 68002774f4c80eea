import type { JsonValue } from '../etcd/object.js';
import { isObject } from './json.js';

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/** The metric that a use of processors comes to, in percent of what was asked for. */
export function cpuMetric(averageUtilization: JsonValue): JsonValue {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

/** What an autoscaler goes by that names no metric. */
export const impliedMetric = cpuMetric(80);

/** A metric of `autoscaling/v2` in the words of `autoscaling/v1`, its members in the order in which Go writes them. */
export function metricInFirstVersion(metric: JsonValue): JsonValue {
  const { type, object, pods, resource, containerResource, external } = fieldsOf(metric);
  return said({
    type,
    object: part(object, ({ describedObject, target, name, selector }) => ({
      target: describedObject,
      metricName: name,
      targetValue: target.value ?? '0',
      selector,
      averageValue: target.averageValue,
    })),
    pods: part(pods, ({ target, name, selector }) => ({
      metricName: name,
      targetAverageValue: target.averageValue ?? '0',
      selector,
    })),
    resource: part(resource, ({ sent, target }) => ({
      name: sent.name,
      targetAverageUtilization: target.averageUtilization,
      targetAverageValue: target.averageValue,
    })),
    containerResource: part(containerResource, ({ sent, target }) => ({
      name: sent.name,
      targetAverageUtilization: target.averageUtilization,
      targetAverageValue: target.averageValue,
      container: sent.container,
    })),
    external: part(external, ({ target, name, selector }) => ({
      metricName: name,
      metricSelector: selector,
      targetValue: target.value,
      targetAverageValue: target.averageValue,
    })),
  });
}

/** The way back: of what kind a target is follows from what it has. */
export function metricInSecondVersion(metric: JsonValue): JsonValue {
  const { type, object, pods, resource, containerResource, external } = fieldsOf(metric);
  return said({
    type,
    object: part(object, ({ sent }) => ({
      describedObject: sent.target,
      target: said({
        type: sent.averageValue === undefined ? 'Value' : 'AverageValue',
        value: sent.averageValue !== undefined && isZero(sent.targetValue) ? undefined : sent.targetValue,
        averageValue: sent.averageValue,
      }),
      metric: said({ name: sent.metricName, selector: sent.selector }),
    })),
    pods: part(pods, ({ sent }) => ({
      metric: said({ name: sent.metricName, selector: sent.selector }),
      target: said({ type: 'AverageValue', averageValue: sent.targetAverageValue }),
    })),
    resource: part(resource, ({ sent }) => ({ name: sent.name, target: ofResource(sent) })),
    containerResource: part(containerResource, ({ sent }) => ({
      name: sent.name,
      target: ofResource(sent),
      container: sent.container,
    })),
    external: part(external, ({ sent }) => ({
      metric: said({ name: sent.metricName, selector: sent.metricSelector }),
      target: said({
        type: sent.targetValue === undefined ? 'AverageValue' : 'Value',
        value: sent.targetValue,
        averageValue: sent.targetAverageValue,
      }),
    })),
  });
}

/** What a metric of `autoscaling/v2` has shown last, in the words of `autoscaling/v1`. */
export function currentInFirstVersion(metric: JsonValue): JsonValue {
  const { type, object, pods, resource, containerResource, external } = fieldsOf(metric);
  return said({
    type,
    object: part(object, ({ describedObject, current, name, selector }) => ({
      target: describedObject,
      metricName: name,
      currentValue: current.value ?? '0',
      selector,
      averageValue: current.averageValue,
    })),
    pods: part(pods, ({ current, name, selector }) => ({
      metricName: name,
      currentAverageValue: current.averageValue ?? '0',
      selector,
    })),
    resource: part(resource, ({ sent, current }) => ({
      name: sent.name,
      currentAverageUtilization: current.averageUtilization,
      currentAverageValue: current.averageValue ?? '0',
    })),
    containerResource: part(containerResource, ({ sent, current }) => ({
      name: sent.name,
      currentAverageUtilization: current.averageUtilization,
      currentAverageValue: current.averageValue ?? '0',
      container: sent.container,
    })),
    external: part(external, ({ current, name, selector }) => ({
      metricName: name,
      metricSelector: selector,
      currentValue: current.value ?? '0',
      currentAverageValue: current.averageValue,
    })),
  });
}

/** The way back: a value that was not there has become 0. */
export function currentInSecondVersion(metric: JsonValue): JsonValue {
  const { type, object, pods, resource, containerResource, external } = fieldsOf(metric);
  return said({
    type,
    object: part(object, ({ sent }) => ({
      metric: said({ name: sent.metricName, selector: sent.selector }),
      current: said({ value: sent.currentValue, averageValue: sent.averageValue }),
      describedObject: sent.target,
    })),
    pods: part(pods, ({ sent }) => ({
      metric: said({ name: sent.metricName, selector: sent.selector }),
      current: said({ averageValue: sent.currentAverageValue }),
    })),
    resource: part(resource, ({ sent }) => ({ name: sent.name, current: shownOf(sent) })),
    containerResource: part(containerResource, ({ sent }) => ({
      name: sent.name,
      current: shownOf(sent),
      container: sent.container,
    })),
    external: part(external, ({ sent }) => ({
      metric: said({ name: sent.metricName, selector: sent.metricSelector }),
      current: said({ value: sent.currentValue, averageValue: sent.currentAverageValue }),
    })),
  });
}

function ofResource({ targetAverageUtilization, targetAverageValue }: Fields): JsonValue {
  return said({
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue: targetAverageValue,
    averageUtilization: targetAverageUtilization,
  });
}

function shownOf({ currentAverageUtilization, currentAverageValue }: Fields): JsonValue {
  return said({ averageValue: currentAverageValue, averageUtilization: currentAverageUtilization });
}

/** A source as it was sent, and what both directions ask for. */
interface Source {
  readonly sent: Fields;
  readonly target: Fields;
  readonly current: Fields;
  readonly name: JsonValue | undefined;
  readonly selector: JsonValue | undefined;
  readonly describedObject: JsonValue | undefined;
}

function part(source: JsonValue | undefined, convert: (source: Source) => Fields): JsonValue | undefined {
  if (source === undefined || source === null) return undefined;
  const sent = fieldsOf(source);
  const { name, selector } = fieldsOf(sent.metric);
  const { target, current, describedObject } = sent;
  return said(convert({ sent, target: fieldsOf(target), current: fieldsOf(current), name, selector, describedObject }));
}

function fieldsOf(value: JsonValue | undefined): Fields {
  return isObject(value) ? value : {};
}

function said(fields: Fields): JsonValue {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as JsonValue;
}

function isZero(amount: JsonValue | undefined): boolean {
  return amount === undefined || amount === '0' || amount === 0;
}
