import type { JsonValue } from '../etcd/object.js';
import { isObject } from './json.js';

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/** The metric that a use of processors comes to, in percent of what was asked for. */
export function cpuMetric(averageUtilization: JsonValue): JsonValue {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

/** What an autoscaler goes by that names no metric. */
export const impliedMetric = cpuMetric(80);

/**
 * A metric of `autoscaling/v2` in the words of `autoscaling/v1`, its members in the order in which Go writes them.
 * @param of what of the metric is told: what is to be reached, or what it has shown last.
 */
export function metricInFirstVersion(metric: JsonValue, of: 'target' | 'current'): JsonValue {
  const { type, object, pods, resource, containerResource, external } = fieldsOf(metric);
  const averageValue = of === 'target' ? 'targetAverageValue' : 'currentAverageValue';
  const averageUtilization = of === 'target' ? 'targetAverageUtilization' : 'currentAverageUtilization';
  // What has been shown is always said.
  const otherwise = of === 'target' ? undefined : '0';
  return said({
    type,
    object: part(object, ({ sent, name, selector }) => ({
      target: sent.describedObject,
      metricName: name,
      [`${of}Value`]: fieldsOf(sent[of]).value ?? '0',
      selector,
      averageValue: fieldsOf(sent[of]).averageValue,
    })),
    pods: part(pods, ({ sent, name, selector }) => ({
      metricName: name,
      [averageValue]: fieldsOf(sent[of]).averageValue ?? '0',
      selector,
    })),
    resource: part(resource, ({ sent }) => ({
      name: sent.name,
      [averageUtilization]: fieldsOf(sent[of]).averageUtilization,
      [averageValue]: fieldsOf(sent[of]).averageValue ?? otherwise,
    })),
    containerResource: part(containerResource, ({ sent }) => ({
      name: sent.name,
      [averageUtilization]: fieldsOf(sent[of]).averageUtilization,
      [averageValue]: fieldsOf(sent[of]).averageValue ?? otherwise,
      container: sent.container,
    })),
    external: part(external, ({ sent, name, selector }) => ({
      metricName: name,
      metricSelector: selector,
      [`${of}Value`]: fieldsOf(sent[of]).value ?? otherwise,
      [averageValue]: fieldsOf(sent[of]).averageValue,
    })),
  });
}

/** The way back of what is to be reached: of what kind a target is follows from what it has. */
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

/** The way back of what has been shown: a value that was not there has become 0. */
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

/** A source as it was sent, and of which metric it is. */
interface Source {
  readonly sent: Fields;
  readonly name: JsonValue | undefined;
  readonly selector: JsonValue | undefined;
}

function part(source: JsonValue | undefined, convert: (source: Source) => Fields): JsonValue | undefined {
  if (source === undefined || source === null) return undefined;
  const sent = fieldsOf(source);
  const { name, selector } = fieldsOf(sent.metric);
  return said(convert({ sent, name, selector }));
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
