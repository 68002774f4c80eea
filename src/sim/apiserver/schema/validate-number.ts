import { invalidValue } from '../field-errors.js';
import type { SchemaNode } from './compile.js';
import { type Faults, isInt64 } from './validate.js';

/** What is wrong with a number: its range by type and format, multipleOf, minimum and maximum (CD-7). */
export function numberFaults(value: number, node: SchemaNode, path: string, faults: Faults): void {
  const { multipleOf, maximum, minimum, exclusiveMaximum = false, exclusiveMinimum = false } = node.schema;
  inRange(value, 'Checked', node, path, faults);
  const whole = isInt64(value);
  // An integer is compared with the integral part of a limit that is in range.
  const limit = (bound: number, name: string) => (inRange(bound, name, node, path, faults) && whole ? Math.trunc(bound) : bound);
  const fail = (text: string) => faults.add(text, invalidValue(faults.field(path), value, text));
  if (multipleOf !== undefined) {
    const factor = limit(multipleOf, 'MultipleOf');
    if (factor <= 0) fail(`factor MultipleOf declared for ${path} must be positive: ${goNumber(factor)}`);
    else if (!Number.isInteger(factor < 1 ? (1 / factor) * value : value / factor)) {
      fail(`${path} in body should be a multiple of ${goNumber(factor)}`);
    }
  }
  if (minimum !== undefined) {
    const bound = limit(minimum, 'Minimum boundary');
    if (exclusiveMinimum ? value <= bound : value < bound) {
      fail(`${path} in body should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${goNumber(bound)}`);
    }
  }
  if (maximum !== undefined) {
    const bound = limit(maximum, 'Maximum boundary');
    if (exclusiveMaximum ? value >= bound : value > bound) {
      fail(`${path} in body should be less than ${exclusiveMaximum ? '' : 'or equal to '}${goNumber(bound)}`);
    }
  }
}

function inRange(value: number, what: string, node: SchemaNode, path: string, faults: Faults): boolean {
  const type = node.types.length === 1 ? (node.types[0] as string) : '';
  const { format } = node;
  if (type === 'integer') {
    const fits = format === 'int32' ? Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31 : isInt64(value);
    if (!fits) faults.addPlain(`${what} value must be of type integer ${format ? `with format ${format}` : '(default format)'} in ${path}`);
    return fits;
  }
  if (type === 'number' && format === 'float' && !Number.isFinite(Math.fround(value))) {
    faults.addPlain(`${what} value must be of type number with format float in ${path}`);
    return false;
  }
  return true;
}

/** A number as Go's `%v` prints a float64: shortest, with an exponent below 1e-4 and from 1e21 on. */
export function goNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e21)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
