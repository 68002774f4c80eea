import type { DecisionName } from '../sim/kernel/decisions.js';
import type { Strategy } from '../sim/kernel/strategy.js';
import { calmLatency, calmPlan, type Fault, type Latency, type Plan, type PlannedOp } from '../sim/plan.js';

/** One thing in a plan that is not as on a calm day: what can be taken out, and what a person has to read. */
export type PlanEntry =
  | { readonly part: 'op'; readonly op: PlannedOp }
  | { readonly part: 'fault'; readonly fault: Fault }
  | { readonly part: 'override'; readonly decision: DecisionName; readonly answer: number | string }
  | { readonly part: 'strategy'; readonly strategy: Strategy }
  | { readonly part: 'latency'; readonly latency: Latency };

/** The plan as a list of entries. */
export function planEntries(plan: Plan): readonly PlanEntry[] {
  const { requestMs, replyMs, watchMs } = plan.latency;
  const unusual = requestMs !== calmLatency.requestMs || replyMs !== calmLatency.replyMs || watchMs !== calmLatency.watchMs;
  return [
    ...(plan.strategy.kind === 'calm' ? [] : [{ part: 'strategy', strategy: plan.strategy } as const]),
    ...(unusual ? [{ part: 'latency', latency: plan.latency } as const] : []),
    ...Object.entries(plan.overrides).map(([decision, answer]) => ({ part: 'override', decision, answer }) as const),
    ...plan.faults.map((fault) => ({ part: 'fault', fault }) as const),
    ...plan.ops.map((op) => ({ part: 'op', op }) as const),
  ];
}

/** How many things in a plan a person has to read. */
export function entryCount(plan: Plan): number {
  return planEntries(plan).length;
}

/** The plan that has these entries and is calm in all else. */
export function planOf({ scenario, seed }: Pick<Plan, 'scenario' | 'seed'>, entries: readonly PlanEntry[]): Plan {
  const calm = calmPlan(scenario, seed);
  return {
    ...calm,
    ops: entries.flatMap((entry) => (entry.part === 'op' ? [entry.op] : [])),
    faults: entries.flatMap((entry) => (entry.part === 'fault' ? [entry.fault] : [])),
    overrides: Object.fromEntries(entries.flatMap((entry) => (entry.part === 'override' ? [[entry.decision, entry.answer]] : []))),
    strategy: entries.reduce((strategy, entry) => (entry.part === 'strategy' ? entry.strategy : strategy), calm.strategy),
    latency: entries.reduce((latency, entry) => (entry.part === 'latency' ? entry.latency : latency), calm.latency),
  };
}
