import type { ApiRequest, ApiResponse } from '../apiserver/request.js';
import type { Host, Outcome } from '../host.js';
import { OrdinaryError } from '../kernel/ordinary-error.js';

/**
 * Requests of a controller, written as a straight line that gives back a value: it yields requests and is given their answers.
 * An answer that is an error and a connection that is lost are thrown into it as `RequestFailed`.
 */
export type Steps<T> = Generator<ApiRequest, T, ApiResponse>;

/** One look at one key. */
export type Sync = Steps<void>;

/** A request of a controller that did not succeed; the key is looked at again after a while. */
export class RequestFailed extends OrdinaryError {
  constructor(
    readonly request: ApiRequest,
    /** The HTTP code; 0 when the connection was lost. */
    readonly code: number,
    message = `${request.verb} ${request.resource} ${request.name ?? ''} was answered with ${code}`,
  ) {
    super(message);
    this.name = 'RequestFailed';
  }
}

/** Runs a straight line of requests to its end; `failed` is true when it ended in a `RequestFailed` that it did not catch. */
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
      if (!(error instanceof RequestFailed)) throw error;
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
  const { code, body } = outcome.response;
  const message = body !== null && typeof body === 'object' && 'message' in body ? body.message : undefined;
  return new RequestFailed(request, code, typeof message === 'string' ? message : undefined);
}
