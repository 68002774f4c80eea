/** Between how much and how much; of sizes and of costs alike. Beyond 64 bits there is only "too much". */
export interface Estimate {
  readonly min: number;
  readonly max: number;
}

export const tooMuch = 2 ** 64;
export const unknownSize: Estimate = { min: 0, max: tooMuch };
export const nothing: Estimate = { min: 0, max: 0 };

export function exactly(amount: number): Estimate {
  return { min: amount, max: amount };
}

export function plus(...estimates: readonly Estimate[]): Estimate {
  return estimates.reduce((a, b) => ({ min: capped(a.min + b.min), max: capped(a.max + b.max) }), nothing);
}

export function product(a: Estimate, b: Estimate): Estimate {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** Scaled and rounded up. */
export function scaled({ min, max }: Estimate, factor: number): Estimate {
  return { min: capped(Math.ceil(min * factor)), max: capped(Math.ceil(max * factor)) };
}

export function union(a: Estimate, b: Estimate): Estimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function capped(amount: number): number {
  return Math.min(amount, tooMuch);
}
