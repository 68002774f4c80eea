import { minimalList } from '../../../src/campaign/minimal-list.js';
import { crds, type Json } from './kinds.js';
import type { Script, ScriptStep } from './script.js';

const mostAttempts = 60;
const crdPlurals = Object.keys(crds);

/** The smallest script found in which the same difference shows: steps go, then members of bodies and queries. */
export async function smaller(script: Script, shows: (script: Script) => Promise<boolean>): Promise<Script> {
  let attempts = 0;
  // A CRD stays as long as there is a step about its objects: a real server would know it from other scripts.
  const withCrds = (steps: readonly ScriptStep[]) =>
    script.steps.filter((step) => steps.includes(step) || (isSetup(step) && steps.some((other) => aboutSame(step, other))));
  const limited = async (steps: readonly ScriptStep[]) => {
    attempts += 1;
    return attempts <= mostAttempts && (await shows({ ...script, steps }));
  };
  const needed = await minimalList(
    script.steps.filter((step) => !isSetup(step)),
    (steps) => limited(withCrds(steps)),
  );
  let steps: readonly ScriptStep[] = withCrds(needed);
  if (!(await shows({ ...script, steps }))) steps = script.steps;
  for (let index = 0; index < steps.length; index += 1) {
    if (isSetup(steps[index] as ScriptStep)) continue;
    for (const member of ['query', 'body'] as const) {
      const step = steps[index] as ScriptStep;
      const withMember = (value: Json) => steps.with(index, { ...step, [member]: value });
      const value = await minimalValue(step[member], (simpler) => limited(withMember(simpler)));
      if (value !== step[member]) steps = withMember(value as Json);
    }
  }
  return { ...script, steps };
}

/** A step that makes a CRD, or waits until its objects are served. */
function isSetup(step: ScriptStep): boolean {
  return step.record === false && (step.method === 'POST' || step.until !== undefined);
}

function aboutSame(setup: ScriptStep, step: ScriptStep): boolean {
  return crdPlurals.some((plural) => JSON.stringify(setup).includes(plural) && step.path?.includes(`/${plural}`));
}

/** The value without all members and items that can be taken out, one by one, so that it still shows what it is about. */
export async function minimalValue(value: Json | undefined, shows: (simpler: Json) => Promise<boolean>): Promise<Json | undefined> {
  for (const simpler of withoutOne(value)) if (await shows(simpler)) return minimalValue(simpler, shows);
  return value;
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
