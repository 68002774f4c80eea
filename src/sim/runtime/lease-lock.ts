import type { ApiRequest } from '../apiserver/request.js';
import type { KubeObject } from '../etcd/object.js';
import type { Cancel, Host, Outcome } from '../host.js';
import { Lease } from './built-in-kinds.js';
import { acceptFor, contentTypeFor } from './encodings.js';
import { apiVersionOf } from './kind.js';

/** Who leads, as a Lease says it. */
export interface LeaderElectionRecord {
  /** Empty: nobody does. */
  readonly holder: string;
  readonly leaseSeconds: number;
  /** RFC 3339 with six digits (D74). */
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly transitions: number;
}

export interface LeaseLockOptions {
  readonly namespace: string;
  readonly name: string;
  readonly userAgent: string;
  /** A `timeout` in the query of every request, as the lock that a manager makes itself has (D50). */
  readonly timeout?: string;
}

export type LockAnswer = { readonly record: LeaderElectionRecord } | { readonly failed: 'not found' | 'otherwise' };

/** client-go's LeaseLock: one Lease, and its last known version. One request at a time. */
export class LeaseLock {
  #lease: KubeObject | undefined;

  constructor(
    private readonly rest: Pick<Host, 'send'>,
    private readonly options: LeaseLockOptions,
  ) {}

  /** As it was read or written last. */
  get lease(): KubeObject | undefined {
    return this.#lease;
  }

  get(done: (answer: LockAnswer) => void): Cancel {
    return this.#send({ verb: 'get', name: this.options.name }, done);
  }

  create(record: LeaderElectionRecord, done: (answer: LockAnswer) => void): Cancel {
    const { namespace, name } = this.options;
    return this.#send({ verb: 'create', body: leaseOf({ metadata: { namespace, name } }, record) }, done);
  }

  /** Writes over the version that was read or written last. */
  update(record: LeaderElectionRecord, done: (answer: LockAnswer) => void): Cancel {
    const { namespace, name } = this.options;
    const body = leaseOf(this.#lease ?? { metadata: { namespace, name } }, record);
    return this.#send({ verb: 'update', name, body }, done);
  }

  #send(parts: Pick<ApiRequest, 'verb' | 'name' | 'body'>, done: (answer: LockAnswer) => void): Cancel {
    const { namespace, userAgent, timeout } = this.options;
    const request: ApiRequest = {
      ...parts,
      group: Lease.group,
      version: Lease.version,
      resource: Lease.plural,
      namespace,
      ...(timeout === undefined ? {} : { query: { timeout } }),
      ...(parts.body === undefined ? {} : { contentType: contentTypeFor(Lease) }),
      accept: acceptFor(Lease),
      userAgent,
    };
    return this.rest.send(request, (outcome) => done(this.#answerOf(outcome)));
  }

  #answerOf(outcome: Outcome): LockAnswer {
    if ('lost' in outcome) return { failed: 'otherwise' };
    const { code, body } = outcome.response;
    if (code >= 400) return { failed: code === 404 ? 'not found' : 'otherwise' };
    this.#lease = body as KubeObject;
    return { record: recordOf(this.#lease) };
  }
}

function leaseOf(lease: Pick<KubeObject, 'metadata'>, record: LeaderElectionRecord): KubeObject {
  return {
    apiVersion: apiVersionOf(Lease),
    kind: Lease.kind,
    metadata: lease.metadata,
    spec: {
      holderIdentity: record.holder,
      leaseDurationSeconds: record.leaseSeconds,
      acquireTime: record.acquireTime,
      renewTime: record.renewTime,
      leaseTransitions: record.transitions,
    },
  };
}

function recordOf({ spec = {} }: KubeObject): LeaderElectionRecord {
  return {
    holder: spec.holderIdentity ?? '',
    leaseSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: spec.acquireTime ?? '',
    renewTime: spec.renewTime ?? '',
    transitions: spec.leaseTransitions ?? 0,
  };
}
