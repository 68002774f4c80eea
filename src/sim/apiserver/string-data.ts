import type { JsonValue } from '../etcd/object.js';
import { setMember } from './json.js';

type Fields = Readonly<Record<string, JsonValue>>;

/** TK-1: stringData goes into data, where it wins, and vanishes; the type is Opaque unless given. */
export function withStringData({ stringData, ...secret }: Fields): Fields {
  const type = secret.type || 'Opaque';
  if (stringData === undefined) return { ...secret, type };
  const data: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries((secret.data ?? {}) as Fields)) setMember(data, key, value);
  for (const [key, value] of Object.entries(stringData as Readonly<Record<string, string>>)) {
    setMember(data, key, Buffer.from(value).toString('base64'));
  }
  return { ...secret, data, type };
}
