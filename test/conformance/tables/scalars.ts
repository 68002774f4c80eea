import { parse } from 'yaml';
import { rfc3339, time } from '../../../src/sim/apiserver/metadata.js';
import type { StatusCause } from '../../../src/sim/apiserver/request.js';
import { microTime } from '../../../src/sim/apiserver/typed-scalars.js';
import { checkIntOrPercent } from '../../../src/sim/apiserver/validation/checks.js';
import { scaled } from '../../../src/sim/controllers/int-or-percent.js';
import { file, type Go } from './data.js';
import { evaluate } from './go-constants.js';
import { difference, type Row, row } from './row.js';

/** Times, and numbers that may be shares. */
export function scalarRows(): readonly Row[] {
  return ['time', 'microtime', 'intstr'].flatMap((name) =>
    file(`scalars/${name}.json`).tables.flatMap(({ func, rows }) =>
      (rows as readonly Go[]).flatMap((go, index) => {
        const check = checkOf(String(func), go);
        return check === undefined ? [] : [row(`${func}/${index}`, check)];
      }),
    ),
  );
}

function checkOf(func: string, go: Go): (() => string | undefined) | undefined {
  switch (func) {
    case 'TestTimeMarshalJSON':
    case 'TestTimeMarshalYAML':
      // That there is none is told by the object it stands in.
      return Object.keys(go.input as Go).length === 0 ? undefined : () => difference(textIn(go.result), rfc3339(millisOf(go.input)));
    case 'TestTimeUnmarshalJSON':
    case 'TestTimeUnmarshalYAML':
      return textIn(go.input) === null ? undefined : () => difference(rfc3339(millisOf(go.result)), time(textIn(go.input)));
    case 'TestMicroTimeUnmarshalJSON':
    case 'TestMicroTimeUnmarshalYAML':
      return textIn(go.input) === null ? undefined : () => difference(micros(millisOf(go.result)), microTime(textIn(go.input), undefined));
    case 'TestGetIntFromIntOrPercent':
      return () => share(go);
    default:
      return undefined;
  }
}

/** The time in `t: 1998-05-05T05:05:05Z`, JSON or YAML. */
function textIn(text: unknown): string | null {
  return (parse(String(text), { schema: 'core' }) as { readonly t: string | null }).t;
}

/** `Date(1998, time.May, 5, 5, 5, 5, 50, time.UTC)`, however it is wrapped. */
function millisOf(go: unknown): number {
  const call = dateIn(go);
  if (call === undefined) throw new Error('no date');
  const [year, , day, hour, minute, second, , zone] = call.args as readonly number[] & readonly Go[];
  const offset = ((zone as unknown as Go).args as readonly unknown[] | undefined)?.[1];
  const seconds = offset === undefined ? 0 : Number(evaluate(offset));
  return Date.UTC(Number(year), 4, Number(day), Number(hour), Number(minute), Number(second)) - seconds * 1000;
}

function dateIn(go: unknown): Go | undefined {
  if (Array.isArray(go)) return go.map(dateIn).find((each) => each !== undefined);
  if (go === null || typeof go !== 'object') return undefined;
  if ((go as Go).$call === 'Date') return go as Go;
  return Object.values(go)
    .map(dateIn)
    .find((each) => each !== undefined);
}

function micros(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

function share(go: Go): string | undefined {
  const value = evaluate(go.input) as number | string;
  const faults: StatusCause[] = [];
  checkIntOrPercent(faults, 'value', value);
  if (go.expectErr === true) return faults.length > 0 ? undefined : 'should be refused';
  return difference(go.expectVal, scaled(value, Number(go.total ?? 0), go.roundUp === true ? Math.ceil : Math.floor));
}
