/** What the command line ends with; of several the one that comes first in this list counts. */
export const exitCodes = { badInput: 2, notDeterministic: 4, violated: 1, inconclusive: 3, held: 0 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesHelp = `
Exit codes:
  0  every property held
  1  a property is broken, the goal is not reached, or an operator hangs
  2  the input cannot be used: a file, a plan, a scenario, an operator that cannot be started
  3  not decided: neither held nor broken
  4  the same plan gave two different runs`;

/** The gravest of several. */
export function gravest(codes: readonly ExitCode[]): ExitCode {
  return Object.values(exitCodes).find((code) => codes.includes(code)) ?? exitCodes.held;
}

/** The outcomes of campaigns and replays as exit codes. */
export const exitCodeOf = {
  held: exitCodes.held,
  violated: exitCodes.violated,
  'goal-not-reached': exitCodes.violated,
  inconclusive: exitCodes.inconclusive,
  stale: exitCodes.inconclusive,
  'not-deterministic': exitCodes.notDeterministic,
} as const satisfies Record<string, ExitCode>;
