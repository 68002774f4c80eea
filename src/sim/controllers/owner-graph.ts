import type { KubeObject, OwnerReference } from '../etcd/object.js';

/** Where an object is, and which one of that name it is. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Of an owner that nobody has seen: the namespace of whoever names it. */
  readonly namespace: string;
}

/** One object as the collector knows it. */
export interface Node {
  readonly uid: string;
  identity: Identity;
  owners: readonly OwnerReference[];
  readonly dependents: Set<Node>;
  /** Known from references only; no event has shown it (GC-2). */
  virtual: boolean;
  deleting: boolean;
  /** Waits in foreground deletion for its dependents. */
  deletingDependents: boolean;
  finalizers: readonly string[];
  resourceVersion: string;
}

/** What the graph asks for when it has changed. */
export interface Work {
  delete(node: Node): void;
  /** As `delete`, after the node's back-off. */
  deleteLater(node: Node): void;
  orphan(node: Node): void;
  reportNamespace(dependent: Node, owner: OwnerReference): void;
}

/** Identities that were looked for and not found: the last 500 of them (GC-4). */
const absentKept = 500;

/**
 * Who owns whom, keyed by uid (GC-1), as far as the events have told. It makes no request: what an event means for somebody
 * goes out as work.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, Node>();
  readonly #absent = new Set<string>();
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  get(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  isAbsent(identity: Identity): boolean {
    const key = keyOf(identity);
    if (!this.#absent.delete(key)) return false;
    this.#absent.add(key);
    return true;
  }

  addAbsent(identity: Identity): void {
    const key = keyOf(identity);
    this.#absent.delete(key);
    this.#absent.add(key);
    if (this.#absent.size > absentKept) this.#absent.delete(this.#absent.values().next().value as string);
  }

  /** An object has appeared or changed. */
  observe(object: KubeObject): void {
    const { metadata } = object;
    const identity = identityOf(object);
    let node = this.#nodes.get(identity.uid);
    const before = node === undefined || node.virtual ? undefined : { ...node };
    if (node?.virtual === true) this.#nowSeen(node, identity);
    if (node === undefined) {
      node = newNode(identity, false);
      this.#nodes.set(identity.uid, node);
    }
    const owners = metadata.ownerReferences ?? [];
    const known = node.owners;
    node.owners = owners;
    node.deleting = metadata.deletionTimestamp !== undefined;
    node.finalizers = metadata.finalizers ?? [];
    node.resourceVersion = metadata.resourceVersion ?? '';
    this.#unblock(known, owners);
    for (const gone of known) if (!owners.some(({ uid }) => uid === gone.uid)) this.#nodes.get(gone.uid)?.dependents.delete(node);
    this.#join(
      node,
      owners.filter(({ uid }) => !known.some((reference) => reference.uid === uid)),
    );
    this.#transition(node, before);
  }

  /** An object has gone, by an event or (`virtual`) because a look at it found nothing. */
  forget(identity: Identity, virtual: boolean): void {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return;
    if (virtual && !this.#provesAbsence(node, identity)) return;
    this.#nodes.delete(node.uid);
    for (const owner of node.owners) this.#nodes.get(owner.uid)?.dependents.delete(node);
    if (node.dependents.size > 0) this.addAbsent(identity);
    for (const dependent of node.dependents) this.#work.delete(dependent);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.deletingDependents === true) this.#work.delete(owner);
    }
  }

  /** A placeholder is seen for the first time: dependents that named it wrongly are looked at. */
  #nowSeen(node: Node, identity: Identity): void {
    if (!sameIdentity(node.identity, identity)) {
      for (const dependent of split(node.dependents, identity).wrong) {
        if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace) {
          this.#work.reportNamespace(dependent, dependent.owners.find(({ uid }) => uid === node.uid) as OwnerReference);
        }
        this.#work.delete(dependent);
      }
      node.identity = identity;
    }
    node.virtual = false;
  }

  /** Adds the node to its owners' dependents; makes placeholders of owners that nobody has seen, and has them looked for (GC-2). */
  #join(node: Node, owners: readonly OwnerReference[]): void {
    let doubtful = false;
    for (const reference of owners) {
      const owner = this.#nodes.get(reference.uid);
      if (owner === undefined) {
        const { apiVersion, kind, name, uid } = reference;
        const placeholder = newNode({ apiVersion, kind, name, uid, namespace: node.identity.namespace }, true);
        this.#nodes.set(uid, placeholder);
        placeholder.dependents.add(node);
        this.#work.delete(placeholder);
        continue;
      }
      owner.dependents.add(node);
      if (doubtful) continue;
      const { namespace } = owner.identity;
      if (namespace !== '' && namespace !== node.identity.namespace) {
        // GC-10, GC-22
        if (!owner.virtual) this.#work.reportNamespace(node, reference);
        doubtful = true;
      } else if (!names(reference, owner.identity)) doubtful = true;
    }
    if (doubtful) this.#work.delete(node);
  }

  /** GC-7: an owner that waits is looked at when a reference to it goes or no longer blocks. */
  #unblock(known: readonly OwnerReference[], now: readonly OwnerReference[]): void {
    for (const reference of known) {
      if (reference.blockOwnerDeletion !== true) continue;
      const same = now.find(({ uid }) => uid === reference.uid);
      if (same?.blockOwnerDeletion === true) continue;
      const owner = this.#nodes.get(reference.uid);
      if (owner !== undefined) this.#work.delete(owner);
    }
  }

  #transition(node: Node, before: Node | undefined): void {
    if (starts('orphan', node, before)) this.#work.orphan(node);
    else if (starts('foregroundDeletion', node, before)) {
      node.deletingDependents = true;
      for (const dependent of node.dependents) this.#work.delete(dependent);
      this.#work.delete(node);
    }
  }

  /** Whether a look that found nothing at `identity` shows that the node is gone: references can be wrong about where it is. */
  #provesAbsence(node: Node, identity: Identity): boolean {
    const { right, wrong } = split(node.dependents, identity);
    if (node.virtual ? wrong.length === 0 : sameIdentity(node.identity, identity)) return true;
    if (right.length > 0) this.addAbsent(identity);
    for (const dependent of right) this.#work.delete(dependent);
    if (node.virtual && sameIdentity(node.identity, identity)) {
      const other = otherIdentity(wrong, identity);
      if (other !== undefined) {
        node.identity = other;
        this.#work.deleteLater(node);
      }
    }
    return false;
  }
}

/** The object as references name it. */
export function identityOf(object: KubeObject): Identity {
  const { name = '', uid = '', namespace = '' } = object.metadata;
  return { apiVersion: object.apiVersion ?? '', kind: object.kind ?? '', name, uid, namespace };
}

function newNode(identity: Identity, virtual: boolean): Node {
  return {
    uid: identity.uid,
    identity,
    owners: [],
    dependents: new Set(),
    virtual,
    deleting: false,
    deletingDependents: false,
    finalizers: [],
    resourceVersion: '',
  };
}

function keyOf({ apiVersion, kind, name, uid, namespace }: Identity): string {
  return `${apiVersion}/${kind}/${namespace}/${name}/${uid}`;
}

function sameIdentity(a: Identity, b: Identity): boolean {
  return keyOf(a) === keyOf(b);
}

function names(reference: OwnerReference, identity: Identity): boolean {
  return reference.apiVersion === identity.apiVersion && reference.kind === identity.kind && reference.name === identity.name;
}

/** Dependents by whether their references say that their owner is there. */
function split(dependents: Iterable<Node>, owner: Identity): { readonly right: readonly Node[]; readonly wrong: readonly Node[] } {
  const right: Node[] = [];
  const wrong: Node[] = [];
  for (const dependent of dependents) {
    const there = owner.namespace === '' || dependent.identity.namespace === owner.namespace;
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (references.some((reference) => there && names(reference, owner))) right.push(dependent);
    if (references.some((reference) => !(there && names(reference, owner)))) wrong.push(dependent);
  }
  return { right, wrong };
}

/** Another place at which somebody believes the owner to be: the next one in order, so that all are tried in turn. */
function otherIdentity(dependents: readonly Node[], absent: Identity): Identity | undefined {
  const others = dependents
    .flatMap((dependent) =>
      dependent.owners
        .filter(({ uid }) => uid === absent.uid)
        .map(({ apiVersion, kind, name, uid }) => ({ apiVersion, kind, name, uid, namespace: dependent.identity.namespace })),
    )
    .filter((identity) => !sameIdentity(identity, absent))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return others.find((identity) => keyOf(identity) > keyOf(absent)) ?? others[0];
}

function starts(finalizer: string, node: Node, before: Node | undefined): boolean {
  const waits = (each: Node) => each.deleting && each.finalizers.includes(finalizer);
  return waits(node) && (before === undefined || !waits(before));
}
