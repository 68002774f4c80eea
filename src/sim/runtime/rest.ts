import type { ApiRequest } from '../apiserver/request.js';
import type { Cancel, Host, Outcome, WatchSink } from '../host.js';

const mostRetries = 10;
const lostRetryMs = 1000;

/**
 * client-go's REST client between a host's network and whoever asks: it tries again what may be tried again, unseen by
 * those above (A36). It has the shape of the host's own `send` and `watch`.
 */
export class RestClient {
  /** The next request goes out on a connection that has served before; if that one is lost, Go's transport takes another at once. */
  private connectionUsed = false;

  constructor(private readonly host: Host) {}

  send(request: ApiRequest, done: (outcome: Outcome) => void): Cancel {
    return this.persist(request, (retry) =>
      this.host.send(request, (outcome) => {
        if (!retry(outcome)) done(outcome);
      }),
    );
  }

  watch(request: ApiRequest, sink: WatchSink): Cancel {
    let over = false;
    const cancel = this.persist(request, (retry) =>
      this.host.watch(request, {
        opened: () => sink.opened(),
        refused: (outcome) => {
          if (retry(outcome)) return;
          over = true;
          if ('response' in outcome || outcome.lost === 'refused') {
            sink.refused(outcome);
            return;
          }
          // All tries were lost: what comes up is an empty watch, no error (A17).
          sink.opened();
          sink.ended('eof');
        },
        event: (event) => sink.event(event),
        ended: (how) => {
          over = true;
          this.connectionUsed = how === 'eof';
          sink.ended(how);
        },
      }),
    );
    return () => {
      // Whoever gives up an open watch closes its connection.
      if (!over) this.connectionUsed = false;
      cancel();
    };
  }

  /** @param attempt sends once; the function it gets tells whether it will be called again because of an outcome */
  private persist(request: ApiRequest, attempt: (retry: (outcome: Outcome) => boolean) => Cancel): Cancel {
    let retries = 0;
    let cancel: Cancel;
    const retry = (outcome: Outcome): boolean => {
      const atOnce = this.triedAgainByTransport(request, outcome);
      const waitMs = atOnce ? 0 : retries < mostRetries ? waitBeforeRetryMs(request, outcome) : undefined;
      this.connectionUsed = 'response' in outcome;
      if (waitMs === undefined) return false;
      if (atOnce) cancel = attempt(retry);
      else {
        retries++;
        const what = `retry of ${request.verb} ${request.resource}`;
        cancel = this.host.after(waitMs, what, what, () => {
          cancel = attempt(retry);
        });
      }
      return true;
    };
    cancel = attempt(retry);
    return () => cancel();
  }

  private triedAgainByTransport(request: ApiRequest, outcome: Outcome): boolean {
    return this.connectionUsed && 'lost' in outcome && outcome.lost !== 'refused' && isRead(request);
  }
}

function waitBeforeRetryMs(request: ApiRequest, outcome: Outcome): number | undefined {
  if ('lost' in outcome) return outcome.lost !== 'refused' && isRead(request) ? lostRetryMs : undefined;
  const { code, retryAfterSeconds } = outcome.response;
  const mayRetry = (code === 429 || code >= 500) && retryAfterSeconds !== undefined;
  return mayRetry ? retryAfterSeconds * 1000 : undefined;
}

function isRead({ verb }: ApiRequest): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}
