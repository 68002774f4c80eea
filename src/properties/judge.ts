import { errorText } from '../sim/runtime/reconciler.js';
import type { Case, Judgement, Property, Verdict } from './property.js';

/** What each property says of a run, in the order of the properties. A check that fails itself has decided nothing. */
export function judge(the: Case, properties: readonly Property[]): readonly Verdict[] {
  return properties.map((property) => verdictOf(property.name, judgementOf(the, property)));
}

function judgementOf(the: Case, property: Property): Judgement {
  try {
    const judgement: unknown = property.check(the);
    if (isJudgement(judgement)) return judgement;
    return { inconclusive: 'the check answered neither true, nor a text, nor a judgement; it must not be async' };
  } catch (error) {
    return { inconclusive: `the check itself failed: ${errorText(error)}` };
  }
}

/** A check is the user's code, and may answer anything. */
function isJudgement(answer: unknown): answer is Judgement {
  if (answer === 'proved') return true;
  if (answer === null || typeof answer !== 'object') return false;
  if ('evidence' in answer) return typeof answer.evidence === 'string';
  if ('inconclusive' in answer) return typeof answer.inconclusive === 'string';
  return (
    'message' in answer &&
    typeof answer.message === 'string' &&
    'culprit' in answer &&
    typeof answer.culprit === 'string' &&
    'entries' in answer &&
    Array.isArray(answer.entries)
  );
}

function verdictOf(property: string, judgement: Judgement): Verdict {
  if (judgement === 'proved') return { property, outcome: 'proved' };
  if ('evidence' in judgement) return { property, outcome: 'evidence', why: judgement.evidence };
  if ('inconclusive' in judgement) return { property, outcome: 'inconclusive', why: judgement.inconclusive };
  return { property, outcome: 'violated', finding: judgement };
}
