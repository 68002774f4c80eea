import { asApproximateFloat, compareQuantities, parseQuantity, quantityText } from '../../../src/sim/apiserver/quantity.js';
import { file, type Go, type Table } from './data.js';
import { difference, type Row, row } from './row.js';

export function quantityRows(): readonly Row[] {
  return file('quantity/tables.json').tables.flatMap((table) =>
    Array.isArray(table.rows)
      ? table.rows.flatMap((each, index) => {
          const check = checkOf(table, each);
          return check === undefined ? [] : [row(`${table.func}/${table.var}/${index}`, check)];
        })
      : [],
  );
}

function checkOf({ func, var: name }: Table, each: unknown): (() => string | undefined) | undefined {
  const go = each as Go;
  switch (`${func} ${name}`) {
    case 'TestQuantityParse invalid':
      return () => (isQuantity(String(each)) ? 'should be refused' : undefined);
    case 'TestQuantityParse table':
      // See `leftOut`.
      if (/maxAllowed|\d{18}/.test(JSON.stringify(go.expect))) return undefined;
      return () => {
        const quantity = parseQuantity(String(go.input));
        const expected = goQuantity(go.expect);
        return difference([String(expected.nanos), expected.format], [String(quantity.nanos), quantity.format]);
      };
    case 'TestQuantityString table':
      return () => {
        const texts = [goQuantity(go.in), ...(go.alternate === '' ? [] : [parseQuantity(String(go.alternate))])].map(quantityText);
        return texts.map((text) => difference(go.expect, text)).find((fault) => fault !== undefined);
      };
    case 'TestQuantityParseEmit table':
      return () => difference(go.expect, quantityText(parseQuantity(String(go.in))));
    case 'TestParseQuantity tests':
      return () => difference(go.canonical ?? go.input, quantityText(parseQuantity(String(go.input))));
    case 'TestQuantityCmp table':
      return () => difference(go.expect, compareQuantities(parseQuantity(String(go.x)), parseQuantity(String(go.y))));
    case 'TestStringQuantityAsApproximateFloat64 table':
      return () => difference(go.out, asApproximateFloat(parseQuantity(String(go.in))));
    default:
      return undefined;
  }
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

/** `decQuantity(value, scale, format)`. */
function goQuantity(literal: unknown): ReturnType<typeof parseQuantity> {
  const [value, scale, format] = (literal as Go).args as readonly [number | string, number, Go];
  return { ...parseQuantity(`${value}e${scale}`), format: String(format.$ref) as ReturnType<typeof parseQuantity>['format'] };
}
