import type { Commit } from '../etcd/etcd.js';
import type { KindInfo } from './kinds.js';
import type { Answer, ApiRequest, WatchDelivery } from './request.js';
import type { ApiServer } from './server.js';

/** The open watches of a server. */
export class Watches {
  constructor(readonly server: ApiServer) {}

  open(_kind: KindInfo, _request: ApiRequest, _cacheRevision: number | undefined): Answer {
    return { response: { code: 200, body: null }, deliveries: [] };
  }

  publish(_commits: readonly Commit[]): readonly WatchDelivery[] {
    return [];
  }

  close(_id: number): void {}

  tick(_nowMs: number): readonly WatchDelivery[] {
    return [];
  }

  nextTickMs(): number | undefined {
    return undefined;
  }
}
