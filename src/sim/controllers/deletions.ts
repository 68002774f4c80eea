import type { KubeObject } from '../etcd/object.js';
import { pathOfObject } from './references.js';
import type { View } from './view.js';

/** The pods that were deleted for each key, as long as the view shows them alive: until then nothing more is done (WL-8). */
export class ExpectedDeletions {
  readonly #expected = new Map<string, KubeObject[]>();

  expect(key: string, pods: readonly KubeObject[]): void {
    this.#expected.set(key, [...pods]);
  }

  /** Its deletion did not succeed: nobody waits for it. */
  drop(key: string, pod: KubeObject): void {
    this.#expected.set(
      key,
      (this.#expected.get(key) ?? []).filter((each) => each !== pod),
    );
  }

  satisfied(key: string, view: View): boolean {
    const left = (this.#expected.get(key) ?? []).filter((pod) => {
      const now = view.get('pods', pathOfObject(pod));
      return now?.metadata.uid === pod.metadata.uid && now?.metadata.deletionTimestamp === undefined;
    });
    if (left.length === 0) this.#expected.delete(key);
    else this.#expected.set(key, left);
    return left.length === 0;
  }

  forget(key: string): void {
    this.#expected.delete(key);
  }
}
