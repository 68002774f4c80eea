import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../quantity.js';

/** Amounts by the names of resources. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** What is asked for, and what is allowed at most. */
export type ResourcePart = 'requests' | 'limits';

/** As it stands in objects: quantities are texts. */
export type ResourceTexts = Readonly<Record<string, string>>;

export interface Resources {
  readonly requests?: ResourceTexts;
  readonly limits?: ResourceTexts;
}

export interface Container {
  readonly name?: string;
  readonly resources?: Resources;
  readonly restartPolicy?: string;
}

/** What of a pod's spec says how much it takes. */
export interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly resources?: Resources;
  readonly overhead?: ResourceTexts;
}

/** A list of amounts as an object has it. */
export function amountsOf(texts: ResourceTexts | undefined): Amounts {
  return new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, parseQuantity(String(text))]));
}

/**
 * What a pod takes without its overhead: containers and sidecars run side by side, init containers one after the other
 * beside the sidecars that have begun, and the larger of the two counts. What the pod says of itself counts before its containers.
 */
export function podAmounts({ containers = [], initContainers = [], resources }: PodSpec, part: ResourcePart): Amounts {
  const total = new Map<string, Quantity>();
  for (const container of containers) add(total, amountsOf(container.resources?.[part]));
  const sidecars = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of initContainers) {
    const own = amountsOf(container.resources?.[part]);
    if (container.restartPolicy === 'Always') {
      add(total, own);
      add(sidecars, own);
      raise(starting, sidecars);
    } else {
      const beside = new Map(own);
      add(beside, sidecars);
      raise(starting, beside);
    }
  }
  raise(total, starting);
  for (const [name, amount] of amountsOf(resources?.[part])) if (name === 'cpu' || name === 'memory') total.set(name, amount);
  return total;
}

/** The same with the overhead; of limits only to those that there are. */
export function podAmountsWithOverhead(spec: PodSpec, part: ResourcePart): Amounts {
  const total = new Map(podAmounts(spec, part));
  const overhead = [...amountsOf(spec.overhead)].filter(([name]) => part === 'requests' || (total.get(name)?.nanos ?? 0n) !== 0n);
  add(total, new Map(overhead));
  return total;
}

function add(to: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const before = to.get(name);
    to.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
}

function raise(to: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const before = to.get(name);
    if (before === undefined || compareQuantities(amount, before) > 0) to.set(name, amount);
  }
}
