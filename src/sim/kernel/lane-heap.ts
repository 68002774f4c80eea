import type { Task } from './kernel.js';

interface Lane {
  readonly name: string;
  /** In the order in which they must happen. */
  readonly tasks: Task[];
  /** Where the lane stands in the heap. */
  position: number;
}

/** All lanes that have something in them, as a binary heap by the due time of their heads. */
export class LaneHeap {
  readonly #lanes = new Map<string, Lane>();
  readonly #heap: Lane[] = [];

  /** Adds a task to its lane, behind those that are due no later. */
  add(task: Task): void {
    const lane = this.#lanes.get(task.lane);
    if (lane === undefined) {
      const fresh: Lane = { name: task.lane, tasks: [task], position: this.#heap.length };
      this.#lanes.set(task.lane, fresh);
      this.#heap.push(fresh);
      this.#up(fresh);
      return;
    }
    let index = lane.tasks.length;
    while (task.timer && index > 0 && (lane.tasks[index - 1] as Task).readyAtMs > task.readyAtMs) index -= 1;
    // A lane is first in, first out: whoever comes behind a late task is late as well.
    if (!task.timer && index > 0) task.readyAtMs = Math.max(task.readyAtMs, (lane.tasks[index - 1] as Task).readyAtMs);
    lane.tasks.splice(index, 0, task);
    if (index === 0) this.#up(lane);
  }

  /** The task that is due first. */
  first(): Task | undefined {
    for (;;) {
      const lane = this.#heap[0];
      if (lane === undefined) return undefined;
      const head = lane.tasks[0] as Task;
      if (!head.cancelled) return head;
      this.#dropHead(lane);
    }
  }

  /** The heads of all lanes, in no order that may matter. */
  heads(): readonly Task[] {
    for (let index = 0; index < this.#heap.length; ) {
      const lane = this.#heap[index] as Lane;
      if ((lane.tasks[0] as Task).cancelled) {
        this.#dropHead(lane);
        index = 0;
      } else index += 1;
    }
    return this.#heap.map((lane) => lane.tasks[0] as Task);
  }

  /** Removes the head of a lane. */
  remove(task: Task): void {
    const lane = this.#lanes.get(task.lane);
    if (lane === undefined || lane.tasks[0] !== task) throw new Error(`the lane ${task.lane} does not begin with ${task.decision}`);
    this.#dropHead(lane);
  }

  /** Every task, those of one lane in their order. */
  all(): readonly Task[] {
    return this.#heap.flatMap((lane) => lane.tasks);
  }

  /** Gives every task a new due time and puts all in order again. */
  reschedule(readyAtMs: (task: Task) => number): void {
    const tasks = this.all();
    this.#lanes.clear();
    this.#heap.length = 0;
    for (const task of tasks) {
      task.readyAtMs = readyAtMs(task);
      if (!task.cancelled) this.add(task);
    }
  }

  #dropHead(lane: Lane): void {
    lane.tasks.shift();
    if (lane.tasks.length > 0) {
      this.#down(lane);
      return;
    }
    this.#lanes.delete(lane.name);
    const last = this.#heap.pop() as Lane;
    if (last === lane) return;
    last.position = lane.position;
    this.#heap[last.position] = last;
    this.#up(last);
    this.#down(last);
  }

  #up(lane: Lane): void {
    while (lane.position > 0) {
      const parent = this.#heap[(lane.position - 1) >> 1] as Lane;
      if (!before(lane, parent)) return;
      this.#swap(lane, parent);
    }
  }

  #down(lane: Lane): void {
    for (;;) {
      const left = this.#heap[2 * lane.position + 1];
      const right = this.#heap[2 * lane.position + 2];
      const child = right !== undefined && left !== undefined && before(right, left) ? right : left;
      if (child === undefined || !before(child, lane)) return;
      this.#swap(child, lane);
    }
  }

  #swap(a: Lane, b: Lane): void {
    const position = a.position;
    a.position = b.position;
    b.position = position;
    this.#heap[a.position] = a;
    this.#heap[b.position] = b;
  }
}

function before(a: Lane, b: Lane): boolean {
  const left = a.tasks[0] as Task;
  const right = b.tasks[0] as Task;
  return left.readyAtMs < right.readyAtMs || (left.readyAtMs === right.readyAtMs && left.sequence < right.sequence);
}
