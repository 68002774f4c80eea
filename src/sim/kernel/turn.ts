/** Taken once, so that whoever replaces the global timers later does not replace ours. */
const nextTurn = setImmediate;

/**
 * Lets every promise that can settle without the simulator settle: one turn of the real event loop runs all microtasks and
 * ticks to their end, however deep the chain.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}
