import type { ApiServer } from './apiserver/server.js';
import { type ControllerName, controllers } from './controllers/controllers.js';
import type { Gates } from './faults.js';
import type { ObjectFeed } from './host.js';
import type { Kernel } from './kernel/kernel.js';
import type { Process } from './kernel/process.js';
import type { Network } from './network.js';
import type { Fault } from './plan.js';
import type { PlannedFates } from './planned-fates.js';
import type { Recorder } from './recorder.js';
import { type RunningManager, SetupError, startManager } from './runtime/manager.js';
import type { Operator } from './runtime/operator.js';
import { type ClientGoProfile, clientGoProfiles } from './runtime/profile.js';
import { simHost } from './sim-host.js';
import type { World } from './world.js';

/** An operator did something that no run can go on from. It is a mistake of its code, not of its behaviour in the cluster. */
export class OperatorError extends Error {
  constructor(
    readonly operator: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`the operator ${operator} ${problem}`, options);
    this.name = 'OperatorError';
  }
}

/** How long a process that has ended by itself waits before it is started again, in virtual milliseconds. */
const restartMs = 10_000;

type ClockFault = Extract<Fault, { readonly kind: 'restart' | 'freeze' }>;

/** The parts of the world that processes run in. */
export interface Sea {
  readonly kernel: Kernel;
  readonly server: ApiServer;
  readonly network: Network;
  readonly recorder: Recorder;
  readonly gates: Gates;
  readonly fates: PlannedFates;
  readonly epochMs: number;
}

/** Who runs in the cluster: starts processes, and lets them die, stand still and come back. */
export class Crew {
  readonly #sea: () => Sea;
  readonly #operators: ReadonlyMap<string, Operator>;
  readonly #controllers: readonly ControllerName[];
  readonly #clientGo: ClientGoProfile | undefined;
  readonly #running = new Map<string, { readonly process: Process; readonly manager: RunningManager }>();
  readonly #toRestart = new Map<string, () => void>();
  #failure: OperatorError | undefined;

  constructor(world: World, sea: () => Sea) {
    this.#sea = sea;
    this.#operators = new Map(world.operators.map((operator) => [operator.name, operator]));
    this.#controllers = world.controllers;
    this.#clientGo = world.clientGo;
  }

  /** What an operator's code did that ends the run. */
  get failure(): OperatorError | undefined {
    return this.#failure;
  }

  startAll(): void {
    for (const name of this.#controllers) this.#start(name);
    for (const name of this.#operators.keys()) this.#start(name);
  }

  /** Whether a step of this process may have let code of an operator go on. */
  runsOperator(process: Process | undefined): boolean {
    return process !== undefined && this.#operators.has(process.name);
  }

  /** The process dies here and now. @param restartAfterMs virtual milliseconds until it is started again. */
  crash(process: Process, restartAfterMs = restartMs): void {
    if (!process.alive) return;
    const { kernel, network, recorder } = this.#sea();
    process.alive = false;
    kernel.forget(process);
    network.disconnect(process);
    this.#running.delete(process.name);
    recorder.record({ kind: 'crashed', process: process.name, life: process.life });
    const restart = () => {
      this.#toRestart.delete(process.name);
      this.#start(process.name);
    };
    const task = kernel.enqueue(`start of ${process.name}`, `start ${process.name}`, restartAfterMs, restart, { timer: true });
    this.#toRestart.set(process.name, () => {
      kernel.cancel(task);
      restart();
    });
  }

  /** The faults that come by the clock and not at a gate. */
  schedule(faults: readonly Fault[]): void {
    for (const fault of faults) {
      if (fault.kind === 'restart') this.#strike(fault, fault.process, (process) => this.crash(process, fault.restartAfterMs));
      else if (fault.kind === 'freeze') this.#strike(fault, fault.process, (process) => this.#freeze(process, fault.forMs));
      else if (fault.kind === 'node') this.#silence(fault);
    }
  }

  #strike(fault: ClockFault, name: string, does: (process: Process) => void): void {
    const { kernel, recorder, gates } = this.#sea();
    const strike = () => {
      const process = kernel.processes.get(name);
      if (process === undefined || !process.alive || recorder.phase !== 'disturb') return;
      gates.happened(fault);
      recorder.record({ kind: 'fault', fault });
      does(process);
    };
    kernel.enqueue(`fault of ${name}`, `${fault.kind} ${name}`, fault.atMs, strike, { timer: true });
  }

  #silence(fault: Extract<Fault, { readonly kind: 'node' }>): void {
    const { kernel, recorder, server, fates, epochMs } = this.#sea();
    const { node, atMs, forMs } = fault;
    const hear = () => fates.hear(node);
    const silence = () => {
      const known = server.etcd.get({ resource: 'nodes', namespace: '', name: node }) !== undefined;
      if (!known || recorder.phase !== 'disturb') return;
      fates.comes(fault);
      fates.silence(node, epochMs + kernel.nowMs);
      kernel.enqueue(`fault of ${node}`, `return of ${node}`, forMs, hear, { timer: true });
    };
    kernel.enqueue(`fault of ${node}`, `silence of ${node}`, atMs, silence, { timer: true });
  }

  /** Whoever is dead is started at once. */
  heal(): void {
    for (const restart of [...this.#toRestart.values()]) restart();
  }

  /** Every operator dies and comes back with empty memory. */
  restartOperators(): void {
    for (const { process } of [...this.#running.values()]) this.crash(process, 0);
  }

  /** Every informer of every operator hands its handlers everything again. */
  redeliver(): void {
    for (const { manager } of this.#running.values()) manager.redeliver();
  }

  /** Reconciles in progress and keys that a timer will bring back, in words. */
  waiting(): readonly string[] {
    return [...this.#running].flatMap(([name, { manager }]) => {
      const { running, queued, delayed } = manager.pending();
      return [
        ...running.map((key) => `${name} is in a reconcile of ${key}`),
        ...queued.map((key) => `${name} has ${key} in its queue`),
        ...delayed.map(({ key }) => `${name} will reconcile ${key} again by a timer`),
      ];
    });
  }

  /** When the last of all keys that wait for a time will be reconciled again, in virtual milliseconds since the run began. */
  lastWakeMs(): number {
    const { epochMs } = this.#sea();
    return Math.max(
      0,
      ...[...this.#running.values()].flatMap(({ manager }) => manager.pending().delayed.map(({ atMs }) => atMs - epochMs)),
    );
  }

  /** Operators that wait, and where in their code, although nothing of the simulation is on its way to them. */
  stuck(): readonly { readonly operator: string; readonly where: string }[] {
    return [...this.#running].flatMap(([operator, { manager }]) => {
      if (manager.settingUp()) return [{ operator, where: 'setup' }];
      const { running } = manager.pending();
      return running.length === 0 ? [] : [{ operator, where: `reconcile of ${running.join(', ')}` }];
    });
  }

  #start(name: string): void {
    const { kernel, network, recorder } = this.#sea();
    const process = kernel.processes.start(name);
    recorder.record({ kind: 'started', process: name, life: process.life });
    const host = simHost(process, this.#sea());
    const operator = this.#operators.get(name);
    if (operator === undefined) {
      const feed: ObjectFeed = { subscribe: (...subscription) => network.feed(process, ...subscription) };
      controllers[name as ControllerName](host, feed, this.#sea());
      return;
    }
    const manager = startManager(host, operator, {
      profile: this.#profile(name),
      exited: (error) => {
        if (error instanceof SetupError) this.#failure ??= new OperatorError(name, `cannot be started: ${error.message}`, { cause: error });
        else this.crash(process);
      },
    });
    this.#running.set(name, { process, manager });
  }

  #profile(name: string): ClientGoProfile {
    if (this.#clientGo !== undefined) return this.#clientGo;
    const profiles = Object.keys(clientGoProfiles) as [ClientGoProfile, ...ClientGoProfile[]];
    return this.#sea().kernel.decisions.option(`client-go of ${name}`, profiles);
  }

  #freeze(process: Process, forMs: number): void {
    const { kernel, recorder } = this.#sea();
    const untilMs = kernel.nowMs + forMs;
    kernel.freeze(process, untilMs);
    recorder.record({ kind: 'frozen', process: process.name, untilMs });
  }
}
