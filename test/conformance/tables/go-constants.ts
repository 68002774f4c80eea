import type { Go } from './data.js';

/** Values of the Go names that tables of the server's libraries use. */
const constants: Readonly<Record<string, unknown>> = {
  LabelSelectorOpExists: 'Exists',
  MethodDelete: 'DELETE',
  MethodGet: 'GET',
  MethodHead: 'HEAD',
  MethodPatch: 'PATCH',
  MethodPost: 'POST',
  MethodPut: 'PUT',
  TotalAnnotationSizeLimitB: 262_144,
  falseVar: false,
  'metav1.FinalizerDeleteDependents': 'foregroundDeletion',
  'metav1.FinalizerOrphanDependents': 'orphan',
  'metav1.LabelSelectorOpIn': 'In',
  'metav1.ResourceVersionMatchExact': 'Exact',
  'metav1.ResourceVersionMatchNotOlderThan': 'NotOlderThan',
  trueVar: true,
};

/** A Go literal with its constants, sums and repetitions worked out, as JSON data. @throws Error for what is a call of anything else */
export function evaluate(literal: unknown, names: Go = {}): unknown {
  if (Array.isArray(literal)) return literal.map((each) => evaluate(each, names));
  if (literal === null || typeof literal !== 'object') return literal;
  const go = literal as Go;
  if ('$ref' in go) return valueOfName(String(go.$ref), names);
  if ('$op' in go) return calculated(String(go.$op), evaluate(go.args, names) as readonly unknown[]);
  if ('$call' in go) return called(go.$call, evaluate(go.args, names) as readonly unknown[]);
  const members = Object.entries(go).filter(([name]) => name !== '$type');
  return Object.fromEntries(members.map(([name, value]) => [keyOf(name), evaluate(value, names)]));
}

function valueOfName(name: string, names: Go): unknown {
  if (Object.hasOwn(names, name)) return names[name];
  if (!Object.hasOwn(constants, name)) throw new Error(`the table's ${name} is not known here`);
  return constants[name];
}

/** A key that was worked out stands in the table as the text of its literal. */
function keyOf(name: string): string {
  return name.startsWith('{"$') ? String(evaluate(JSON.parse(name))) : name;
}

function calculated(operator: string, [left, right]: readonly unknown[]): unknown {
  switch (operator) {
    case '+':
      return typeof left === 'number' ? left + Number(right) : `${left}${right}`;
    case '-':
      return right === undefined ? -Number(left) : Number(left) - Number(right);
    case '*':
      return Number(left) * Number(right);
    case '/':
      return Number(left) / Number(right);
    default:
      throw new Error(`an operator that is not known here: ${operator}`);
  }
}

function called(callee: unknown, args: readonly unknown[]): unknown {
  const name = typeof callee === 'string' ? callee : String(((callee as Go).of as Go | undefined)?.$ref);
  switch (name) {
    case 'strings.Repeat':
      return String(args[0]).repeat(Number(args[1]));
    case 'rune':
      return String.fromCodePoint(Number(args[0]));
    case 'make':
      return '\0'.repeat(Number(args[0]));
    case 'new':
    case 'ptr.To':
    case 'FromInt32':
    case 'FromString':
      return args[0];
    default:
      throw new Error(`a call that is not known here: ${name}`);
  }
}

/** A structure of Go as JSON names its members: `APIVersion` is `apiVersion`, `UID` is `uid`. */
export function withJsonNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withJsonNames);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [jsonName(name), withJsonNames(member)]));
}

function jsonName(name: string): string {
  return name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/, (capitals) => capitals.toLowerCase());
}
