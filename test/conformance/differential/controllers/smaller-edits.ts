import { minimalList } from '../../../../src/campaign/minimal-list.js';
import type { Json } from '../kinds.js';
import { minimalValue } from '../smaller.js';
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
    const { spec } = edit.body;
    const withSpec = (value: Json) => small.with(index, { ...edit, body: { ...edit.body, spec: value } });
    const needed = await minimalValue(spec, (simpler) => limited(withSpec(simpler)));
    if (needed !== spec) small = withSpec(needed as Json);
  }
  return small;
}
