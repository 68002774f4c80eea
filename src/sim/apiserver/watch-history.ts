import type { Commit } from '../etcd/etcd.js';

/** A kind's events are kept at least this long (LW-17). */
const FRESH_MS = 75_000;
const SMALLEST = 100;
const LARGEST = 102_400;

/** The events of one kind that its watch cache can still replay: a ring that grows while its events are young (LW-17). */
export class WatchHistory {
  #oldest: number;
  #capacity = SMALLEST;
  #first = 0;
  #kept: { readonly commit: Commit; readonly atMs: number }[] = [];
  #last: number;

  /** @param revision the revision at which the cache was filled: it knows nothing that came before. */
  constructor(revision: number) {
    this.#oldest = revision;
    this.#last = revision;
  }

  /** The oldest revision that a watch may start from. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The revision of the newest event, or of the filling. */
  get last(): number {
    return this.#last;
  }

  push(commit: Commit, nowMs: number): void {
    if (this.#size >= this.#capacity) {
      const oldest = this.#kept[this.#first] as { readonly atMs: number };
      if (nowMs - oldest.atMs < FRESH_MS && this.#capacity < LARGEST) this.#capacity *= 2;
      else this.#drop();
    }
    this.#kept.push({ commit, atMs: nowMs });
    this.#last = commit.revision;
  }

  /** Events above a revision, oldest first; undefined when some of them are forgotten. */
  since(revision: number): readonly Commit[] | undefined {
    if (revision < this.#oldest) return undefined;
    const commits: Commit[] = [];
    for (let index = this.#kept.length - 1; index >= this.#first; index--) {
      const { commit } = this.#kept[index] as { readonly commit: Commit };
      if (commit.revision <= revision) break;
      commits.push(commit);
    }
    return commits.reverse();
  }

  get #size(): number {
    return this.#kept.length - this.#first;
  }

  #drop(): void {
    this.#first += 1;
    // The oldest event that is left can be replayed by whoever has seen all before it.
    this.#oldest = (this.#kept[this.#first]?.commit.revision ?? this.#last + 1) - 1;
    if (this.#first > 1000 && this.#first * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#first);
      this.#first = 0;
    }
  }
}
