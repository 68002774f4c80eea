/** A metric as an autoscaler asks for it. */
export interface Metric {
  readonly type: string;
  readonly resource?: { readonly name: string; readonly target?: { readonly averageValue?: unknown } };
  readonly containerResource?: { readonly name: string; readonly target?: { readonly averageValue?: unknown } };
}

/** Why a metric is not to be had in a cluster without a metrics server: as an event, and inside the error about all of them. */
export interface MetricFailure {
  readonly reason: string;
  readonly message: string;
  readonly wrapped: string;
}

const noServer =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';

/** WL-118 */
export function metricFailure({ type, resource, containerResource }: Metric): MetricFailure {
  const asked = type === 'ContainerResource' ? containerResource : resource;
  if (asked === undefined) {
    const message = `unable to get ${type.toLowerCase()} metrics: no custom metrics API is registered`;
    return { reason: `FailedGet${type}Metric`, message, wrapped: message };
  }
  const what = asked.target?.averageValue === undefined ? 'utilization' : 'usage';
  const message = `failed to get ${asked.name} ${what}: unable to get metrics for resource ${asked.name}: ${noServer}`;
  const of = type === 'ContainerResource' ? 'container' : 'resource';
  return { reason: `FailedGet${type}Metric`, message, wrapped: `failed to get ${asked.name} ${of} metric value: ${message}` };
}
