import type { KubeObject } from '../etcd/object.js';
import type { Call } from './call.js';
import { admission, deleteNamed, warnOfOrphans } from './delete.js';
import { deleteOptions } from './delete-options.js';
import { list } from './list.js';
import { readListOptions } from './list-options.js';
import type { ApiResponse } from './request.js';
import { ApiStatusError } from './status.js';

const pageSize = '10000';

/**
 * DE-11: a list, then one delete after the other. The first failure but NotFound is the answer; what is done stays done.
 * @throws ApiStatusError
 */
export function deleteCollection(call: Call): ApiResponse {
  const { server, kind, request } = call;
  // What is wrong with the selection is told first.
  readListOptions(kind, request.query, false);
  const options = deleteOptions(request, server.kinds);
  const admit = admission(call, options);
  // The list is read in pages, which matters to a cache that is not ready (CD-48).
  const query = kind.conversion === undefined ? request.query : { limit: pageSize, ...request.query };
  const answer = list({ ...call, request: { ...request, verb: 'list', ...(query !== undefined && { query }) } }, undefined);
  warnOfOrphans(call, options);
  const { items } = answer.body as unknown as { readonly items: readonly KubeObject[] };
  for (const { metadata } of items) {
    try {
      deleteNamed(call, metadata.namespace, metadata.name ?? '', options, admit);
    } catch (error) {
      if (!(error instanceof ApiStatusError) || error.status.reason !== 'NotFound') throw error;
    }
  }
  return answer;
}
