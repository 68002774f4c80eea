import { minimalList } from '../../../src/campaign/minimal-list.js';
import type { Json } from './kinds.js';
import type { Script, ScriptStep } from './script.js';

const mostAttempts = 120;

/** The smallest script found in which the same difference shows: steps go, then members of bodies and queries. */
export async function smaller(script: Script, shows: (script: Script) => Promise<boolean>): Promise<Script> {
  let attempts = 0;
  const limited = async (steps: readonly ScriptStep[]) => {
    attempts += 1;
    return attempts <= mostAttempts && (await shows({ ...script, steps }));
  };
  let steps = await minimalList(script.steps, limited);
  if (!(await shows({ ...script, steps }))) steps = script.steps;
  for (let index = 0; index < steps.length; index += 1) {
    for (const member of ['query', 'body'] as const) {
      for (let again = true; again; ) {
        again = false;
        for (const simpler of withoutOne((steps[index] as ScriptStep)[member] as Json | undefined)) {
          const trial = steps.with(index, { ...(steps[index] as ScriptStep), [member]: simpler });
          if (!(await limited(trial))) continue;
          steps = trial;
          again = true;
          break;
        }
      }
    }
  }
  return { ...script, steps };
}

/** The value with one member or item less, the large ones first. */
function* withoutOne(value: Json | undefined): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) yield value.toSpliced(index, 1);
    for (let index = 0; index < value.length; index += 1) for (const inner of withoutOne(value[index])) yield value.with(index, inner);
    return;
  }
  const members = Object.entries(value as { readonly [key: string]: Json });
  for (const [key] of members) yield Object.fromEntries(members.filter(([other]) => other !== key));
  for (const [key, inner] of members)
    for (const simpler of withoutOne(inner)) yield Object.fromEntries(members.map(([k, v]) => [k, k === key ? simpler : v]));
}
