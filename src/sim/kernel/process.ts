/** One life of a process: a restart makes a new one under the same name. */
export interface Process {
  readonly name: string;
  /** 1 for the first start, one more with each restart. */
  readonly life: number;
  alive: boolean;
  /** Virtual milliseconds; 0 when it was never frozen. */
  frozenUntilMs: number;
}

/** Who runs in the cluster, and which life of it. */
export class ProcessTable {
  readonly #current = new Map<string, Process>();

  /** Begins a new life of the process. */
  start(name: string): Process {
    const process: Process = { name, life: (this.#current.get(name)?.life ?? 0) + 1, alive: true, frozenUntilMs: 0 };
    this.#current.set(name, process);
    return process;
  }

  /** The present or last life under that name. */
  get(name: string): Process | undefined {
    return this.#current.get(name);
  }

  all(): readonly Process[] {
    return [...this.#current.values()];
  }
}
