import type { KubeObject } from '../etcd/object.js';
import { zeroValuesText } from './data/zero-values.js';
import type { KindInfo } from './kinds.js';

let zeroValues: Readonly<Record<string, object>> | undefined;

/** LW-14: kinds that are not named show nothing. */
function zeroValue({ custom, resource, version }: KindInfo): object | undefined {
  if (custom) return undefined;
  zeroValues ??= JSON.parse(zeroValuesText) as Readonly<Record<string, object>>;
  return zeroValues[`${resource}/${version}`] ?? zeroValues[resource];
}

/** The object of a BOOKMARK: the zero value of its type at a revision; `initialEventsEnd` marks the end of the first state (LW-13). */
export function bookmarkObject(kind: KindInfo, revision: number, initialEventsEnd: boolean): KubeObject {
  return Object.freeze({
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    metadata: {
      resourceVersion: String(revision),
      ...(initialEventsEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
    },
    ...zeroValue(kind),
  });
}

const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;

/** LW-14: when the next bookmark is due: once a minute, or two seconds before the end if that is sooner. Undefined: no more. */
export function nextBookmark(nowMs: number, endsAtMs: number): number | undefined {
  const beforeEndMs = endsAtMs - BOOKMARK_BEFORE_END_MS;
  if (nowMs + BOOKMARK_EVERY_MS <= beforeEndMs) return nowMs + BOOKMARK_EVERY_MS;
  return beforeEndMs > nowMs ? beforeEndMs : undefined;
}
