import { errorText } from '../sim/runtime/reconciler.js';
import type { Case, Judgement, Property, Verdict } from './property.js';

/** What each property says of a run, in the order of the properties. A check that fails itself has decided nothing. */
export function judge(the: Case, properties: readonly Property[]): readonly Verdict[] {
  return properties.map((property) => verdictOf(property.name, judgementOf(the, property)));
}

function judgementOf(the: Case, property: Property): Judgement {
  try {
    return property.check(the);
  } catch (error) {
    return { inconclusive: `the check itself failed: ${errorText(error)}` };
  }
}

function verdictOf(property: string, judgement: Judgement): Verdict {
  if (judgement === 'proved') return { property, outcome: 'proved' };
  if ('evidence' in judgement) return { property, outcome: 'evidence', why: judgement.evidence };
  if ('inconclusive' in judgement) return { property, outcome: 'inconclusive', why: judgement.inconclusive };
  return { property, outcome: 'violated', finding: judgement };
}
