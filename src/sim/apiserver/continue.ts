/** Where a list goes on: the revision it is read at (-1: the newest) and the first key that is still wanted. */
export interface Continuation {
  readonly revision: number;
  /** `name\0` or `namespace/name\0`, relative to what the request lists; the zero byte makes it the key after that one. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The opaque text of `metadata.continue`. The watch cache writes a slash before the key, etcd none (LW-7). */
export function encodeContinue(continuation: Continuation, from: 'cache' | 'etcd'): string {
  const start = from === 'cache' ? `/${continuation.start}` : continuation.start;
  return Buffer.from(JSON.stringify({ v: VERSION, rv: continuation.revision, start })).toString('base64url');
}

/** Reads a token. A string is what is wrong with it, to be put after `invalid continue token: ` (LW-2). */
export function decodeContinue(token: string): Continuation | string {
  const illegal = illegalByte(token);
  if (illegal !== undefined) return `continue key is not valid: illegal base64 data at input byte ${illegal}`;
  const text = Buffer.from(token, 'base64url').toString('utf8');
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return `continue key is not valid: ${jsonFault(text)}`;
  }
  const { v, rv, start } = (data ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== VERSION) return `continue key is not valid: server does not recognize this encoded version "${String(v ?? '')}"`;
  if (typeof rv !== 'number' || rv === 0) return `continue key is not valid: incorrect encoded start resourceVersion (version ${VERSION})`;
  if (typeof start !== 'string' || start === '') return `continue key is not valid: encoded start key empty (version ${VERSION})`;
  const key = start.startsWith('/') ? start.slice(1) : start;
  // A key that a path would resolve to another place could leave the prefix of the kind.
  if (key !== '' && key.split('/').some((part) => part === '' || part === '.' || part === '..'))
    return `continue key is not valid: ${start}`;
  return { revision: rv, start: key };
}

/** The offset at which Go's decoder of unpadded base64url stops, or undefined when all is well. */
function illegalByte(token: string): number | undefined {
  for (let index = 0; index < token.length; index++) if (!ALPHABET.includes(token[index] as string)) return index;
  return token.length % 4 === 1 ? token.length - 1 : undefined;
}

function jsonFault(text: string): string {
  const first = text.trimStart()[0];
  return first === undefined ? 'unexpected end of JSON input' : `invalid character '${first}' looking for beginning of value`;
}
