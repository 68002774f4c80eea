import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { type InformerOptions, SharedInformer } from '../../../src/sim/runtime/informer.js';
import { type ClientGoProfile, clientGoProfiles } from '../../../src/sim/runtime/profile.js';
import type { Deliveries, ResourceEventHandler } from '../../../src/sim/runtime/resource-event-handler.js';
import { DeletedFinalStateUnknown } from '../../../src/sim/runtime/tombstone.js';
import { bookmark, initialEventsEnd, pod, pods, ScriptedHost } from './scripted-host.js';

const profiles = Object.keys(clientGoProfiles) as ClientGoProfile[];

function started(options: Partial<InformerOptions> = {}) {
  const host = new ScriptedHost();
  const informer = new SharedInformer(host, { kind: pods, profile: 'list', ...options });
  const heard: string[] = [];
  informer.addEventHandler(listening(heard));
  informer.start();
  return { host, informer, heard };
}

function listening(heard: string[]): ResourceEventHandler {
  const version = (object: KubeObject) => `${object.metadata.name}@${object.metadata.resourceVersion}`;
  return {
    onAdd: (object) => heard.push(`add ${version(object)}`),
    onUpdate: (old, new_) => heard.push(`update ${version(old)} -> ${version(new_)}`),
    onDelete: (object) => heard.push(object instanceof DeletedFinalStateUnknown ? `lost ${object.key}` : `delete ${version(object)}`),
  };
}

describe.each(profiles)('an informer of client-go %s', (profile) => {
  /** Brings first contents, or those after a gap, in the profile's own way. */
  function contents(host: ScriptedHost, resourceVersion: number, objects: readonly KubeObject[]): void {
    if (clientGoProfiles[profile].firstContents === 'list') {
      host.answerList(String(resourceVersion), ...objects);
      return;
    }
    for (const object of objects) host.event('ADDED', object);
    host.event('BOOKMARK', bookmark(resourceVersion, initialEventsEnd));
  }

  test('keeps the very objects that the server sent, and hands them to the handlers', () => {
    const { host, informer } = started({ profile });
    const given: unknown[] = [];
    informer.addEventHandler({ onAdd: (object) => given.push(object), onUpdate: () => undefined, onDelete: () => undefined });
    const first = pod('a', 5);
    const second = pod('b', 11);
    contents(host, 10, [first]);
    host.event('ADDED', second);
    expect(given[0]).toBe(first);
    expect(given[1]).toBe(second);
    expect(informer.store.get('ns', 'b')).toBe(second);
  });

  test('lets no state of a key go back, and ends with the contents of an honest server', () => {
    const name = fc.constantFrom('a', 'b', 'c', '__proto__');
    const change = fc.record({ kind: fc.constant('change' as const), name });
    const removal = fc.record({ kind: fc.constant('delete' as const), name });
    const gap = fc.record({ kind: fc.constant('gap' as const), missed: fc.array(fc.oneof(change, removal), { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(change, removal, gap), { maxLength: 20 }), (history) => {
        const host = new ScriptedHost();
        const informer = new SharedInformer(host, { kind: pods, profile });
        const newest = new Map<string, number>();
        const saw = (object: KubeObject) => {
          const version = Number(object.metadata.resourceVersion);
          expect(version).toBeGreaterThanOrEqual(newest.get(object.metadata.name!) ?? 0);
          newest.set(object.metadata.name!, version);
        };
        informer.addEventHandler({
          onAdd: saw,
          onUpdate: (_old, new_) => saw(new_),
          onDelete: (object) => saw(object instanceof DeletedFinalStateUnknown ? object.object! : object),
        });
        informer.start();
        let revision = 1;
        const server = new Map<string, KubeObject>();
        contents(host, revision, []);
        const happen = (step: { kind: 'change' | 'delete'; name: string }) => {
          const had = server.has(step.name);
          if (step.kind === 'delete' && !had) return undefined;
          const object = pod(step.name, ++revision);
          if (step.kind === 'delete') server.delete(step.name);
          else server.set(step.name, object);
          return { type: step.kind === 'delete' ? ('DELETED' as const) : had ? ('MODIFIED' as const) : ('ADDED' as const), object };
        };
        for (const step of history) {
          if (step.kind !== 'gap') {
            const event = happen(step);
            if (event !== undefined) host.event(event.type, event.object);
            continue;
          }
          step.missed.forEach(happen);
          host.last.sink!.event({
            type: 'ERROR',
            object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410, reason: 'Expired' },
          });
          host.advance(120_000);
          contents(host, revision, [...server.values()]);
        }
        expect(new Set(informer.store.list())).toEqual(new Set(server.values()));
        expect(informer.idle()).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('says that it is synced when the first contents are in the store, not before', () => {
    let announced = 0;
    const { host, informer } = started({ profile, onSynced: () => announced++ });
    expect(informer.hasSynced()).toBe(false);
    contents(host, 10, [pod('a', 5)]);
    expect(informer.hasSynced()).toBe(true);
    host.event('MODIFIED', pod('a', 11));
    expect(announced).toBe(1);
  });
});

describe('a shared informer', () => {
  test('first tells a handler that comes from within a handler of all the store has, then of what follows, once each', () => {
    const { host, informer } = started();
    const heard: string[] = [];
    let added = false;
    informer.addEventHandler({
      onAdd: () => {
        if (!added) informer.addEventHandler(listening(heard));
        added = true;
      },
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    host.answerList('10', pod('a', 5), pod('b', 6));
    host.event('MODIFIED', pod('a', 11));
    expect(heard).toEqual(['add a@5', 'add b@6', 'update a@5 -> a@11']);
  });

  test('calls nobody and asks for nothing after a handler has stopped it', () => {
    const { host, informer, heard } = started();
    informer.addEventHandler({ onAdd: () => informer.stop(), onUpdate: () => undefined, onDelete: () => undefined });
    host.answerList('10', pod('a', 5), pod('b', 6));
    host.advance(600_000);
    expect(heard).toEqual(['add a@5']);
    expect(host.asked.length).toBe(1);
    expect(host.timersLeft).toBe(0);
  });

  test('is not idle while a handler has not returned, and Run does not return before it', () => {
    const { host, informer } = started();
    let inside: Deliveries | undefined;
    const dispatch = (deliveries: Deliveries) => {
      deliveries.call();
      inside = deliveries;
    };
    const registration = informer.addEventHandler(listening([]), { dispatch });
    host.answerList('10', pod('a', 5));
    expect(informer.idle()).toBe(false);
    expect(registration.hasSynced()).toBe(false);
    let returned = false;
    informer.stop(() => {
      returned = true;
    });
    expect(returned).toBe(false);
    inside?.returned();
    expect(returned).toBe(true);
  });

  test('hands every stored object to the handlers again when asked, without a request', () => {
    const { host, informer, heard } = started();
    host.answerList('10', pod('a', 5), pod('b', 6));
    const requests = host.asked.length;
    heard.length = 0;
    informer.resync();
    expect(heard).toEqual(['update a@5 -> a@5', 'update b@6 -> b@6']);
    expect(host.asked.length).toBe(requests);
  });

  test('lets what a handler throws come up to the host, as a process that crashes', () => {
    const { host, informer } = started();
    informer.addEventHandler({
      onAdd: () => {
        throw new Error('the operator has a bug');
      },
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    expect(() => host.answerList('10', pod('a', 5))).toThrow('the operator has a bug');
  });

  test('finds objects by an index that came after them, and no longer by a value that they lost', () => {
    const { host, informer } = started();
    host.answerList('10', pod('a', 5, { labels: { app: '__proto__' } }));
    informer.addIndexers({ app: ({ metadata }) => [metadata.labels?.app ?? ''] });
    expect(informer.store.byIndex('app', '__proto__').length).toBe(1);
    host.event('MODIFIED', pod('a', 11, { labels: { app: 'web' } }));
    expect(informer.store.byIndex('app', '__proto__')).toEqual([]);
    expect(informer.store.byIndex('app', 'web').length).toBe(1);
  });

  test('asks for metadata alone if told to, and understands the answers', () => {
    const { host, informer } = started({ metadataOnly: true });
    expect(host.last.request.accept).toContain('as=PartialObjectMetadataList');
    host.answerList('10');
    expect(host.last.request.accept).toContain('as=PartialObjectMetadata;');
    const { metadata } = pod('a', 11);
    host.event('ADDED', { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata });
    host.event('ADDED', { ...pod('b', 12), spec: { nodeName: 'n1' } });
    expect(informer.store.get('ns', 'a')?.kind).toBe('PartialObjectMetadata');
    expect(informer.store.get('ns', 'b')).toEqual({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata: pod('b', 12).metadata,
    });
  });
});
