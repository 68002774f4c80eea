import type { Spent } from './admission/ask.js';
import type { KindInfo } from './kinds.js';
import type { ApiRequest } from './request.js';
import type { ApiServer } from './server.js';

/** One request on its way through the handlers. */
export interface Call {
  readonly server: ApiServer;
  readonly kind: KindInfo;
  readonly request: ApiRequest;
  /** Grows while the request is handled; sent with errors too (HT-5). */
  readonly warnings: string[];
  /** What webhooks have taken of the request's time. */
  readonly spent: Spent;
}
