import type { Host } from '../host.js';
import { type Context, newContext } from './context.js';
import { errorText } from './reconciler.js';

/** Something that runs until its context ends. What it rejects with stops the manager (D40). */
export type Runnable = (context: Context) => Promise<void> | void;

/** Runnables that start and stop together (D39, D41). */
export class RunnableGroup {
  readonly #members: Runnable[] = [];
  readonly #running = new Set<{ end(cause: string): void }>();
  #state: 'new' | 'running' | 'stopping' = 'new';
  #stopped: (() => void) | undefined;

  constructor(
    private readonly host: Host,
    private readonly name: string,
    private readonly failed: (error: Error) => void,
  ) {}

  add(runnable: Runnable): void {
    this.#members.push(runnable);
    if (this.#state === 'running') this.#run(runnable);
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    for (const runnable of this.#members) this.#run(runnable);
  }

  /** Tells all to stop; `stopped` is called when the last has returned. */
  stop(stopped: () => void): void {
    this.#state = 'stopping';
    this.#stopped = stopped;
    for (const running of this.#running) running.end('context canceled');
    if (this.#running.size === 0) stopped();
  }

  #run(runnable: Runnable): void {
    const running = newContext(this.host, this.name);
    this.#running.add(running);
    const returned = () => {
      this.#running.delete(running);
      if (this.#state === 'stopping' && this.#running.size === 0) this.#stopped?.();
    };
    Promise.resolve()
      .then(() => runnable(running.context))
      .then(returned, (error) => {
        returned();
        this.failed(error instanceof Error ? error : new Error(errorText(error)));
      });
  }
}
