import type { ApiRequest } from '../apiserver/request.js';
import type { Cancel, Host, Outcome } from '../host.js';
import { bucketRateLimiter, type RateLimiter } from './rate-limiters.js';

/**
 * client-go's limit of the requests that a client makes: each kind has a client below, with a bucket of its own (A37). Requests
 * that must wait go out in their order; watches are not made here, and never wait.
 * @param limit `qps`: tokens a second; `burst`: how many there are at most
 */
export function rateLimited(
  host: Pick<Host, 'nowMs' | 'after'>,
  rest: Pick<Host, 'send'>,
  limit: { readonly qps: number; readonly burst: number },
): Pick<Host, 'send'> {
  const buckets = new Map<string, RateLimiter>();
  return {
    send(request: ApiRequest, done: (outcome: Outcome) => void): Cancel {
      const kind = `${request.group}/${request.version} ${request.resource}`;
      const bucket = buckets.get(kind) ?? bucketRateLimiter(limit.qps, limit.burst);
      buckets.set(kind, bucket);
      const waitMs = bucket.when(kind, host.nowMs());
      if (waitMs === 0) return rest.send(request, done);
      let cancel: Cancel = host.after(
        waitMs,
        `rate limit of ${kind}`,
        `send ${request.verb} ${request.resource} when the rate allows`,
        () => {
          cancel = rest.send(request, done);
        },
      );
      return () => cancel();
    },
  };
}
