import { deepEqual, type KubeObject } from '../../etcd/object.js';
import type { Endpoint } from './endpoint.js';
import { endpointsOf } from './slices.js';

/** The slice with a hint at each ready endpoint by whom it is to be used, if the Service wants traffic to stay near; else with none. */
export function withHints(service: KubeObject, slice: KubeObject): KubeObject {
  const near: string | undefined = service.spec?.trafficDistribution;
  const endpoints = endpointsOf(slice).map((endpoint) => hinted(endpoint, near));
  return deepEqual(endpoints, endpointsOf(slice)) ? slice : { ...slice, endpoints };
}

function hinted(endpoint: Endpoint, near: string | undefined): Endpoint {
  const { hints: _, ...plain } = endpoint;
  if (near !== 'PreferClose' && near !== 'PreferSameZone' && near !== 'PreferSameNode') return plain;
  if (endpoint.conditions?.ready !== true) return endpoint;
  const hints = {
    ...(plain.zone !== undefined && { forZones: [{ name: plain.zone }] }),
    ...(plain.nodeName !== undefined && near === 'PreferSameNode' && { forNodes: [{ name: plain.nodeName }] }),
  };
  return Object.keys(hints).length > 0 ? { ...plain, hints } : plain;
}
