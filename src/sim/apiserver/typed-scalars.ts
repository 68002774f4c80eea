import type { JsonValue } from '../etcd/object.js';
import { DecodeFault } from './decode-fault.js';
import { rfc3339, time, timeFault } from './metadata.js';
import { parseQuantity, QuantityError, quantityText } from './quantity.js';

/** LE-2: exactly six decimals, in any zone; written in UTC. @throws DecodeFault */
export function microTime(value: JsonValue, field: string | undefined): string {
  if (typeof value !== 'string') return time(value, field);
  const [whole, decimals, zone] = /^(.{19})\.(\d{6})(Z|[+-]\d{2}:\d{2})$/.exec(value)?.slice(1) ?? [];
  const ms = Date.parse(`${whole}${zone}`);
  if (!Number.isNaN(ms)) return `${rfc3339(ms).slice(0, -1)}.${decimals}Z`;
  throw timeFault(value, '.000000');
}

/** TK-3: an amount is written in one way only. @throws DecodeFault */
export function quantity(value: JsonValue): JsonValue {
  try {
    return quantityText(parseQuantity(typeof value === 'number' || typeof value === 'string' ? String(value) : ''));
  } catch (error) {
    throw error instanceof QuantityError ? new DecodeFault(error.message) : error;
  }
}

/** @throws DecodeFault */
export function checkBase64(text: string): void {
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return;
  const bad = text.search(/[^A-Za-z0-9+/]/);
  throw new DecodeFault(`illegal base64 data at input byte ${bad < 0 ? text.length - (text.length % 4) : bad}`);
}
