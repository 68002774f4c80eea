import type { ApiRequest } from './apiserver/request.js';
import type { KubeObject } from './etcd/object.js';

/** `deployments.apps`, with the subresource behind a slash when there is one. */
export function resourceOf(request: ApiRequest): string {
  const resource = request.group === '' ? request.resource : `${request.resource}.${request.group}`;
  return request.subresource === undefined ? resource : `${resource}/${request.subresource}`;
}

/**
 * What a call is named by, without the number of the time: `create deployments.apps default/web by web-operator`. A name
 * that the server will generate is shown as its prefix and a star.
 */
export function callName(request: ApiRequest, process: string): string {
  return `${request.verb} ${resourceOf(request)} ${targetOf(request)} by ${process}`.replace('  ', ' ');
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
