import type { ApiRequest } from './apiserver/request.js';
import type { Cancel, Host, Outcome, ProcessEvent, WatchSink } from './host.js';
import type { Kernel } from './kernel/kernel.js';
import type { Process } from './kernel/process.js';
import type { Network } from './network.js';
import type { Recorder } from './recorder.js';

/** The machine that one life of a process runs on. Once the process is dead nothing it does has an effect. */
export function simHost(process: Process, world: { kernel: Kernel; network: Network; recorder: Recorder; epochMs: number }): Host {
  const { kernel, network, recorder, epochMs } = world;
  const dead: Cancel = () => {};
  return {
    process: process.name,
    nowMs: () => epochMs + kernel.nowMs,
    after(delayMs: number, lane: string, what: string, run: () => void, periodic = false): Cancel {
      if (!process.alive) return dead;
      // A wait and a hand-over are in lanes of their own: the wait may be long, and must not keep what is due from going.
      const timer = delayMs > 0;
      const name = `${timer ? 'timer' : 'work'} ${lane} of ${process.name}`;
      const task = kernel.enqueue(name, `${what} by ${process.name}`, delayMs, run, { process, timer, periodic });
      return () => kernel.cancel(task);
    },
    random: (name: string) => kernel.decisions.unit(kernel.decisions.name(`${name} by ${process.name}`)),
    send: (request: ApiRequest, done: (outcome: Outcome) => void) => (process.alive ? network.send(process, request, done) : dead),
    watch: (request: ApiRequest, sink: WatchSink) => (process.alive ? network.watch(process, request, sink) : dead),
    note(event: ProcessEvent): void {
      if (process.alive) recorder.record({ kind: 'process', process: process.name, event });
    },
  };
}
