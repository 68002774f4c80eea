import type { Status } from './apiserver/request.js';
import { ApiServer } from './apiserver/server.js';
import { defaultNode } from './controllers/kubelet/node-status.js';
import { Crew, OperatorError, type Sea } from './crew.js';
import { Etcd } from './etcd/etcd.js';
import { groupVersionOf, type KubeObject } from './etcd/object.js';
import { Gates } from './faults.js';
import { Kernel } from './kernel/kernel.js';
import { turn } from './kernel/turn.js';
import { Network } from './network.js';
import { type ActResult, People } from './people.js';
import type { Plan, PlannedOp } from './plan.js';
import { PlannedFates } from './planned-fates.js';
import { Recorder } from './recorder.js';
import { type Budget, oneStep, runUntilSettled } from './settling.js';
import { stormEndMs } from './storm.js';
import type { Phase, PhaseEnd, Trace } from './trace.js';
import { WebhookCalls } from './webhook-calls.js';
import { webhookServices } from './webhook-configurations.js';
import type { World } from './world.js';

/** The moment at which every run begins, in milliseconds since 1970. */
const epochMs = Date.UTC(2026, 0, 1);
const firstRevision = 1_000;
const disturbSteps = 20_000;
/** Longer than client-go's longest back-off (C10), and than most of what operators poll for. */
const settleBudget: Budget = { steps: 20_000, forMs: 3 * 3_600_000, quietMs: 20 * 60_000 };
/** A probe asks what is written, and whoever polls has said so by then. */
const probeBudget: Budget = { ...settleBudget, quietMs: 0 };

/** The world cannot be set up as it is described: an object or a CRD that the server refuses. */
export class WorldError extends Error {
  constructor(world: string, problem: string) {
    super(`the scenario ${world} cannot be set up: ${problem}`);
    this.name = 'WorldError';
  }
}

/**
 * One run, from the first start to the last probe. The same world and plan give the same trace, always and everywhere.
 * @throws WorldError when the server refuses what the world begins with
 * @throws OperatorError when an operator's code fails in a way that no cluster has a part in
 * @throws WebhookError, ActError when the author's code for a webhook or an act fails
 */
export async function simulate(world: World, plan: Plan): Promise<Trace> {
  const run = new Run(world, plan);
  await run.disturb();
  run.heal();
  if ((await run.settle('settle')) !== 'budget') await run.probe();
  return run.trace();
}

class Run {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #sea: Sea;
  readonly #people: People;
  readonly #crew: Crew;
  readonly #unusedOps = new Set<PlannedOp>();

  constructor(world: World, plan: Plan) {
    this.#world = world;
    this.#plan = plan;
    const kernel = new Kernel({ seed: plan.seed, overrides: plan.overrides, strategy: plan.strategy });
    const etcd = new Etcd(firstRevision);
    const environment = {
      nowMs: () => epochMs + kernel.nowMs,
      random: (name: string) => kernel.decisions.unit(kernel.decisions.name(name)),
    };
    const gates = new Gates(plan.faults);
    const recorder = new Recorder(kernel, etcd);
    const webhooks = new WebhookCalls({ webhooks: world.webhooks, kernel, gates, recorder });
    const server = new ApiServer({ etcd, environment, webhooks: (call) => webhooks.answer(call) });
    this.#crew = new Crew(world, () => this.#sea);
    const network = new Network({ kernel, server, gates, recorder, webhooks, latency: plan.latency, undertaker: this.#crew, epochMs });
    const fates = new PlannedFates(plan.faults, (fault) => {
      gates.happened(fault);
      recorder.record({ kind: 'fault', fault });
    });
    this.#sea = { kernel, server, network, recorder, gates, fates, epochMs };
    this.#people = new People(network, server, world.acts);
    this.#furnish();
    this.#crew.startAll();
  }

  /** People act, and whatever the plan holds happens to the cluster. */
  async disturb(): Promise<void> {
    const { kernel, recorder } = this.#sea;
    recorder.record({ kind: 'phase', phase: 'disturb' });
    let lastActMs = 0;
    for (const { atMs, about, act } of this.#world.workload) {
      lastActMs = Math.max(lastActMs, atMs);
      this.#at(atMs, `user ${about}`, () => this.#note(about, this.#people.act(act)));
    }
    for (const op of this.#plan.ops) {
      lastActMs = Math.max(lastActMs, op.atMs);
      this.#unusedOps.add(op);
      this.#at(op.atMs, `user ${op.op}`, () => {
        const result = this.#people.perform(op);
        if (result.done) this.#unusedOps.delete(op);
        this.#note(op, result);
      });
    }
    this.#crew.schedule(this.#plan.faults);
    const untilMs = stormEndMs(lastActMs, this.#plan.faults);
    await turn();
    while (!kernel.quiescent && (kernel.nextAtMs() ?? untilMs) < untilMs && kernel.steps < disturbSteps) {
      await oneStep(kernel, this.#crew);
      const step = kernel.current;
      if (step !== undefined && step.heldMs > 0) recorder.held({ decision: step.decision, waitedMs: step.waitedMs });
    }
    recorder.endPhase({ end: kernel.quiescent ? 'quiescent' : 'polling', waiting: this.#crew.waiting() });
  }

  /** From here on nothing goes wrong any more, and what went wrong is put right. */
  heal(): void {
    const { kernel, gates, fates } = this.#sea;
    gates.heal();
    fates.heal();
    kernel.heal();
    this.#crew.heal();
  }

  /** Lets the cluster come to rest. */
  async settle(phase: Phase): Promise<PhaseEnd> {
    const { kernel, recorder, server } = this.#sea;
    if (phase === 'settle') recorder.record({ kind: 'phase', phase });
    await turn();
    const end = await runUntilSettled(kernel, this.#crew, server.etcd, phase === 'settle' ? settleBudget : probeBudget);
    if (end === 'quiescent') this.#nobodyStuck();
    recorder.endPhase({ end, waiting: this.#crew.waiting() });
    return end;
  }

  /** Three questions to a cluster at rest, each of which a sound operator answers with silence. */
  async probe(): Promise<void> {
    const { recorder } = this.#sea;
    const probes: readonly [Phase, () => void][] = [
      ['probe-restart', () => this.#crew.restartOperators()],
      ['probe-redelivery', () => this.#crew.redeliver()],
      ['probe-deletion', () => this.#deleteRoots()],
    ];
    for (const [phase, begin] of probes) {
      recorder.record({ kind: 'phase', phase });
      begin();
      if ((await this.settle(phase)) === 'budget') return;
    }
  }

  trace(): Trace {
    const { kernel, gates, recorder } = this.#sea;
    const unused = [
      ...[...this.#unusedOps].map((op) => `${op.op} at ${op.atMs} ms`),
      ...gates.unused(this.#plan.faults),
      ...kernel.decisions.unused(),
    ];
    return recorder.trace(this.#plan, unused);
  }

  /** The cluster as it is before anybody acts: namespaces, CRDs, objects. */
  #furnish(): void {
    const { objects, crds, workload, controllers } = this.#world;
    const services = webhookServices(this.#world);
    const made = workload.flatMap(({ act }) => (act.kind === 'create' ? [act.object] : []));
    const named = [...services, ...objects, ...made].flatMap(({ metadata }) => metadata?.namespace ?? []);
    const own = objects.filter(({ kind }) => kind === 'Namespace');
    const missing = new Set(['default', 'kube-system', ...named]);
    for (const { metadata } of own) missing.delete(metadata?.name ?? '');
    const namespaces = [...missing].map((name): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    const others = objects.filter(({ kind }) => kind !== 'Namespace');
    for (const object of [...namespaces, ...own, ...crds, ...services, ...others]) this.#install(object);
    if (controllers.includes('kubelet') && !objects.some(({ kind }) => kind === 'Node')) this.#addNode();
  }

  /** A node that has been up for long: it is there as it is, and without the taint that a new one gets (TK-11). */
  #addNode(): void {
    const node = defaultNode(epochMs);
    this.#sea.server.etcd.put({ resource: 'nodes', namespace: '', name: node.metadata.name ?? '' }, node);
  }

  #install(object: KubeObject): void {
    const { server } = this.#sea;
    const { group, version } = groupVersionOf(object.apiVersion ?? '');
    const kind = server.kinds.findKind(group, version, object.kind ?? '');
    const what = `${object.kind} ${object.metadata?.name}`;
    if (kind === undefined)
      throw new WorldError(
        this.#world.name,
        `the server knows no kind ${object.kind} in ${object.apiVersion}; install its CustomResourceDefinition first, in \`crds\``,
      );
    const namespace = kind.namespaced ? { namespace: object.metadata.namespace ?? 'default' } : {};
    const { response } = server.handle({ verb: 'create', group, version, resource: kind.plural, ...namespace, body: object });
    if (response.code !== 201)
      throw new WorldError(this.#world.name, `the server refuses ${what}: ${(response.body as Status).message ?? response.code}`);
  }

  #at(atMs: number, what: string, run: () => void): void {
    this.#sea.kernel.enqueue('people', what, atMs, run, { timer: true });
  }

  #note(op: PlannedOp | string, result: ActResult): void {
    this.#sea.recorder.record({ kind: 'op', op, ...result });
  }

  #deleteRoots(): void {
    for (const target of this.#people.roots()) this.#people.act({ kind: 'delete', target });
  }

  /** At rest a setup or a reconcile that still waits, waits for something that is not of the simulation. */
  #nobodyStuck(): void {
    for (const { operator, where } of this.#crew.stuck())
      throw new OperatorError(
        operator,
        `waits in its ${where} for something that the simulation does not know, such as a real timer, a file or a socket; use only the manager's client and the context's clock`,
      );
  }
}
