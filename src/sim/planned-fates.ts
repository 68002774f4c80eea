import { FateNumbers, type Fates } from './controllers/fates.js';
import type { KubeObject } from './etcd/object.js';
import type { Fault } from './plan.js';

type LifeFault = Extract<Fault, { readonly kind: 'pod' | 'claim' }>;

/** What this plan has in store for pods, claims and nodes. */
export class PlannedFates implements Fates {
  readonly #inStore = new Map<string, LifeFault[]>();
  readonly #numbers = new FateNumbers();
  readonly #silent = new Map<string, number>();
  readonly #listeners: ((node: string) => void)[] = [];
  readonly #healed: (() => void)[] = [];
  readonly #come = new Set<Fault>();
  readonly #shown: (fault: Fault) => void;

  /** @param shown is called with each fault once, when it begins to show */
  constructor(faults: readonly Fault[], shown: (fault: Fault) => void) {
    this.#shown = shown;
    for (const fault of faults) {
      if (fault.kind !== 'pod' && fault.kind !== 'claim') continue;
      const name = `${fault.kind} ${fault.kind === 'pod' ? fault.pod : fault.claim} #${fault.nth}`;
      this.#inStore.set(name, [...(this.#inStore.get(name) ?? []), fault]);
    }
  }

  meet(kind: 'pod' | 'claim', object: KubeObject): void {
    this.#of(kind, object);
  }

  ofPod: Fates['ofPod'] = (pod, life) => this.#of('pod', pod).find((fault): fault is never => fault.kind === 'pod' && fault.life === life);

  ofClaim: Fates['ofClaim'] = (claim) => this.#of('claim', claim).find((fault) => fault.kind === 'claim');

  silentSinceMs(node: string): number | undefined {
    return this.#silent.get(node);
  }

  onNode(changed: (node: string) => void): void {
    this.#listeners.push(changed);
  }

  onHeal(healed: () => void): void {
    this.#healed.push(healed);
  }

  comes(fault: Fault): void {
    if (this.#come.has(fault)) return;
    this.#come.add(fault);
    this.#shown(fault);
  }

  /** Nothing is heard of a node from now on. @param nowMs milliseconds since 1970 */
  silence(node: string, nowMs: number): void {
    if (this.#silent.has(node)) return;
    this.#silent.set(node, nowMs);
    this.#tell(node);
  }

  /** The node is heard again. */
  hear(node: string): void {
    if (this.#silent.delete(node)) this.#tell(node);
  }

  /** From now on nothing is in store for anybody. */
  heal(): void {
    this.#inStore.clear();
    for (const node of [...this.#silent.keys()]) this.hear(node);
    for (const healed of this.#healed) healed();
  }

  #tell(node: string): void {
    for (const changed of this.#listeners) changed(node);
  }

  #of(kind: LifeFault['kind'], object: KubeObject): readonly LifeFault[] {
    // Nobody is numbered when nothing is in store.
    if (this.#inStore.size === 0) return [];
    const { name, nth } = this.#numbers.of(kind, object);
    return this.#inStore.get(`${kind} ${name} #${nth}`) ?? [];
  }
}
