/** What Go's decoder says of a value that does not fit its field. The caller knows whether it is a 400 or a 422. */
export class DecodeFault extends Error {}

/** What Go has in a field, names of types aside. */
export type GoKind = 'map' | 'slice' | 'struct' | 'string' | 'bool' | 'int32' | 'int64' | 'float64';

/** A place in an object that has a Go type, as Go calls it: `ObjectMeta.metadata.labels`, `map[string]string`. */
export interface GoPlace {
  /** Absent for a value that is decoded by itself. */
  readonly field?: string;
  readonly type: string;
  readonly kind: GoKind;
}

/** A value that is of another type than its place. */
export class TypeMismatch extends DecodeFault {
  readonly #value: unknown;
  readonly #place: GoPlace;

  /** @param literal how a number was written, when that is known. */
  constructor(value: unknown, place: GoPlace, literal?: string) {
    const exact = typeof value === 'number' && place.kind.startsWith('int') ? `number ${literal ?? value}` : goTypeOf(value);
    const where = place.field === undefined ? 'value' : `struct field ${place.field}`;
    super(`json: cannot unmarshal ${exact} into Go ${where} of type ${place.type}`);
    this.#value = value;
    this.#place = place;
  }

  /** PA-10: Go converts what it has decoded already, and says the same things in other words. */
  inConversion(): string {
    const found = goKindOf(this.#value);
    const { kind, type } = this.#place;
    switch (kind) {
      case 'map':
      case 'slice':
        return `cannot restore ${kind} from ${found}`;
      case 'struct':
        return `cannot restore struct from: ${found}`;
      default: {
        // Go could make a text of a whole number, and a whole number of any; of all else it says only what was wanted.
        const convertible = found === 'int64' ? kind !== 'bool' : found === 'float64' && kind.startsWith('int');
        return convertible ? `cannot convert ${found} to ${type}` : `unrecognized type: ${kind}`;
      }
    }
  }
}

/** The words of a fault in an object that was converted from data, not decoded from a text. */
export function inConversion(fault: DecodeFault): string {
  if (fault instanceof TypeMismatch) return fault.inConversion();
  return fault.message.startsWith('illegal base64 data') ? `error decoding from json: ${fault.message}` : fault.message;
}

/** `number`, `string`, `bool`, `array`, `object`: how Go names a JSON value. */
export function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** The kind of a JSON value after Go has decoded it: whole numbers are integers as far as those go. */
function goKindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'number':
      return isGoInteger(value) ? 'int64' : 'float64';
    case 'boolean':
      return 'bool';
    case 'object':
      return 'map';
    default:
      return typeof value;
  }
}

/** Whether Go reads the number as an integer where it does not know better. */
export function isGoInteger(value: number): boolean {
  return Number.isInteger(value) && value < 2 ** 63 && value >= -(2 ** 63);
}
