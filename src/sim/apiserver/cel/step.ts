import type { CostMeter } from './runtime-cost.js';
import { CelCostError, CelError, type CelValue } from './values.js';

/** An evaluation under way: its variables, and what it has cost. */
export interface Frame {
  readonly variables: ReadonlyMap<string, CelValue>;
  readonly locals: Map<string, CelValue>;
  readonly meter: CostMeter;
}

/** An expression made ready. @throws CelError */
export type Step = (frame: Frame) => CelValue;

export function attempt(step: Step, frame: Frame): CelValue | CelError {
  try {
    return step(frame);
  } catch (error) {
    if (error instanceof CelError && !(error instanceof CelCostError)) return error;
    throw error;
  }
}
