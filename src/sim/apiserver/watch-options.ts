import type { KindInfo } from './kinds.js';
import { type ListOptions, parseRevision, readListOptions } from './list-options.js';
import type { Query } from './request.js';
import { internalWithoutReason } from './status.js';

/** What a watch was asked for, and the revision from which: 0 where none is named. @throws ApiStatusError 400, 422, 500 */
export function readWatchOptions(kind: KindInfo, query: Query | undefined): { readonly options: ListOptions; readonly asked: number } {
  const options = readListOptions(kind, query, true);
  const asked = options.resourceVersion === undefined ? 0 : parseRevision(options.resourceVersion);
  if (typeof asked !== 'number') throw internalWithoutReason(asked.fault);
  return { options, asked };
}
