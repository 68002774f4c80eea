import { compile } from '../../../src/sim/apiserver/cel/program.js';
import { CostMeter } from '../../../src/sim/apiserver/cel/runtime-cost.js';
import { CelList, CelOptional, type CelValue, isOpaque } from '../../../src/sim/apiserver/cel/values.js';
import { file, type Go, rowsOf } from './data.js';
import { difference, type Row, row } from './row.js';

/** What Go calls its values by. */
const named: Readonly<Record<string, unknown>> = {
  trueVal: true,
  falseVal: false,
  'types.False': false,
  'types.OptionalNone': { none: true },
  int4: 4,
  int6: 6,
  twelveMi: 'kubernetes.Quantity',
  ipv4Addr: 'net.IP',
  ipv6Addr: 'net.IP',
  ipv4CIDR: 'net.CIDR',
  ipv6CIDR: 'net.CIDR',
};

export function celLibraryRows(): readonly Row[] {
  const results = ['cidr', 'format', 'ip', 'quantity', 'semver'].flatMap((library) =>
    file(`cel-kubernetes-library/${library}.json`).tables.flatMap((table) =>
      rowsOf(table).map(([name, each]) => row(`${library}/${name}`, () => resultFault(each))),
    ),
  );
  return [...results, ...costRows()];
}

function resultFault(each: Go): string | undefined {
  const program = compile(String(each.expr), new Map());
  const compileErrors = (each.expectCompileErrs ?? each.expectedCompileErr) as readonly string[] | undefined;
  if (typeof program === 'string') {
    if (compileErrors?.every((pattern) => new RegExp(pattern).test(program))) return undefined;
    return program;
  }
  if (compileErrors !== undefined) return `should not compile: ${compileErrors}`;
  const error = (each.expectRuntimeErr ?? each.expectedRuntimeErr) as string | undefined;
  let result: CelValue;
  try {
    result = program.evaluate(new Map(), new CostMeter(Number.MAX_SAFE_INTEGER));
  } catch (thrown) {
    const said = thrown instanceof Error ? thrown.message : String(thrown);
    return error !== undefined && (said.includes(error) || new RegExp(error).test(said)) ? undefined : said;
  }
  if (error !== undefined) return `should fail: ${error}`;
  return difference(goValue(each.expectValue ?? each.expectResult), plainValue(result));
}

function costRows(): Row[] {
  return file('cel-kubernetes-library/cost.json').tables.flatMap((table) =>
    rowsOf(table).flatMap(([, each], index) =>
      expressionsOf(table.func as string, each).map(({ expr, cost }) =>
        row(`cost/${table.func}/${index} ${expr}`, () => {
          const program = compile(expr, new Map());
          if (typeof program === 'string') return program;
          const meter = new CostMeter(Number.MAX_SAFE_INTEGER);
          program.evaluate(new Map(), meter);
          return difference(cost, meter.cost);
        }),
      ),
    ),
  );
}

/** The expressions that a row stands for: some name the calls that are to be made of one value. */
function expressionsOf(test: string, each: Go): { readonly expr: string; readonly cost: number }[] {
  if (test === 'TestListsCost') {
    const sums = each.costs as readonly Go[];
    return (each.opts as readonly string[]).flatMap((call) =>
      sums.map((sum) => ({ expr: `${sum.comparableLiteral}${call}`, cost: Number(sum.expectedRuntimeCost) })),
    );
  }
  const cost = each.expectRuntimeCost ?? each.expectedRuntimeCost;
  if (typeof cost !== 'number') return [];
  if (test === 'TestURLsCost') {
    return (each.ops as readonly string[]).map((call) => ({ expr: `url('https:://kubernetes.io/')${call}`, cost }));
  }
  if (test === 'TestAuthzLibrary' || test === 'TestSize') return [];
  const expr = each.expr ?? each.op;
  // See `leftOut`.
  if (/expected type|jsonpatch/.test(String(compile(String(expr), new Map())))) return [];
  return typeof expr === 'string' ? [{ expr, cost }] : [];
}

function plainValue(value: CelValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelOptional) return value.value === undefined ? { none: true } : { of: plainValue(value.value) };
  if (value instanceof CelList) return value.items.map(plainValue);
  return isOpaque(value) ? value.typeName : value;
}

function goValue(literal: unknown): unknown {
  if (literal === null || typeof literal !== 'object') return literal;
  const go = literal as Go & { readonly args?: readonly unknown[] };
  if (typeof go.$ref === 'string') return named[go.$ref];
  switch (go.$call ?? go.$type) {
    case 'types.OptionalOf':
      return { of: goValue(go.args?.[0]) };
    case 'types.NewStringList':
      return go.args?.[1];
    case 'apiservercel.Quantity':
      return 'kubernetes.Quantity';
    case 'apiservercel.Semver':
      return 'kubernetes.Semver';
    case 'apiservercel.IP':
      return 'net.IP';
    case 'apiservercel.CIDR':
      return 'net.CIDR';
    default:
      return go.args?.[0];
  }
}
