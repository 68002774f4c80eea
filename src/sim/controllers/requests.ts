import type { ApiRequest } from '../apiserver/request.js';
import type { KubeObject } from '../etcd/object.js';
import { answeredWith, type Steps } from './sync.js';

/** A built-in kind as requests name it. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

export const pods: Resource = { group: '', version: 'v1', plural: 'pods' };
export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes' };
export const persistentVolumes: Resource = { group: '', version: 'v1', plural: 'persistentvolumes' };
export const persistentVolumeClaims: Resource = { group: '', version: 'v1', plural: 'persistentvolumeclaims' };
export const replicaSets: Resource = { group: 'apps', version: 'v1', plural: 'replicasets' };
export const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments' };
export const statefulSets: Resource = { group: 'apps', version: 'v1', plural: 'statefulsets' };
export const daemonSets: Resource = { group: 'apps', version: 'v1', plural: 'daemonsets' };
export const controllerRevisions: Resource = { group: 'apps', version: 'v1', plural: 'controllerrevisions' };
export const podDisruptionBudgets: Resource = { group: 'policy', version: 'v1', plural: 'poddisruptionbudgets' };
export const services: Resource = { group: '', version: 'v1', plural: 'services' };
export const endpoints: Resource = { group: '', version: 'v1', plural: 'endpoints' };
export const endpointSlices: Resource = { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices' };
export const jobs: Resource = { group: 'batch', version: 'v1', plural: 'jobs' };
export const resourceQuotas: Resource = { group: '', version: 'v1', plural: 'resourcequotas' };
export const serviceAccounts: Resource = { group: '', version: 'v1', plural: 'serviceaccounts' };
export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps' };
export const horizontalPodAutoscalers: Resource = { group: 'autoscaling', version: 'v2', plural: 'horizontalpodautoscalers' };
export const cronJobs: Resource = { group: 'batch', version: 'v1', plural: 'cronjobs' };

/** A request about an object. A patch is a strategic merge patch (WL-4). */
export function about(
  verb: 'get' | 'create' | 'update' | 'patch' | 'delete',
  resource: Resource,
  object: KubeObject,
  body?: unknown,
  subresource?: 'status' | 'scale' | 'binding',
): ApiRequest {
  const { namespace, name } = object.metadata;
  return {
    verb,
    group: resource.group,
    version: resource.version,
    resource: resource.plural,
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...((verb !== 'create' || subresource !== undefined) && name !== undefined && { name }),
    ...(verb === 'patch' && { contentType: 'application/strategic-merge-patch+json' }),
    ...(body !== undefined && { body }),
  };
}

/** Sends it and gives back the object that the server answers with. */
export function* object(request: ApiRequest): Steps<KubeObject> {
  return (yield request).body as KubeObject;
}

/** Sends it; when there is nothing of that name it is as good as done. @returns whether it was there */
export function* unlessGone(request: ApiRequest): Steps<boolean> {
  try {
    yield request;
    return true;
  } catch (error) {
    if (!answeredWith(error, 404)) throw error;
    return false;
  }
}
