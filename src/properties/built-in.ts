import { converges } from './converges.js';
import { finalizersServed } from './finalizers-served.js';
import { idempotent } from './idempotent.js';
import { noDeadEnd } from './no-dead-end.js';
import { noDuplicateCreates } from './no-duplicate-creates.js';
import { noHotLoop } from './no-hot-loop.js';
import { noLostUpdate } from './no-lost-update.js';
import { noOrphans } from './no-orphans.js';
import { noPrematureDelete } from './no-premature-delete.js';
import type { Property } from './property.js';
import { statusHonest } from './status-honest.js';

/**
 * The properties that need no specification. One mistake often breaks several: whatever names the cause comes before what
 * only shows the effect, so the first that is violated is the one to read.
 */
export const builtInProperties: readonly Property[] = [
  noDuplicateCreates,
  noLostUpdate,
  noPrematureDelete,
  noHotLoop,
  finalizersServed,
  noOrphans,
  noDeadEnd,
  statusHonest,
  converges,
  idempotent,
];
