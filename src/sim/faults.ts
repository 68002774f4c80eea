import type { DecisionName } from './kernel/decisions.js';
import type { Fault } from './plan.js';

type AtFault = Extract<Fault, { at: DecisionName }>;

/** The plan's faults that wait at a gate, and which of them have happened. */
export class Gates {
  readonly #byName = new Map<DecisionName, AtFault[]>();
  readonly #hit = new Set<Fault>();
  #healed = false;

  constructor(faults: readonly Fault[]) {
    for (const fault of faults) {
      if (!('at' in fault)) continue;
      const waiting = this.#byName.get(fault.at) ?? [];
      waiting.push(fault);
      this.#byName.set(fault.at, waiting);
    }
  }

  /** The fault of that kind that waits at this name; asking takes it. */
  take<K extends AtFault['kind']>(kind: K, name: DecisionName, matches: (fault: Extract<AtFault, { kind: K }>) => boolean = () => true) {
    if (this.#healed) return undefined;
    const fault = this.#byName
      .get(name)
      ?.find((each): each is Extract<AtFault, { kind: K }> => each.kind === kind && !this.#hit.has(each) && matches(each as never));
    if (fault !== undefined) this.#hit.add(fault);
    return fault;
  }

  /** Notes that a fault without a gate has happened. */
  happened(fault: Fault): void {
    this.#hit.add(fault);
  }

  /** No fault happens any more. */
  heal(): void {
    this.#healed = true;
  }

  /** Faults that never came into play, in words. */
  unused(faults: readonly Fault[]): readonly string[] {
    return faults.filter((fault) => !this.#hit.has(fault)).map(faultText);
  }
}

/** `reply-lost at create pods default/a by web-operator #1`. */
function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'restart':
    case 'freeze':
      return `${fault.kind} of ${fault.process} at ${fault.atMs} ms`;
    case 'node':
      return `silence of node ${fault.node} at ${fault.atMs} ms`;
    case 'pod':
      return `${fault.life} of pod ${fault.pod} #${fault.nth}`;
    case 'claim':
      return `late binding of claim ${fault.claim} #${fault.nth}`;
    default:
      return `${fault.kind} at ${fault.at}`;
  }
}
