import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { sinceText } from './ages.js';
import { nameOf } from './cell-text.js';

/** What `kubectl get events -o wide` shows. @param event of core/v1 */
export function eventCells(event: KubeObject, nowMs: number): readonly JsonValue[] {
  const first = sinceText(event.firstTimestamp ?? event.eventTime, nowMs);
  const last = event.lastTimestamp === undefined || event.lastTimestamp === null ? first : sinceText(event.lastTimestamp, nowMs);
  const { kind = '', name = '', fieldPath = '' } = event.involvedObject ?? {};
  return [
    event.series === undefined ? last : sinceText(event.series.lastObservedTime, nowMs),
    event.type ?? '',
    event.reason ?? '',
    name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
    fieldPath,
    sourceText(event),
    (event.message ?? '').trim(),
    first,
    event.series === undefined ? event.count || 1 : (event.series.count ?? 0),
    nameOf(event),
  ];
}

/** Who reports: what is called so since events.k8s.io, when the older fields are empty. */
function sourceText({ source, reportingComponent, reportingInstance }: KubeObject): string {
  const component = source?.component || reportingComponent || '';
  const instance = source?.host || reportingInstance || '';
  return instance === '' ? component : `${component}, ${instance}`;
}
