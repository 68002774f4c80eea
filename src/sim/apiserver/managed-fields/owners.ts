import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../../etcd/object.js';
import { encodeEntries, type Managed, nobody } from './entries.js';
import { managedAfterUpdate, type Write } from './update.js';

/** How the owners of an object come from those that it had before. */
export type Change = (before: Managed) => Managed;

/**
 * Who owns the fields of one stored object. Most runs never ask, so a write only remembers what it was; the answer is worked
 * out, and kept, when somebody looks at managedFields.
 */
class Owners {
  #managed: Managed | undefined;
  #entries: readonly ManagedFieldsEntry[] | undefined;
  #change: Change | undefined;
  #before: Owners | undefined;
  /** How many writes there are to look at, at most. */
  #pending: number;

  private constructor(managed: Managed | undefined, change?: Change, before?: Owners) {
    this.#managed = managed;
    this.#change = change;
    this.#before = before;
    this.#pending = managed !== undefined ? 0 : before === undefined ? 1 : before.#pending + 1;
  }

  static known(managed: Managed): Owners {
    return new Owners(managed);
  }

  static after(change: Change, before: Owners | undefined): Owners {
    const owners = new Owners(undefined, change, before);
    // Without this the oldest versions of an object that is written again and again could never be forgotten.
    if (owners.#pending >= longestChain) owners.managed();
    return owners;
  }

  managed(): Managed {
    const chain: Owners[] = [];
    let owners: Owners | undefined = this;
    while (owners !== undefined && owners.#managed === undefined) {
      chain.push(owners);
      owners = owners.#before;
    }
    let managed = owners === undefined ? nobody : (owners.#managed as Managed);
    for (const next of chain.reverse()) {
      managed = (next.#change as Change)(managed);
      next.#managed = managed;
      next.#change = undefined;
      next.#before = undefined;
      next.#pending = 0;
    }
    return managed;
  }

  entries(): readonly ManagedFieldsEntry[] {
    this.#entries ??= encodeEntries(this.managed());
    return this.#entries;
  }
}

export type { Owners };

/** Links weigh little beside the objects, which etcd's own history holds too. */
const longestChain = 10_000;

/** By the metadata of stored objects, which every version and every form of an object shares. */
const ownersOf = new WeakMap<ObjectMeta, Owners>();

/** What is known of a stored object's owners, for those who write it again. */
export function ownersOfObject(object: KubeObject | undefined): Owners | undefined {
  return object === undefined ? undefined : ownersOf.get(object.metadata);
}

export function recordOwners(object: KubeObject, owners: Owners | undefined): void {
  if (owners !== undefined) ownersOf.set(object.metadata, owners);
}

/** The owners of a stored object. */
export function managedOf(object: KubeObject): Managed {
  return ownersOf.get(object.metadata)?.managed() ?? nobody;
}

/** `metadata.managedFields` of a stored object or of one that a server has answered with. */
export function managedFieldsOf(object: { readonly metadata: ObjectMeta }): readonly ManagedFieldsEntry[] {
  return ownersOf.get(object.metadata)?.entries() ?? [];
}

/** The owners after a write that is no apply. */
export function ownersAfter(write: Write, before: Owners | undefined): Owners {
  return Owners.after((managed) => managedAfterUpdate(managed, write), before);
}

/** The owners after a write. @param change is called when somebody asks, if ever, and once. */
export function ownersChanged(change: Change, before: Owners | undefined): Owners {
  return Owners.after(change, before);
}

export function knownOwners(managed: Managed): Owners {
  return Owners.known(managed);
}
