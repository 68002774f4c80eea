import type { JsonValue, ManagedFieldsEntry } from '../../etcd/object.js';
import { goQuote } from '../status.js';
import { PathElementFault, parseElement } from '../structured-merge/path-element.js';
import { isMap } from '../structured-merge/value.js';

/** How much of the text around a fault is shown, before it and behind. */
const near = 10;
const wide = 50;

/** Why entries cannot be understood, in Go's words (PA-18); undefined: they can. */
export function undecodable(entries: readonly ManagedFieldsEntry[]): string | undefined {
  for (const [index, entry] of entries.entries()) {
    const { operation, apiVersion = '', fieldsType = '', fieldsV1 = {} } = entry;
    if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
    if (apiVersion === '') return 'apiVersion must not be empty';
    if (fieldsType === '') return `missing fieldsType in managed fields entry ${index}`;
    if (fieldsType !== 'FieldsV1') return `invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`;
    const fault = faultIn(fieldsV1 as JsonValue, 0);
    if (fault === undefined) continue;
    const text = JSON.stringify(fieldsV1);
    const from = Math.max(0, fault.head - near);
    const around = `error found in #${fault.head - from} byte of ...|${text.slice(from, fault.head + near)}|...`;
    const context = `bigger context ...|${text.slice(Math.max(0, fault.head - wide), fault.head + wide)}|...`;
    return `error decoding versioned set from ${printed(entry)}: error decoding set: ${fault.text}, ${around}, ${context}`;
  }
  return undefined;
}

/** An entry as Go prints the struct. */
function printed({ manager = '', operation, apiVersion, time, fieldsType, fieldsV1, subresource = '' }: ManagedFieldsEntry): string {
  const when = time === undefined ? '<nil>' : `${time.replace('T', ' ').replace('Z', '')} +0000 UTC`;
  return `{${manager} ${operation} ${apiVersion} ${when} ${fieldsType} ${JSON.stringify(fieldsV1)} ${subresource}}`;
}

interface Fault {
  readonly text: string;
  /** Where Go's reader stood. */
  readonly head: number;
}

/** The first fault of a set in the order of its text. @param at where the value begins. */
function faultIn(value: JsonValue, at: number): Fault | undefined {
  if (value === null) return undefined;
  if (!isMap(value)) return { text: `ReadMapCB: expect { or n, but found ${JSON.stringify(value)[0]}`, head: at + 1 };
  let next = at + 1;
  for (const [key, inner] of Object.entries(value)) {
    const inside = next + JSON.stringify(key).length + 1;
    next = inside + JSON.stringify(inner).length + 1;
    if (key === '.') continue;
    const read = elementOf(key);
    if (typeof read === 'string') return { text: `parsing key as path element: ${read}`, head: inside };
    const fault = read ? faultIn(inner as JsonValue, inside) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Whether a key is a step that is known, or what is wrong with it. */
function elementOf(key: string): boolean | string {
  try {
    return parseElement(key) !== undefined;
  } catch (error) {
    if (error instanceof PathElementFault) return error.message;
    throw error;
  }
}
