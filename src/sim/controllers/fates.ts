import type { KubeObject } from '../etcd/object.js';
import type { Fault } from '../plan.js';
import { pathOfObject } from './references.js';

export type PodFault = Extract<Fault, { readonly kind: 'pod' }>;
export type ClaimFault = Extract<Fault, { readonly kind: 'claim' }>;

/** What a plan has in store for pods, claims and nodes. Once the storm is over it has nothing in store any more. */
export interface Fates {
  /** Numbers the object among those of its name; called with each that appears, in order. */
  meet(kind: 'pod' | 'claim', object: KubeObject): void;
  /** The trouble of that kind that a pod has in its life, if any. */
  ofPod<L extends PodFault['life']>(pod: KubeObject, life: L): Extract<PodFault, { readonly life: L }> | undefined;
  /** How long nobody binds a claim. */
  ofClaim(claim: KubeObject): ClaimFault | undefined;
  /** Since when nothing is heard of a node, in milliseconds since 1970; undefined: it is well. */
  silentSinceMs(node: string): number | undefined;
  /** Calls whenever a node falls silent or is heard again. */
  onNode(changed: (node: string) => void): void;
  /** Calls once the storm is over. */
  onHeal(healed: () => void): void;
  /** Says that the trouble begins to show. */
  comes(fault: Fault): void;
}

/** Nothing in store for anybody. */
export const calmFates: Fates = {
  meet: () => {},
  ofPod: () => undefined,
  ofClaim: () => undefined,
  silentSinceMs: () => undefined,
  onNode: () => {},
  onHeal: () => {},
  comes: () => {},
};

/** What the server appends to a `generateName`. */
const generatedSuffix = /[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/** By which name a plan knows an object: `default/web-0`; a name that the server has generated as its prefix and a star. */
export function fateName(object: KubeObject): string {
  const { name = '', generateName = '' } = object.metadata;
  const generated = generateName !== '' && name.replace(generatedSuffix, '') === generateName;
  return pathOfObject(object).replace(generated ? generatedSuffix : /$/, generated ? '*' : '');
}

/** Numbers pods and claims among those of their name, in the order in which it is asked about them: as plans know them. */
export class FateNumbers {
  readonly #counts = new Map<string, number>();
  readonly #numbers = new Map<string, number>();

  of(kind: 'pod' | 'claim', object: KubeObject): { readonly name: string; readonly nth: number } {
    const name = fateName(object);
    const id = `${kind} ${object.metadata.uid}`;
    let nth = this.#numbers.get(id);
    if (nth === undefined) {
      nth = (this.#counts.get(`${kind} ${name}`) ?? 0) + 1;
      this.#counts.set(`${kind} ${name}`, nth);
      this.#numbers.set(id, nth);
    }
    return { name, nth };
  }
}
