/** What a campaign does unless told otherwise: plans to try, the seed they are made from, counterexamples after which it ends. */
export const fuzzDefaults = { runs: 1_000, seed: 1, failures: 5 } as const;
