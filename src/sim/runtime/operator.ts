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
  /** How often every cached object is handed to the handlers again, in virtual milliseconds; ten hours if absent (D26). */
  readonly syncPeriodMs?: number;
  setup(manager: Manager): void | Promise<void>;
}
