/** What a path names, before anybody has asked whether it exists. */
export type Path =
  | { readonly type: 'version' }
  /** `/api`, `/apis`, `/apis/apps`, `/apis/apps/v1`. */
  | { readonly type: 'discovery'; readonly group?: string; readonly version?: string }
  | {
      readonly type: 'resource';
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly subresource?: string;
      /** The old way to watch: `/api/v1/watch/...` (LW-27). */
      readonly watch?: true;
    }
  | { readonly type: 'unknown' };

/** Parts of a namespace object's path that would else be taken for resources in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** Takes a path apart, a trailing slash included (HT-9). */
export function parsePath(path: string): Path {
  const parts = path.split('/').slice(1).map(decode);
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  const [root, ...rest] = parts;
  if (root === 'version' && rest.length === 0) return { type: 'version' };
  if (root === 'api') {
    const [version, ...inside] = rest;
    if (version === undefined) return { type: 'discovery', group: '' };
    return inside.length === 0 ? { type: 'discovery', group: '', version } : resourcePath('', version, inside);
  }
  if (root === 'apis') {
    const [group, version, ...inside] = rest;
    if (group === undefined) return { type: 'discovery' };
    if (version === undefined) return { type: 'discovery', group };
    return inside.length === 0 ? { type: 'discovery', group, version } : resourcePath(group, version, inside);
  }
  return { type: 'unknown' };
}

function resourcePath(group: string, version: string, parts: readonly string[]): Path {
  const watch = parts[0] === 'watch' && parts.length > 1;
  const inside = watch ? parts.slice(1) : parts;
  const base = { type: 'resource', group, version, ...(watch && { watch: true as const }) } as const;
  const [first, second, third] = inside;
  const inNamespace = first === 'namespaces' && second !== undefined && third !== undefined && !NAMESPACE_SUBRESOURCES.has(third);
  const [resource, name, subresource, ...more] = inNamespace ? inside.slice(2) : inside;
  if (resource === undefined || resource === '') return { type: 'unknown' };
  return {
    ...base,
    resource,
    ...(inNamespace && { namespace: second }),
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource: [subresource, ...more].join('/') }),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
