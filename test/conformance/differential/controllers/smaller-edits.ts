import { minimalList } from '../../../../src/campaign/minimal-list.js';
import type { JsonObject } from '../kinds.js';
import { withoutOne } from '../smaller.js';
import type { EditScript } from './script.js';

const mostAttempts = 40;

/** The smallest script found in which the same difference shows: steps go, then members of what is made. */
export async function smallerEdits(script: EditScript, shows: (script: EditScript) => Promise<boolean>): Promise<EditScript> {
  let attempts = 0;
  const limited = async (trial: EditScript) => {
    attempts += 1;
    return trial.length > 0 && attempts <= mostAttempts && (await shows(trial));
  };
  let small: EditScript = await minimalList(script, limited);
  if (!(await shows(small))) return script;
  for (const [index, edit] of small.entries()) {
    if (!('create' in edit)) continue;
    let { spec } = edit.body;
    for (let again = true; again; ) {
      again = false;
      for (const simpler of withoutOne(spec)) {
        const trial = small.with(index, { ...edit, body: { ...edit.body, spec: simpler } as JsonObject });
        if (!(await limited(trial))) continue;
        small = trial;
        spec = simpler;
        again = true;
        break;
      }
    }
  }
  return small;
}
