import type { Manager } from './manager.js';
import type { ManagerOptions } from './manager-options.js';

/**
 * An operator under test: what a Go program's `main` does between making its manager and starting it. Its memory is what the
 * closure of `setup` makes; a restarted process calls `setup` again and has nothing of it.
 */
export interface Operator {
  readonly name: string;
  /** How its manager is to be made. */
  readonly options?: ManagerOptions;
  setup(manager: Manager): void | Promise<void>;
}
