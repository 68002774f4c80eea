import type { ApiRequest } from './apiserver/request.js';
import type { KubeObject } from './etcd/object.js';

/** The qualified plural: `pods`, `deployments.apps`. */
export function resourceOf({ group, resource }: Pick<ApiRequest, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** The qualified plural, with the subresource behind a slash when there is one: `deployments.apps/status`. */
export function endpointOf(request: ApiRequest): string {
  const resource = resourceOf(request);
  return request.subresource === undefined ? resource : `${resource}/${request.subresource}`;
}

/**
 * What a call is named by, without the number of the time: `create deployments.apps default/web by web-operator`. A name
 * that the server will generate is shown as its prefix and a star.
 */
export function callName(request: ApiRequest, process: string): string {
  return `${request.verb} ${endpointOf(request)} ${targetOf(request)} by ${process}`.replace('  ', ' ');
}

function targetOf(request: ApiRequest): string {
  const name = request.name ?? (request.verb === 'create' ? nameToBe(request.body as KubeObject | undefined) : '');
  if (request.namespace === undefined) return name;
  return `${request.namespace}/${name}`;
}

function nameToBe(body: KubeObject | undefined): string {
  const metadata = body?.metadata;
  return metadata?.name ?? (metadata?.generateName === undefined ? '' : `${metadata.generateName}*`);
}
