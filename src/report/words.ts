import { match, P } from 'ts-pattern';
import { type PlanEntry, planEntries } from '../campaign/plan-entries.js';
import type { DecisionName } from '../sim/kernel/decisions.js';
import type { Fault, Latency, Plan, PlannedOp } from '../sim/plan.js';
import { callText, deliveryParts, deliveryText, type KindOf, ownCallText, webhookText } from './decision-names.js';
import { lifeWords } from './life-words.js';
import { durationText, ordinal, timeText } from './numbers.js';

/** What is not as on a calm day, one sentence for each entry of the plan. */
export function planWords(plan: Plan, kindOf: KindOf): readonly string[] {
  return planEntries(plan).map((entry) => entryWords(entry, kindOf, plan.seed));
}

function entryWords(entry: PlanEntry, kindOf: KindOf, seed: number): string {
  return match(entry)
    .with({ part: 'fault' }, ({ fault }) => faultWords(fault, kindOf))
    .with({ part: 'op' }, ({ op }) => `${opWords(op, kindOf)} at ${timeText(op.atMs)}.`)
    .with({ part: 'override' }, ({ decision, answer }) => overrideWords(decision, answer, kindOf))
    .with({ part: 'latency' }, ({ latency }) => latencyWords(latency))
    .with(
      { part: 'strategy', strategy: { kind: 'uniform' } },
      () => `Whatever could happen next happened in a random order (seed ${seed}).`,
    )
    .with(
      { part: 'strategy', strategy: { kind: 'pct' } },
      ({ strategy }) =>
        `Some parts of the cluster went ahead and others lagged, by priorities that changed ${strategy.depth - 1} times (seed ${seed}).`,
    )
    .with({ part: 'strategy', strategy: { kind: 'calm' } }, () => 'Everything happened in the calm order.')
    .exhaustive();
}

/** What went wrong, as a sentence. */
export function faultWords(fault: Fault, kindOf: KindOf): string {
  const call = (name: DecisionName): string => callText(name, kindOf);
  return match(fault)
    .with({ kind: 'request-lost' }, ({ at }) => sentence(`${call(at)} was lost before it reached the server`))
    .with({ kind: 'rejected' }, ({ at, code }) => sentence(`the server refused ${call(at)} with ${rejections[code]}, and did nothing`))
    .with({ kind: 'conflict' }, ({ at }) => sentence(`somebody else changed the object just before ${call(at)} reached the server`))
    .with({ kind: 'reply-lost' }, ({ at }) => sentence(`the reply to ${call(at)} was lost after the server had done it`))
    .with({ kind: 'watch-ended' }, ({ at }) => sentence(`the server ended ${watchInstead(at, kindOf)}`))
    .with({ kind: 'watch-reset' }, ({ at }) => sentence(`the connection broke of ${watchInstead(at, kindOf)}`))
    .with({ kind: 'watch-expired' }, ({ at }) =>
      deliveryParts(at) === undefined
        ? sentence(`the server answered ${call(at)} with 410 Gone: its history does not go back so far`)
        : sentence(`the server said 410 Gone to ${watchInstead(at, kindOf)}`),
    )
    .with({ kind: 'stale-read' }, ({ at, revisions }) =>
      sentence(
        `${call(at)} was answered by an API server whose cache was ${revisions === 1 ? 'one change' : `${revisions} changes`} behind`,
      ),
    )
    .with({ kind: 'webhook-unreachable' }, ({ at }) => sentence(`the server could not reach ${webhookText(at, kindOf)}`))
    .with({ kind: 'webhook-timed-out' }, ({ at }) => sentence(`the server got no answer in time from ${webhookText(at, kindOf)}`))
    .with({ kind: 'crash', when: 'before' }, ({ at, restartAfterMs }) =>
      sentence(
        `${processOf(at)} crashed just before ${ownCallText(at, kindOf)}, and started again with empty memory ${durationText(restartAfterMs)} later`,
      ),
    )
    .with({ kind: 'crash', when: 'after' }, ({ at, restartAfterMs }) =>
      sentence(
        `${processOf(at)} crashed after ${ownCallText(at, kindOf)} was done and before the answer came, and started again with empty memory ${durationText(restartAfterMs)} later`,
      ),
    )
    .with({ kind: 'restart' }, ({ process, atMs, restartAfterMs }) =>
      sentence(`${process} was killed at ${timeText(atMs)} and started again with empty memory ${durationText(restartAfterMs)} later`),
    )
    .with({ kind: 'freeze' }, ({ process, atMs, forMs }) =>
      sentence(`${process} stood still for ${durationText(forMs)} from ${timeText(atMs)} on`),
    )
    .with({ kind: P.union('pod', 'claim', 'node') }, (trouble) => `${lifeWords(trouble)}.`)
    .exhaustive();
}

/** `A user deleted Web default/a`, without a time. */
export function opWords({ op, target, args }: PlannedOp, kindOf: KindOf): string {
  const what =
    target === undefined ? '' : `${kindOf(target.resource)} ${target.namespace === '' ? '' : `${target.namespace}/`}${target.name}`;
  return match(op)
    .with('delete', () => `A user deleted ${what}`)
    .with('recreate', () => `A user deleted ${what} and made it again under the same name`)
    .with('touch', () => `A user edited an annotation of ${what} that means nothing`)
    .otherwise(() => `A user did “${op}”${args === undefined ? '' : ` with ${JSON.stringify(args)}`}`);
}

function overrideWords(decision: DecisionName, answer: number | string, kindOf: KindOf): string {
  if (typeof answer === 'string') {
    const operator = /^client-go of (.+)$/.exec(decision)?.[1];
    return operator === undefined
      ? `“${decision}” was decided as ${answer}.`
      : `${operator} is built with ${generations[answer] ?? answer}.`;
  }
  const delay = durationText(answer);
  const delivery = deliveryParts(decision);
  if (delivery !== undefined)
    return sentence(
      `${delivery.process} heard of ${deliveryText(delivery, kindOf)} only ${delay} after it: its cache was behind for so long`,
    );
  const [, direction, call] = /^(send|reply to) (.+) #\d+$/.exec(decision) ?? [];
  if (call !== undefined)
    return sentence(
      direction === 'send'
        ? `${callText(call, kindOf)} took ${delay} to reach the server`
        : `the reply to ${callText(call, kindOf)} took ${delay}`,
    );
  const [, controller, key, process, time] = /^run (\S+) (\S+) by (.+) #(\d+)$/.exec(decision) ?? [];
  if (controller !== undefined)
    return sentence(
      `the ${ordinal(Number(time))} reconcile of ${key} by ${process} (controller ${controller}) waited ${delay} for its turn`,
    );
  const [, act] = /^user (.+) #\d+$/.exec(decision) ?? [];
  if (act !== undefined) return `A user’s “${workWords(act, kindOf)}” came only ${delay} after the run began.`;
  return `“${decision}” came only after ${delay}.`;
}

/** A step of the workload with kinds in the place of resources: `edit Web default/a`. */
export function workWords(about: string, kindOf: KindOf): string {
  return about.split(' ').map(kindOf).join(' ');
}

function latencyWords({ requestMs, replyMs, watchMs }: Latency): string {
  return `Every request took ${durationText(requestMs)} to the server, every reply ${durationText(replyMs)} back, and every watch event ${durationText(watchMs)}.`;
}

function watchInstead(at: DecisionName, kindOf: KindOf): string {
  const delivery = deliveryParts(at);
  if (delivery === undefined) return `a watch at “${at}”`;
  return `the watch of ${kindOf(delivery.resource)} objects by ${delivery.process} instead of bringing ${deliveryText(delivery, kindOf)}`;
}

function processOf(call: DecisionName): string {
  return /by (.+) #\d+$/.exec(call)?.[1] ?? 'the process';
}

/** A whole sentence of a text that begins with a word of its own or with the name of a process. */
function sentence(text: string): string {
  const begins = /^(the|somebody) /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return `${begins}.`;
}

const rejections = { 429: '429 Too Many Requests', 500: '500 Internal Error', 503: '503 Service Unavailable' } as const;

const generations: Readonly<Record<string, string>> = {
  default: 'client-go 1.36 or later',
  list: 'client-go 1.36 or later against a server that does not stream lists',
  'fifo-1.35': 'client-go 1.35',
  'fifo-1.34': 'client-go 1.34',
  deltafifo: 'client-go up to 1.32 (DeltaFIFO)',
};
