import type { ApiRequest } from '../../../src/sim/apiserver/request.js';
import type { Cancel, Host, Outcome, ProcessEvent, WatchSink } from '../../../src/sim/host.js';
import type { Client } from '../../../src/sim/runtime/client.js';
import { LiveClient } from '../../../src/sim/runtime/client.js';
import type { Kind } from '../../../src/sim/runtime/kind.js';
import { RestClient } from '../../../src/sim/runtime/rest.js';
import { RunawayGuard } from '../../../src/sim/runtime/runaway.js';
import { Scheme } from '../../../src/sim/runtime/scheme.js';
import type { Journal } from './journal.js';
import type { Stage } from './stage.js';

/** The stage as a Go program with the scripts' types sees it: their structs are always written, its log is a lane of its own. */
export class GoHost implements Host {
  readonly process = 'client';

  constructor(
    private readonly stage: Stage,
    private readonly journal: Journal,
  ) {}

  nowMs(): number {
    return this.stage.nowMs();
  }

  after(delayMs: number, lane: string, what: string, run: () => void): Cancel {
    return this.stage.after(delayMs, lane, what, run);
  }

  random(name: string): number {
    return this.stage.random(name);
  }

  send(request: ApiRequest, done: (outcome: Outcome) => void): Cancel {
    return this.stage.send(withStructs(request), done);
  }

  withoutStructs(): Host {
    return this.stage;
  }

  watch(request: ApiRequest, sink: WatchSink): Cancel {
    return this.stage.watch(request, sink);
  }

  note(event: ProcessEvent): void {
    // A reflector's errors go to the error handlers, those of controllers to the log.
    if (event.kind !== 'log' || event.level !== 'error') return;
    if (/^Reconciler error|^error received after stop/.test(event.message)) this.journal.note('log', `ERROR ${event.message}`);
    else if (event.message.startsWith('Failed to watch')) this.stage.note(event);
  }
}

/** What Go's client does with unstructured objects: always live, always JSON (D21, A40). */
export function unstructuredClient(host: GoHost, kinds: readonly Kind[]): Client {
  const rest = new RestClient(host.withoutStructs());
  const json = {
    send: (request: ApiRequest, done: (outcome: Outcome) => void) => {
      const protobuf = request.contentType === 'application/vnd.kubernetes.protobuf';
      return rest.send({ ...request, accept: 'application/json', ...(protobuf ? { contentType: 'application/json' } : {}) }, done);
    },
  };
  return new LiveClient(json, new Scheme(kinds), new RunawayGuard(() => host.nowMs()), 'client');
}

/** Spec and status of a Widget are structs, which Go writes even when they are empty. */
function withStructs(request: ApiRequest): ApiRequest {
  const typed = request.resource === 'widgets' || request.resource === 'clusterwidgets';
  if (!typed || (request.verb !== 'create' && request.verb !== 'update')) return request;
  return { ...request, body: { spec: {}, status: {}, ...(request.body as object) } };
}
