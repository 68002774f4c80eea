import type { KubeObject } from '../etcd/object.js';

/** Names of a field in core/v1 and in events.k8s.io/v1, where both have it (EV-3). */
const FIELDS: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['related', 'related'],
  ['reason', 'reason'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['series', 'series'],
  ['action', 'action'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

/** A stored Event, which is one of core/v1, as events.k8s.io/v1 shows it. */
export function asEventsApi(event: KubeObject): KubeObject {
  const shown: KubeObject = { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: event.metadata };
  for (const [core, events] of FIELDS) if (event[core] !== undefined && event[core] !== '') shown[events] = event[core];
  return Object.freeze(shown);
}

/** An Event of events.k8s.io/v1 as it is stored: core/v1 writes its empty fields. */
export function asCoreEvent(event: KubeObject): KubeObject {
  const core: KubeObject = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: event.metadata,
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  };
  for (const [name, events] of FIELDS) if (event[events] !== undefined && event[events] !== null) core[name] = event[events];
  return core;
}
