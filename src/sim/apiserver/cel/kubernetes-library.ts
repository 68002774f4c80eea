import { labelValueFaults, qualifiedNameFaults } from '../label-syntax.js';
import { dns1035LabelFaults, nameFaults } from '../names.js';
import {
  addQuantities,
  asApproximateFloat,
  asInteger,
  compareQuantities,
  parseQuantity,
  type Quantity,
  QuantityError,
  subtractQuantities,
} from '../quantity.js';
import { formatCheck } from '../schema/formats.js';
import type { Declaration, Run } from './functions.js';
import { CelError, CelList, type CelOpaque, CelOptional, type CelValue } from './values.js';

class QuantityValue implements CelOpaque {
  readonly kind = 'opaque';
  readonly typeName = 'kubernetes.Quantity';
  constructor(readonly quantity: Quantity) {}

  equals(other: CelOpaque): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

function quantityOf(text: string): QuantityValue {
  try {
    return new QuantityValue(parseQuantity(text));
  } catch (error) {
    throw error instanceof QuantityError ? new CelError(error.message) : error;
  }
}

const compared = (a: QuantityValue, b: QuantityValue) => compareQuantities(a.quantity, b.quantity);
const whole = (value: bigint): Quantity => ({ nanos: value * 1_000_000_000n, format: 'DecimalExponent' });

const quantities: readonly Declaration[] = [
  ['quantity(string): kubernetes.Quantity', 'string_to_quantity', quantityOf as Run],
  ['isQuantity(string): bool', 'is_quantity_string', ((text: string) => succeeds(() => quantityOf(text))) as Run],
  [
    'sign(kubernetes.Quantity): int',
    'quantity_sign',
    ((value: QuantityValue) => BigInt(compareQuantities(value.quantity, whole(0n)))) as Run,
  ],
  [
    'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
    'quantity_is_greater_than',
    ((a: QuantityValue, b: QuantityValue) => compared(a, b) > 0) as Run,
  ],
  [
    'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
    'quantity_is_less_than',
    ((a: QuantityValue, b: QuantityValue) => compared(a, b) < 0) as Run,
  ],
  [
    'kubernetes.Quantity.compareTo(kubernetes.Quantity): int',
    'quantity_compare_to',
    ((a: QuantityValue, b: QuantityValue) => BigInt(compared(a, b))) as Run,
  ],
  [
    'kubernetes.Quantity.asApproximateFloat(): double',
    'quantity_get_float',
    ((value: QuantityValue) => asApproximateFloat(value.quantity)) as Run,
  ],
  [
    'kubernetes.Quantity.asInteger(): int',
    'quantity_get_int',
    ((value: QuantityValue) => {
      const integer = asInteger(value.quantity);
      if (integer === undefined) throw new CelError('cannot convert value to integer');
      return integer;
    }) as Run,
  ],
  [
    'kubernetes.Quantity.isInteger(): bool',
    'quantity_is_integer',
    ((value: QuantityValue) => asInteger(value.quantity) !== undefined) as Run,
  ],
  ...(['add', 'sub'] as const).flatMap((name): readonly Declaration[] => {
    const op = name === 'add' ? addQuantities : subtractQuantities;
    return [
      [
        `kubernetes.Quantity.${name}(kubernetes.Quantity): kubernetes.Quantity`,
        `quantity_${name}`,
        ((a: QuantityValue, b: QuantityValue): CelValue => new QuantityValue(op(a.quantity, b.quantity))) as Run,
      ],
      [
        `kubernetes.Quantity.${name}(int): kubernetes.Quantity`,
        `quantity_${name}_int`,
        ((a: QuantityValue, b: bigint): CelValue => new QuantityValue(op(a.quantity, whole(b)))) as Run,
      ],
    ];
  }),
];

/** Whether something can be done without a fault. */
export function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
}

class NamedFormat implements CelOpaque {
  readonly kind = 'opaque';
  readonly typeName = 'kubernetes.NamedFormat';
  constructor(
    readonly name: string,
    readonly faults: (text: string) => readonly string[],
    /** By which the cost of a check is reckoned. */
    readonly size: number,
  ) {}

  equals(other: CelOpaque): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

/** A prefix may end in a dash. */
const asPrefix = (check: (name: string) => readonly string[]) => (text: string) => check(text.replace(/-$/, 'a'));
const byFormat = (format: string, fault: string) => (text: string) => (formatCheck(format)?.(text) ? [] : [fault]);
const labelFaults = (text: string) => nameFaults('label', text);
const subdomainFaults = (text: string) => nameFaults('subdomain', text);

const formats: Readonly<Record<string, NamedFormat>> = {
  dns1123Label: new NamedFormat('DNS1123Label', labelFaults, 30),
  dns1123Subdomain: new NamedFormat('DNS1123Subdomain', subdomainFaults, 60),
  dns1035Label: new NamedFormat('DNS1035Label', dns1035LabelFaults, 30),
  qualifiedName: new NamedFormat('QualifiedName', qualifiedNameFaults, 60),
  dns1123LabelPrefix: new NamedFormat('DNS1123LabelPrefix', asPrefix(labelFaults), 30),
  dns1123SubdomainPrefix: new NamedFormat('DNS1123SubdomainPrefix', asPrefix(subdomainFaults), 60),
  dns1035LabelPrefix: new NamedFormat('DNS1035LabelPrefix', asPrefix(dns1035LabelFaults), 30),
  labelValue: new NamedFormat('LabelValue', labelValueFaults, 40),
  uri: new NamedFormat('URI', (text) => (formatCheck('uri')?.(text) ? [] : [`parse "${text}": invalid URI for request`]), 2000),
  uuid: new NamedFormat('uuid', byFormat('uuid', 'does not match the UUID format'), 76),
  byte: new NamedFormat('byte', byFormat('byte', 'invalid base64'), 84),
  date: new NamedFormat('date', byFormat('date', 'invalid date'), 74),
  datetime: new NamedFormat('datetime', byFormat('datetime', 'invalid datetime'), 74),
};

/** The largest text that a format's check is reckoned with; undefined for other values. */
export function formatSize(value: CelValue): number | undefined {
  return value instanceof NamedFormat ? value.size : undefined;
}

const formatLibrary: readonly Declaration[] = [
  ...Object.entries(formats).map(
    ([name, format]): Declaration => [`format.${name}(): kubernetes.NamedFormat`, `format.${name}`, () => format],
  ),
  [
    'format.named(string): optional(kubernetes.NamedFormat)',
    'format-named',
    ((name: string) => (Object.hasOwn(formats, name) ? new CelOptional(formats[name] as NamedFormat) : CelOptional.none)) as Run,
  ],
  [
    'kubernetes.NamedFormat.validate(string): optional(list(string))',
    'format-validate',
    ((format: NamedFormat, text: string) => {
      const faults = format.faults(text);
      return faults.length === 0 ? CelOptional.none : new CelOptional(new CelList([...faults]));
    }) as Run,
  ],
];

export const kubernetesLibrary: readonly Declaration[] = [...quantities, ...formatLibrary];
