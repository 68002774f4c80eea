import type { ClusterState } from './cluster-state.js';
import { type Etcd, keyOf } from './etcd/etcd.js';
import type { KubeObject } from './etcd/object.js';
import type { Kernel } from './kernel/kernel.js';
import type { Plan } from './plan.js';
import type { Held, Phase, PhaseSummary, Trace, TraceEntry, TraceEvent } from './trace.js';

/** Writes the trace while the run goes on. */
export class Recorder {
  readonly #kernel: Kernel;
  readonly #etcd: Etcd;
  readonly #entries: TraceEntry[] = [];
  readonly #phases: PhaseSummary[] = [];
  readonly #held: Held[] = [];
  #phase: Phase = 'disturb';

  constructor(kernel: Kernel, etcd: Etcd) {
    this.#kernel = kernel;
    this.#etcd = etcd;
  }

  record(event: TraceEvent): void {
    if (event.kind === 'phase') this.#phase = event.phase;
    const step = this.#kernel.current;
    this.#entries.push({
      seq: this.#entries.length + 1,
      atMs: this.#kernel.nowMs,
      phase: this.#phase,
      decision: step?.decision ?? 'begin',
      heldMs: step?.heldMs ?? 0,
      revision: this.#etcd.revision,
      event,
    });
  }

  /** Notes a step that a strategy has held back. */
  held(held: Held): void {
    this.#held.push(held);
  }

  endPhase(summary: Pick<PhaseSummary, 'end' | 'waiting'>): void {
    this.#phases.push({
      phase: this.#phase,
      endedAtMs: this.#kernel.nowMs,
      steps: this.#kernel.steps,
      seq: this.#entries.length,
      revision: this.#etcd.revision,
      ...summary,
    });
  }

  get phase(): Phase {
    return this.#phase;
  }

  trace(plan: Plan, unused: readonly string[]): Trace {
    const etcd = this.#etcd;
    return {
      plan,
      entries: this.#entries,
      phases: this.#phases,
      held: this.#held,
      unused,
      steps: this.#kernel.steps,
      stateAt: (revision) => stateAt(etcd, revision),
    };
  }
}

/** The store as it was at a revision, read from its log when it is asked for. */
function stateAt(etcd: Etcd, revision: number): ClusterState {
  const lists = new Map<string, readonly KubeObject[]>();
  const list = (resource: string): readonly KubeObject[] => {
    let objects = lists.get(resource);
    if (objects === undefined) {
      objects = etcd.listAt(resource, revision);
      lists.set(resource, objects);
    }
    return objects;
  };
  return {
    revision,
    get: (resource, namespace, name) =>
      list(resource).find((object) => object.metadata.name === name && (object.metadata.namespace ?? '') === namespace),
    list: (resource, namespace) =>
      namespace === undefined ? list(resource) : list(resource).filter((object) => object.metadata.namespace === namespace),
    all: () => etcd.resources().flatMap((resource) => list(resource).map((object) => ({ key: keyOf(resource, object), object }))),
  };
}
