import { match, P } from 'ts-pattern';
import type { Counterexample } from '../campaign/counterexample.js';
import { withoutNumber } from '../properties/history.js';
import { entriesOf, passes } from '../properties/passes.js';
import type { Status } from '../sim/apiserver/request.js';
import { user } from '../sim/people.js';
import type { Trace, TraceEvent } from '../sim/trace.js';
import { callParts } from './decision-names.js';

/** A mistake that many operators have made, and how it is usually repaired. */
export interface Pattern {
  readonly name: string;
  /** What is going on, for somebody who did not write the operator. */
  readonly why: string;
  readonly remedy: string;
}

const patterns = {
  createdTwiceAfterLostReply: {
    name: 'created twice after a lost reply',
    why: 'The create was done, but its answer never came. The operator took that for a failure and created again.',
    remedy:
      'Give the object a name that follows from its owner (no generateName), so that a second create is answered with AlreadyExists; treat that answer as success once the owner fits.',
  },
  createdTwiceAcrossCrash: {
    name: 'created twice across a crash',
    why: 'The operator died after the create and before it had noted it anywhere. Its next life did not know of the object and created another.',
    remedy:
      'Give the object a name that follows from its owner, so that a second create is answered with AlreadyExists; keep nothing that matters in memory alone.',
  },
  createdAgainFromStaleCache: {
    name: 'created again from a stale cache',
    why: 'Informers do not show an operator its own writes at once. It looked into its cache, found nothing, and created a second time.',
    remedy:
      'Give the object a name that follows from its owner, so that a second create is answered with AlreadyExists; or read past the cache (apiReader) before creating.',
  },
  statusOnMainEndpoint: {
    name: 'status written to the main endpoint',
    why: 'With the status subresource on, an update of the object itself keeps the stored status and answers 200: the new status is silently gone.',
    remedy: 'Write status with client.status().update or .patch, and everything else with client.update or .patch.',
  },
  observedGenerationLies: {
    name: 'observedGeneration runs ahead',
    why: 'The status names a generation of the spec that the operator has not acted upon, so whoever waits for it goes on too early.',
    remedy:
      'Write the generation of the very object that this reconcile has read and worked on, never a newer one, and only when all is done.',
  },
  statusGoesBack: {
    name: 'status from a stale view',
    why: 'The status was computed from a cache that was behind, and nothing has corrected it.',
    remedy:
      'Compute status from what was read in the same reconcile, write it with its resourceVersion, so that an old copy is refused with a conflict, and watch everything it is computed from.',
  },
  crashBetweenWrites: {
    name: 'crash between two writes',
    why: 'The work takes more than one write. The operator died between them, and its next life takes what it finds for finished.',
    remedy:
      'Let each reconcile compare everything it wants with what is there, whatever earlier ones have done; never let the first write be the sign that all are done.',
  },
  cutShortBetweenWrites: {
    name: 'work cut short between two writes',
    why: 'The work takes more than one write. One of them failed, and the next reconcile takes what the others have left for finished.',
    remedy:
      'Let each reconcile compare everything it wants with what is there, whatever earlier ones have done; never let the first write be the sign that all are done.',
  },
  blindOverwrite: {
    name: 'blind overwrite of somebody else’s change',
    why: 'The operator wrote a copy that it had read before the other change was made, and nothing told the server that the copy was old.',
    remedy:
      'Keep the resourceVersion in updates so that an old copy is refused with a conflict; or write only your own fields, with a patch or with server-side apply.',
  },
  finalizerTooEarly: {
    name: 'finalizer removed before the cleanup was done',
    why: 'Once the last finalizer is gone the object is gone, and nothing will start the cleanup again.',
    remedy: 'Remove the finalizer last, and only after a read has shown that everything it stands for is gone.',
  },
  finalizerStays: {
    name: 'finalizer that is never removed',
    why: 'The object waits in Terminating for an operator that will not come back to it.',
    remedy:
      'In every reconcile look at deletionTimestamp first; return an error or ask to be requeued as long as the cleanup is not done, so that somebody wakes the operator.',
  },
  missingOwnerReference: {
    name: 'missing owner reference',
    why: 'The garbage collector deletes what its owner leaves behind, and this object names no owner.',
    remedy: 'Call setControllerReference before creating the object, or delete it yourself behind a finalizer.',
  },
  deadOwner: {
    name: 'owner reference with a dead uid',
    why: 'An owner that was deleted and made again has another uid. The garbage collector deletes whatever names the old one.',
    remedy: 'Take the uid from the owner as it is now; when the owner in your cache is gone or another one, wait instead of creating.',
  },
  deletedFromStaleView: {
    name: 'deleted by a stale view',
    why: 'The operator decided to delete by looking at a state that had already passed.',
    remedy:
      'Delete with preconditions (uid and resourceVersion) of the very object that was judged, or read past the cache before deleting.',
  },
  staleRetry: {
    name: 'retry with a stale copy',
    why: 'After a conflict the same old copy was sent again. It will be refused for ever.',
    remedy:
      'After a conflict read the object again and repeat the change on the fresh copy, as retryOnConflict does with a read inside its function.',
  },
  endlessWrites: {
    name: 'a write in every reconcile',
    why: 'Each write wakes the operator again: it compares with something that the server never stores in that form, or writes something new each time.',
    remedy:
      'Write only when what is stored differs from what is wanted; compare only fields that you set yourself; keep times, random values and list order out of what is compared.',
  },
  neverReturns: {
    name: 'a reconcile that never returns',
    why: 'It asks the server again and again inside one reconcile. The worker is taken for ever, and the other keys wait behind it.',
    remedy: 'Do not wait inside a reconcile: return requeueAfterMs, or watch the object that you wait for.',
  },
  failsForEver: {
    name: 'an error that repeats for ever',
    why: 'The same reconcile fails each time in the same way, and nobody will change what makes it fail.',
    remedy: 'Find out what the error asks for; if it cannot be repaired by trying again, say so in the status and return a TerminalError.',
  },
  missedWakeUp: {
    name: 'missed wake-up',
    why: 'Something changed while nobody looked, and the operator has asked for nothing that would wake it again.',
    remedy:
      'Watch every kind that the decision rests on, let no predicate drop the event you wait for, or return requeueAfterMs while waiting.',
  },
  errorSwallowed: {
    name: 'error swallowed',
    why: 'A call failed and the reconcile ended as if all were well, so it is not tried again.',
    remedy: 'Throw what you cannot handle: a reconcile that rejects is run again, with growing pauses.',
  },
  webhookOutage: {
    name: 'outage of a webhook taken for its word',
    why: 'The API server could not ask a webhook. With failurePolicy Fail the write failed, with Ignore it was done without the webhook; the operator never came back to it.',
    remedy:
      'Try again after every code of 500 or more, whatever the message says: only “denied the request” is a refusal. What a webhook fills in must not be missing for ever when it is ignored.',
  },
  notIdempotent: {
    name: 'not idempotent',
    why: 'Nothing had changed, and the operator wrote all the same when it was started or told again.',
    remedy: 'Compare what is stored with what is wanted before writing; do not take a start or an ADDED event for news.',
  },
  convergesElsewhere: {
    name: 'another end than on a calm day',
    why: 'The same wishes of people came to another end because of what happened on the way.',
    remedy:
      'Let each reconcile work from what is there now, not from what was there when it began or what an earlier one has remembered, and make sure that it runs again until all is as wanted.',
  },
} as const satisfies Record<string, Pattern>;

const webhookFaults: ReadonlySet<string> = new Set(['webhook-unreachable', 'webhook-timed-out']);
const failedCalls: ReadonlySet<string> = new Set(['request-lost', 'reply-lost', 'rejected', 'conflict', ...webhookFaults]);

/** What a pattern is recognised by. */
interface Signs {
  readonly property: string;
  readonly culprit: string;
  /** The plan has, or the run shows, a crash, a lost reply, a conflict. */
  readonly crash: boolean;
  readonly replyLost: boolean;
  /** A webhook could not be asked. */
  readonly webhookDown: boolean;
  /** A single call of an operator failed. */
  readonly callFailed: boolean;
  /** How often one and the same kind of write to one object was refused with a conflict. */
  readonly conflicts: number;
  /** On a calm day some reconcile of the process that was struck makes more than one write. */
  readonly severalWrites: boolean;
  /** A finalizer was taken away by an operator. */
  readonly finalizerRemoved: boolean;
}

/** The known mistake that a counterexample looks like; none for a property of the user's own that shows no sign of one. */
export function patternOf({ property, finding, plan, trace, calm }: Counterexample): Pattern | undefined {
  const signs: Signs = {
    property,
    culprit: finding.culprit,
    crash: plan.faults.some(({ kind }) => kind === 'crash' || kind === 'restart'),
    callFailed: plan.faults.some(({ kind }) => failedCalls.has(kind)),
    replyLost: plan.faults.some(({ kind }) => kind === 'reply-lost'),
    webhookDown: plan.faults.some(({ kind }) => webhookFaults.has(kind)),
    conflicts: conflictsOfOneWrite(trace),
    severalWrites: makesSeveralWrites(
      calm,
      new Set(plan.faults.flatMap((fault) => ('at' in fault ? (callParts(fault.at)?.process ?? []) : []))),
    ),
    finalizerRemoved: trace.entries.some(({ event }) => removesFinalizer(event)),
  };
  return match(signs)
    .returnType<Pattern | undefined>()
    .with({ property: 'noDuplicateCreates', replyLost: true }, () => patterns.createdTwiceAfterLostReply)
    .with({ property: 'noDuplicateCreates', crash: true }, () => patterns.createdTwiceAcrossCrash)
    .with({ property: 'noDuplicateCreates' }, () => patterns.createdAgainFromStaleCache)
    .with({ property: 'statusHonest', culprit: P.string.includes('main endpoint') }, () => patterns.statusOnMainEndpoint)
    .with({ property: 'statusHonest', culprit: P.string.includes('observedGeneration goes back') }, () => patterns.statusGoesBack)
    .with({ property: 'statusHonest', culprit: P.string.includes('observedGeneration') }, () => patterns.observedGenerationLies)
    .with({ property: 'noLostUpdate' }, () => patterns.blindOverwrite)
    .with({ property: 'finalizersServed' }, () => patterns.finalizerStays)
    .with(
      { property: 'noOrphans', culprit: P.string.includes('without an owner'), finalizerRemoved: true },
      () => patterns.finalizerTooEarly,
    )
    .with({ property: 'noOrphans' }, () => patterns.missingOwnerReference)
    .with({ property: 'noPrematureDelete', culprit: P.string.includes('by the collector') }, () => patterns.deadOwner)
    .with({ property: 'noPrematureDelete' }, () => patterns.deletedFromStaleView)
    .with({ property: 'noHotLoop', conflicts: P.number.gte(5) }, () => patterns.staleRetry)
    .with({ property: 'noHotLoop', culprit: P.string.includes('never ends') }, () => patterns.neverReturns)
    .with({ property: 'noHotLoop', culprit: P.string.includes('fails for ever') }, () => patterns.failsForEver)
    .with({ property: 'noHotLoop' }, () => patterns.endlessWrites)
    .with({ property: 'noDeadEnd', culprit: P.string.includes('error swallowed') }, () => patterns.errorSwallowed)
    .with({ property: 'noDeadEnd' }, () => patterns.missedWakeUp)
    .with({ property: 'converges', webhookDown: true }, () => patterns.webhookOutage)
    .with({ crash: true, severalWrites: true }, () => patterns.crashBetweenWrites)
    .with({ property: 'converges', callFailed: true, severalWrites: true }, () => patterns.cutShortBetweenWrites)
    .with({ property: 'statusHonest' }, () => patterns.statusGoesBack)
    .with({ property: 'idempotent' }, () => patterns.notIdempotent)
    .with({ property: 'converges' }, () => patterns.convergesElsewhere)
    .otherwise(() => undefined);
}

function conflictsOfOneWrite(trace: Trace): number {
  const counts = new Map<string, number>();
  for (const { event } of trace.entries) {
    if (event.kind !== 'handled' || event.response.code !== 409) continue;
    if ((event.response.body as Status | undefined)?.reason !== 'Conflict') continue;
    const write = withoutNumber(event.call);
    counts.set(write, (counts.get(write) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** @param processes those to look at; all of them when empty, as after a restart that is no call's */
function makesSeveralWrites(calm: Trace, processes: ReadonlySet<string>): boolean {
  return passes(calm).some((pass) => {
    if (processes.size > 0 && !processes.has(pass.process)) return false;
    const writes = entriesOf(calm, pass).filter(({ event }) => event.kind === 'handled' && event.commits.length > 0);
    return writes.length > 1;
  });
}

function removesFinalizer(event: TraceEvent): boolean {
  if (event.kind !== 'handled' || event.process === user) return false;
  return event.commits.some(
    ({ object, previous }) =>
      (previous?.metadata.finalizers?.length ?? 0) > (object?.metadata.finalizers?.length ?? 0) && previous !== undefined,
  );
}
