import type { Commit, Etcd } from '../etcd/etcd.js';
import type { Kinds } from './kinds.js';

const resource = 'customresourcedefinitions.apiextensions.k8s.io';

/** Serves the kinds of the stored CustomResourceDefinitions: of all of them, or of those that the commits touched. */
export function keepRegistered(kinds: Kinds, etcd: Etcd, commits?: readonly Commit[]): void {
  if (commits === undefined) {
    for (const crd of etcd.list(resource)) kinds.registerCrd(crd);
    return;
  }
  for (const commit of commits) {
    if (commit.key.resource !== resource) continue;
    if (commit.object === undefined) kinds.unregisterCrd(commit.key.name);
    else kinds.registerCrd(commit.object);
  }
}
