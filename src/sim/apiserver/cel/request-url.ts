/** The parts of an absolute URL or an absolute path, as Go's `net/url` names them. */
export interface RequestUrl {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly escapedPath: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
}

/** Go's `url.ParseRequestURI`. @returns a text when it is none: what is wrong. */
export function parseRequestUrl(text: string): RequestUrl | string {
  if (text === '') return 'empty url';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase() ?? '';
  if (scheme === '' && text.startsWith(':')) return 'missing protocol scheme';
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const [before = ''] = rest.split('?');
  // A fragment is taken for a part of path or query while faults are looked for; of neither when the parts are read.
  const [, ...queries] = (rest.split('#')[0] as string).split('?');
  const query = queryOf(queries.join('?'));
  if (!before.startsWith('/')) {
    if (scheme === '') return 'invalid URI for request';
    return { scheme, host: '', hostname: '', port: '', escapedPath: '', query };
  }
  const hasAuthority = before.startsWith('//') && (scheme !== '' || !before.startsWith('///'));
  // Without a scheme two slashes are a path to `ParseRequestURI`, but a host to what reads the parts.
  const authority = hasAuthority ? (before.slice(2).split('/')[0] as string) : '';
  const path = hasAuthority ? before.slice(2 + authority.length) : before;
  const host = authority.replace(/^[^@]*@/, '');
  const fault = hostFault(host) ?? pathFault(path);
  if (fault !== undefined) return fault;
  const port = /:(\d*)$/.exec(host.replace(/^\[[^\]]*\]/, ''))?.[1] ?? '';
  const hostname = host.startsWith('[') ? host.slice(1, host.indexOf(']')) : host.replace(/:\d*$/, '');
  return { scheme, host, hostname, port, escapedPath: escaped(path.split('#')[0] as string), query };
}

function hostFault(host: string): string | undefined {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) return "missing ']' in host";
    return /^(:\d*)?$/.test(host.slice(end + 1)) ? undefined : `invalid port ${JSON.stringify(host.slice(end + 1))} after host`;
  }
  const colon = host.lastIndexOf(':');
  if (colon >= 0 && !/^:\d*$/.test(host.slice(colon))) return `invalid port ${JSON.stringify(host.slice(colon))} after host`;
  const strange = /[ <>"{}|\\^`]/.exec(host);
  return strange === null ? undefined : `invalid character ${JSON.stringify(strange[0])} in host name`;
}

function pathFault(path: string): string | undefined {
  const bad = /%(?![0-9A-Fa-f]{2})..?/.exec(path) ?? /%$/.exec(path);
  return bad === null ? undefined : `invalid URL escape ${JSON.stringify(bad[0].slice(0, 3))}`;
}

function escaped(path: string): string {
  return path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

function queryOf(text: string): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const [key, value] = (equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]).map(unescaped);
    if (key === undefined || value === undefined) continue;
    query.set(key, [...(query.get(key) ?? []), value]);
  }
  return query;
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
