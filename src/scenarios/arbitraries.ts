/** fast-check as the campaigns use it: the arguments of acts are made with it, and two copies of it would not know each other. */
export * as fc from 'fast-check';
