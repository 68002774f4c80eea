import { describe, expect, it } from 'vitest';
import { AServer } from './a-server.js';

const time = '2026-01-01T00:00:00.000000Z';
const regarding = { apiVersion: 'v1', kind: 'Pod', namespace: 'ns', name: 'p' };
const strict = {
  eventTime: time,
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
  action: 'Start',
  reason: 'Started',
  type: 'Normal',
};

function create(server: AServer, group: string, name: string, fields: object) {
  return server.do({ verb: 'create', group, resource: 'events', body: { metadata: { name }, ...fields } }).response;
}

describe('the two APIs of Events (EV-3)', () => {
  it('show the same object, each with its own names of the fields', () => {
    const server = new AServer();
    create(server, 'events.k8s.io', 'e', { ...strict, regarding, note: 'n' });
    const core = server.do({ resource: 'events', name: 'e' }).response.body;
    expect(core).toMatchObject({
      apiVersion: 'v1',
      involvedObject: regarding,
      message: 'n',
      reportingComponent: 'example.com/c',
      source: {},
    });
    const query = { fieldSelector: 'regarding.name=p' };
    const list = server.do({ verb: 'list', group: 'events.k8s.io', resource: 'events', query }).response.body;
    expect(list).toMatchObject({ items: [{ regarding, note: 'n', eventTime: time }] });
  });

  it('send the watches of both what either writes', () => {
    const server = new AServer();
    const { watch } = server.do({ verb: 'watch', group: 'events.k8s.io', resource: 'events' });
    const body = { metadata: { name: 'e' }, involvedObject: regarding, message: 'm' };
    const { deliveries } = server.do({ verb: 'create', resource: 'events', body });
    expect(deliveries).toMatchObject([{ watch, event: { type: 'ADDED', object: { apiVersion: 'events.k8s.io/v1', note: 'm' } } }]);
  });
});

describe('what an Event must have (EV-2)', () => {
  it('is next to nothing in core/v1, but the namespace of what it is about', () => {
    const server = new AServer();
    expect(create(server, '', 'e', { involvedObject: { namespace: 'ns' } }).code).toBe(201);
    expect(create(server, '', 'f', { involvedObject: { namespace: 'default' } }).body).toMatchObject({
      message: 'Event "f" is invalid: involvedObject.namespace: Invalid value: "default": does not match event.namespace',
    });
  });

  it('is all of it in events.k8s.io/v1, where it stays as it is', () => {
    const server = new AServer();
    expect(create(server, 'events.k8s.io', 'e', { ...strict, type: 'Odd', regarding }).code).toBe(422);
    expect(create(server, 'events.k8s.io', 'e', { ...strict, regarding }).code).toBe(201);
    const patch = {
      verb: 'patch',
      group: 'events.k8s.io',
      resource: 'events',
      name: 'e',
      contentType: 'application/merge-patch+json',
    } as const;
    expect(server.do({ ...patch, body: { note: 'other' } }).response.code).toBe(422);
    expect(server.do({ ...patch, body: { series: { count: 2, lastObservedTime: time } } }).response.code).toBe(200);
  });
});
