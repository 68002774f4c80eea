import type { ApiRequest, ApiResponse } from '../apiserver/request.js';
import type { Host, Outcome } from '../host.js';
import { OrdinaryError } from '../kernel/ordinary-error.js';

/** A straight line of requests that gives back a value; it yields requests and is given their answers. */
export type Steps<T> = Generator<ApiRequest, T, ApiResponse>;

/** One look at one key. An answer that is an error and a connection that is lost are thrown into it as `RequestFailed`. */
export type Sync = Steps<void>;

/** A look at a key that has not come to its end; the key is looked at again after a while. */
export class SyncFailed extends OrdinaryError {
  constructor(message: string) {
    super(message);
    this.name = 'SyncFailed';
  }
}

/** A request of a controller that did not succeed. */
export class RequestFailed extends SyncFailed {
  constructor(
    readonly request: ApiRequest,
    /** The HTTP code; 0 when the connection was lost. */
    readonly code: number,
    message = `${request.verb} ${request.resource} ${request.name ?? ''} was answered with ${code}`,
    /** The causes that the answer gives. */
    readonly causes: readonly string[] = [],
  ) {
    super(message);
    this.name = 'RequestFailed';
  }
}

/** Whether this is the error of a request that was answered with one of the codes. */
export function answeredWith(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof RequestFailed && codes.includes(error.code);
}

/** WL-11 */
export function isNamespaceTerminating(error: unknown): boolean {
  return error instanceof RequestFailed && error.causes.includes('NamespaceTerminating');
}

/** Takes the steps as far as they go. @returns why they have not come to their end; undefined: they have */
export function* attempt(steps: Steps<unknown>): Steps<SyncFailed | undefined> {
  try {
    yield* steps;
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncFailed)) throw error;
    return error;
  }
}

/** Runs a straight line of requests to its end; `failed` is true when it ended in a `SyncFailed` that it did not catch. */
export function drive(host: Host, sync: Sync, done: (failed: boolean) => void): void {
  const go = (step: IteratorResult<ApiRequest, void>): void => {
    if (step.done === true) {
      done(false);
      return;
    }
    const request = step.value;
    host.send(request, (outcome) => {
      const code = 'lost' in outcome ? 0 : outcome.response.code;
      const ok = code >= 200 && code < 300;
      resume(() => (ok && 'response' in outcome ? sync.next(outcome.response) : sync.throw(failed(request, outcome))));
    });
  };
  const resume = (next: () => IteratorResult<ApiRequest, void>): void => {
    let step: IteratorResult<ApiRequest, void>;
    try {
      step = next();
    } catch (error) {
      if (!(error instanceof SyncFailed)) throw error;
      done(true);
      return;
    }
    go(step);
  };
  resume(() => sync.next());
}

/** What the server says, where it says anything. */
function failed(request: ApiRequest, outcome: Outcome): RequestFailed {
  if ('lost' in outcome) return new RequestFailed(request, 0);
  const { code } = outcome.response;
  const body = outcome.response.body as { readonly message?: unknown; readonly details?: { readonly causes?: unknown } } | null | undefined;
  const message = typeof body?.message === 'string' ? body.message : undefined;
  const causes = Array.isArray(body?.details?.causes) ? body.details.causes : [];
  return new RequestFailed(
    request,
    code,
    message,
    causes.map(({ reason }: { readonly reason?: string }) => reason ?? ''),
  );
}
