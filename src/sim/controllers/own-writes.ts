import type { ApiRequest, ApiResponse } from '../apiserver/request.js';
import { resourceOf } from '../call-name.js';
import type { KubeObject } from '../etcd/object.js';
import type { Steps } from './sync.js';
import type { View } from './view.js';

/** What a controller has written for each key, so that it does not look at the key before it has seen it (WL-6). */
export class OwnWrites {
  readonly #written = new Map<string, Map<string, number>>();

  /** Takes down what a look writes. Deletes are not among it: those are expected apart (WL-8). */
  *following(key: string, sync: Steps<void>): Steps<void> {
    let step = sync.next();
    while (step.done !== true) {
      const request = step.value;
      let response: ApiResponse;
      try {
        response = yield request;
      } catch (error) {
        step = sync.throw(error);
        continue;
      }
      this.#wrote(key, request, response);
      step = sync.next(response);
    }
  }

  /** Whether the view has all that was written for the key. */
  seen(key: string, view: View): boolean {
    const written = this.#written.get(key);
    if (written === undefined) return true;
    for (const [resource, revision] of written) if (view.revision(resource) < revision) return false;
    this.#written.delete(key);
    return true;
  }

  /** The object of the key is gone: what was written for it does not concern a namesake. */
  forget(key: string): void {
    this.#written.delete(key);
  }

  #wrote(key: string, request: ApiRequest, response: ApiResponse): void {
    if (request.verb !== 'create' && request.verb !== 'update' && request.verb !== 'patch') return;
    const revision = Number((response.body as KubeObject | undefined)?.metadata?.resourceVersion ?? 0);
    const written = this.#written.get(key) ?? new Map<string, number>();
    const resource = resourceOf(request);
    written.set(resource, Math.max(revision, written.get(resource) ?? 0));
    this.#written.set(key, written);
  }
}
