/** Scripts that show what a simulator has no business knowing, by number; they stay different, with this reason. */
export const beyondSimulation: Readonly<Record<number, string>> = {
  202: 'Go returns a result and an error together and logs a warning (D2); in TypeScript a reconcile returns or throws',
  224: 'a cache for some namespaces only (D27) is not offered: an operator under test sees the whole cluster',
  260: 'writes of objects of metadata alone are refused by Go types that reconcilers here do not have (D70)',
  262: 'one error text prints a Go struct, and Go sends a typed object without its kind in the deprecated apply patch (D70)',
  265: 'a deadline for one call is a Go context; calls here end with their answer or their connection',
  272: 'objects handed out without a copy (D23) and unstructured objects (D22) are not offered: what is cached is frozen, and an object is JSON',
};
