import { deepEqual, type KubeObject } from '../etcd/object.js';
import { asCoreEvent } from './event-api.js';
import { invalidValue, requiredValue } from './field-errors.js';
import type { KindInfo } from './kinds.js';
import { qualifiedNameFaults } from './label-syntax.js';
import type { StatusCause } from './request.js';

/** The server looks at the reason twice, and says so. */
const IMMUTABLE = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
];

/**
 * What is wrong with an Event (EV-2): core/v1 demands next to nothing of one without an eventTime, events.k8s.io/v1 is strict.
 * Causes name the fields of core/v1.
 */
export function eventFaults(kind: KindInfo, sent: KubeObject, before: KubeObject | undefined): StatusCause[] {
  const old = kind.group === '';
  const event = old ? sent : asCoreEvent(sent);
  const causes = commonFaults(event, old ? 'reportingComponent' : 'reportingController');
  if (old) return causes;
  const stored = before === undefined ? undefined : asCoreEvent(before);
  if (stored === undefined || !deepEqual(event.series, stored.series)) causes.push(...seriesFaults(event));
  causes.push(...(stored === undefined ? newFaults(event) : changeFaults(event, stored)));
  return causes;
}

function commonFaults(event: KubeObject, controllerField: string): StatusCause[] {
  const { namespace = '' } = event.metadata;
  const about: string = event.involvedObject?.namespace ?? '';
  const mismatch = invalidValue('involvedObject.namespace', about, 'does not match event.namespace');
  if (!event.eventTime) {
    const fits = about === '' ? namespace === '' || namespace === 'default' : about === namespace;
    return fits ? [] : [mismatch];
  }
  const causes: StatusCause[] = [];
  if (about === '' && namespace !== 'default' && namespace !== 'kube-system') causes.push(mismatch);
  const controller: string = event.reportingComponent ?? '';
  if (controller === '') causes.push(requiredValue(controllerField, ''));
  for (const fault of qualifiedNameFaults(controller)) causes.push(invalidValue(controllerField, controller, fault));
  for (const field of ['reportingInstance', 'action', 'reason']) {
    if (!event[field]) causes.push(requiredValue(field, ''));
    else if (event[field].length > 128) causes.push(invalidValue(field, '', 'can have at most 128 characters'));
  }
  if (event.message?.length > 1024) causes.push(invalidValue('message', '', 'can have at most 1024 characters'));
  return causes;
}

function seriesFaults({ series }: KubeObject): StatusCause[] {
  if (series === undefined || series === null) return [];
  const causes: StatusCause[] = [];
  if ((series.count ?? 0) < 2) causes.push(invalidValue('series.count', '', 'should be at least 2'));
  if (!series.lastObservedTime) causes.push(requiredValue('series.lastObservedTime', ''));
  return causes;
}

function newFaults(event: KubeObject): StatusCause[] {
  const causes: StatusCause[] = [];
  if (!event.eventTime) causes.push(requiredValue('eventTime', ''));
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    causes.push(invalidValue('type', '', `has invalid value: ${event.type ?? ''}`));
  }
  const set = (field: string, isSet: boolean) => {
    if (isSet) causes.push(invalidValue(field, '', 'needs to be unset'));
  };
  set('firstTimestamp', event.firstTimestamp !== null);
  set('lastTimestamp', event.lastTimestamp !== null);
  set('count', Boolean(event.count));
  set('source', Boolean(event.source?.component || event.source?.host));
  return causes;
}

function changeFaults(event: KubeObject, stored: KubeObject): StatusCause[] {
  return IMMUTABLE.filter((field) => !deepEqual(event[field], stored[field])).map((field) =>
    invalidValue(field === 'reportingComponent' ? 'reportingController' : field, event[field], 'field is immutable'),
  );
}
