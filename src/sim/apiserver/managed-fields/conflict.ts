import { type ApiStatusError, failure, goQuote } from '../status.js';
import { pathText } from '../structured-merge/path-element.js';
import type { Conflicts } from '../structured-merge/updating.js';
import { infoOf } from './entries.js';

/** PA-20 */
export function conflictError({ conflicts }: Conflicts): ApiStatusError {
  const texts = conflicts.map(({ manager, path }) => ({ manager: managerText(manager), path: pathText(path) }));
  const causes = texts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field: path,
  }));
  return failure(409, 'Conflict', messageOf(texts), { causes });
}

function messageOf(texts: readonly { readonly manager: string; readonly path: string }[]): string {
  const [first] = texts;
  if (texts.length === 1 && first !== undefined) return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.path}`;
  // Conflicts come by their managers' identities.
  const lines: string[] = [];
  let last: string | undefined;
  for (const { manager, path } of texts) {
    if (manager !== last) lines.push(`conflicts with ${manager}:`);
    last = manager;
    lines.push(`- ${path}`);
  }
  return `Apply failed with ${texts.length} conflicts: ${lines.join('\n')}`;
}

function managerText(identity: string): string {
  const { manager = '', operation, apiVersion, subresource } = infoOf(identity);
  const through = subresource === undefined ? '' : ` with subresource ${goQuote(subresource)}`;
  return `${goQuote(manager)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
