import type { Mistake } from './zoo/mistake.js';
import { statusLost } from './zoo/p01-status-lost.js';
import { conflictSwallowed } from './zoo/p03-conflict-swallowed.js';
import { crashBeforeStatus } from './zoo/p05-crash-before-status.js';
import { statusGoesBack } from './zoo/p06-status-goes-back.js';
import { createRetried } from './zoo/p20-create-retried.js';
import { ownCreateUnseen } from './zoo/p21-own-create-unseen.js';
import { addedMeansNew } from './zoo/p22-added-means-new.js';
import { blindPut } from './zoo/p30-blind-put.js';
import { staleRetry } from './zoo/p31-stale-retry.js';
import { finalizerTooEarly } from './zoo/p40-finalizer-too-early.js';
import { noControllerReference } from './zoo/p45-no-controller-reference.js';
import { namesakeOwner } from './zoo/p47-namesake-owner.js';
import { noOwnerReference } from './zoo/p49-no-owner-reference.js';
import { outageTakenForRefusal } from './zoo/p65-outage-taken-for-refusal.js';

/** The library of known mistakes: what the harness must find, and must not find once it is put right. */
export const zoo: readonly Mistake[] = [
  statusLost,
  conflictSwallowed,
  crashBeforeStatus,
  statusGoesBack,
  createRetried,
  ownCreateUnseen,
  addedMeansNew,
  blindPut,
  staleRetry,
  finalizerTooEarly,
  noControllerReference,
  namesakeOwner,
  noOwnerReference,
  outageTakenForRefusal,
];
