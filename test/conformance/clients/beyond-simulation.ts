/** Scripts that show what a simulator has no business knowing, by number; they stay different, with this reason. */
export const beyondSimulation: Readonly<Record<number, string>> = {};
