import type { ApiRequest } from '../apiserver/request.js';
import type { InformerOptions } from './informer-options.js';

/** Tells the reflectors of one process apart, in the names of decisions. */
export function reflectorName({ kind, namespace, labelSelector, fieldSelector, metadataOnly }: InformerOptions): string {
  const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
  const selectors = [labelSelector, fieldSelector].filter((selector) => selector);
  const where = namespace ? ` in ${namespace}` : '';
  return `reflector of ${resource}${metadataOnly ? ':metadata' : ''}${where}${selectors.length > 0 ? ` with ${selectors.join(' and ')}` : ''}`;
}

// A40
const metadataAccept = (as: string) =>
  `application/vnd.kubernetes.protobuf;as=${as};g=meta.k8s.io;v=v1,application/json;as=${as};g=meta.k8s.io;v=v1,application/json`;

/** A reflector's request without the query that differs from time to time; the selectors go with every one (A39). */
export function requestOf(options: InformerOptions, verb: 'list' | 'watch'): ApiRequest {
  const { kind, namespace, labelSelector, fieldSelector, metadataOnly } = options;
  const accept = metadataOnly ? metadataAccept(verb === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata') : options.accept;
  return {
    verb,
    group: kind.group,
    version: kind.version,
    resource: kind.plural,
    ...(namespace ? { namespace } : {}),
    query: { ...(labelSelector ? { labelSelector } : {}), ...(fieldSelector ? { fieldSelector } : {}) },
    ...(accept === undefined ? {} : { accept }),
  };
}
