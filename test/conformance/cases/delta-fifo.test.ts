import { expect, test } from 'vitest';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { type Delta, keyOfDelta, type Queue } from '../../../src/sim/runtime/delta.js';
import { DeltaFIFO } from '../../../src/sim/runtime/delta-fifo.js';
import { RealFIFO } from '../../../src/sim/runtime/real-fifo.js';
import { Indexer, keyOf } from '../../../src/sim/runtime/store.js';
import { DeletedFinalStateUnknown } from '../../../src/sim/runtime/tombstone.js';
import { pod } from '../../sim/runtime/scripted-host.js';

function knowing(...objects: readonly KubeObject[]): Indexer {
  const known = new Indexer();
  for (const object of objects) known.put(keyOf(object), object);
  return known;
}

const deltaFIFO = (...known: readonly KubeObject[]): Queue => new DeltaFIFO(knowing(...known));

/** `Added 10` of the live (where the cases say Sync of a Replace, an informer's queue says Replaced), `Deleted tombstone(10)` of the dead. */
function textOf(delta: Delta): string {
  if (delta.type === 'ReplacedAll')
    return `ReplacedAll@${delta.resourceVersion} ${delta.objects.map(({ metadata }) => metadata.name).join(' ')}`;
  if (delta.type === 'Bookmark') return `Bookmark@${delta.resourceVersion}`;
  if (delta.type === 'SyncAll') return 'SyncAll';
  const { object } = delta;
  const version = (live: KubeObject | undefined) => live?.metadata.resourceVersion ?? '?';
  return object instanceof DeletedFinalStateUnknown ? `Deleted tombstone(${version(object.object)})` : `${delta.type} ${version(object)}`;
}

/** All pops in order: of each its key, when it has one, and its deltas. */
function pops(queue: Queue): string[] {
  const popped: string[] = [];
  while (
    queue.pop((deltas) => {
      const first = deltas[0] as Delta;
      const key = 'object' in first ? `${keyOfDelta(first).replace('ns/', '')}: ` : '';
      popped.push(key + deltas.map(textOf).join(', '));
    })
  );
  return popped;
}

const foo = (version: number) => pod('foo', version);
const bar = (version: number) => pod('bar', version);
const baz = (version: number) => pod('baz', version);

test('DF-01: add, update and delete come in one pop with the newest value, then nothing', () => {
  const queue = deltaFIFO(foo(5));
  queue.add(foo(10));
  queue.update(foo(12));
  queue.delete(foo(15));
  expect(pops(queue)).toEqual(['foo: Added 10, Updated 12, Deleted 15']);
});

test('DF-03: a delete is queued only of what is known', () => {
  const [unknown, known] = [deltaFIFO(), deltaFIFO(foo(5))];
  for (const queue of [unknown, known]) queue.delete(foo(15));
  expect([pops(unknown), pops(known)]).toEqual([[], ['foo: Deleted 15']]);
});

test('DF-04: add and a Replace with a newer object come in one pop', () => {
  const queue = deltaFIFO();
  queue.add(foo(10));
  queue.replace([foo(15)], '15');
  expect(pops(queue)).toEqual(['foo: Added 10, Replaced 15']);
});

test('DF-06: Replace with it, then without it, is one delete', () => {
  const queue = deltaFIFO();
  queue.add(foo(10));
  queue.replace([foo(10)], '10');
  queue.replace([], '11');
  expect(pops(queue)).toEqual(['foo: Added 10, Replaced 10, Deleted tombstone(10)']);
});

test('DF-07: what is deleted already is not deleted by a Replace', () => {
  const queue = deltaFIFO();
  queue.add(foo(10));
  queue.delete(foo(10));
  queue.replace([], '11');
  expect(pops(queue)).toEqual(['foo: Added 10, Deleted 10']);
});

test('DF-09: what was added again is deleted by a Replace, with its last value', () => {
  const queue = deltaFIFO();
  queue.add(foo(10));
  queue.delete(foo(10));
  queue.add(foo(12));
  queue.replace([], '13');
  expect(pops(queue)).toEqual(['foo: Added 10, Deleted 10, Added 12, Deleted tombstone(12)']);
});

test('DF-10: a Replace deletes what is known and missing, a queued delete stays as it was given', () => {
  const queue = deltaFIFO(foo(5), bar(6), baz(7));
  queue.delete(baz(10));
  queue.replace([foo(5)], '11');
  expect(pops(queue)).toEqual(['baz: Deleted 10', 'foo: Replaced 5', 'bar: Deleted tombstone(6)']);
});

test('DF-12: deleted, added again and missing in a Replace', () => {
  const queue = deltaFIFO(bar(6));
  queue.delete(bar(6));
  queue.add(bar(100));
  queue.replace([foo(5)], '101');
  expect(pops(queue)).toEqual(['bar: Deleted 6, Added 100, Deleted tombstone(100)', 'foo: Replaced 5']);
});

test('DF-13: two Replaces, the second without it', () => {
  const queue = deltaFIFO();
  queue.replace([bar(100), foo(5)], '101');
  queue.replace([foo(5)], '102');
  expect(pops(queue)).toEqual(['bar: Replaced 100, Deleted tombstone(100)', 'foo: Replaced 5, Replaced 5']);
});

test('DF-15: a Replace that has what was deleted last is not lost', () => {
  const queue = deltaFIFO(foo(5));
  queue.delete(foo(10));
  queue.replace([foo(11)], '11');
  expect(pops(queue)).toEqual(['foo: Deleted 10, Replaced 11']);
});

test('DF-16: Resync queues what is known, unless something is queued for its key', () => {
  const queue = deltaFIFO(foo(5), bar(6));
  queue.update(bar(7));
  queue.resync();
  expect(pops(queue)).toEqual(['bar: Updated 7', 'foo: Sync 5']);
});

test('DF-18: after an update Resync adds nothing', () => {
  const queue = deltaFIFO(foo(5));
  queue.update(foo(6));
  queue.resync();
  expect(pops(queue)).toEqual(['foo: Updated 6']);
});

test('DF-19: a fresh queue has not synced; after an add or an empty Replace it has', () => {
  const [fresh, added, replaced] = [deltaFIFO(), deltaFIFO(), deltaFIFO()];
  added.add(foo(1));
  replaced.replace([], '1');
  expect([fresh, added, replaced].map((queue) => queue.hasSynced())).toEqual([false, true, true]);
});

test('DF-21: an object, a tombstone and their deltas have the right key', () => {
  const keys = [{ type: 'Added', object: foo(1) } as const, { type: 'Deleted', object: new DeletedFinalStateUnknown('ns/gone') } as const];
  expect([keyOf(foo(1)), ...keys.map(keyOfDelta)]).toEqual(['ns/foo', 'ns/foo', 'ns/gone']);
});

test('DF-22: each object is transformed once; a tombstone holds the transformed one', () => {
  const seen: string[] = [];
  const transform = (object: KubeObject): KubeObject => {
    seen.push(object.metadata.name as string);
    return { ...object, metadata: { ...object.metadata, labels: { transformed: 'yes' } } };
  };
  const queue: Queue = new DeltaFIFO(knowing(), transform);
  queue.add(foo(1));
  queue.replace([bar(2)], '2');
  let buried: KubeObject | undefined;
  queue.pop((deltas) => {
    const { object } = deltas.at(-1) as { object: DeletedFinalStateUnknown };
    buried = object.object;
  });
  expect([seen, buried?.metadata.labels]).toEqual([['foo', 'bar'], { transformed: 'yes' }]);
});

test('DF-24: pops keep the order of each of two producers', () => {
  const queue = new RealFIFO({ known: knowing(), atomic: false });
  for (let index = 0; index < 500; index++) for (const producer of ['a', 'b']) queue.add(pod(`${producer}${index}`, index + 1));
  const popped = pops(queue).map((text) => text.slice(0, text.indexOf(':')));
  for (const producer of ['a', 'b']) {
    const own = popped.filter((name) => name.startsWith(producer));
    expect(own).toEqual(Array.from({ length: 500 }, (_, index) => `${producer}${index}`));
  }
});

const realFIFO = (atomic: boolean, ...known: readonly KubeObject[]) => new RealFIFO({ known: knowing(...known), atomic });

test('DF-25: RealFIFO does not merge by key', () => {
  const queue = realFIFO(false);
  queue.add(foo(10));
  queue.update(foo(12));
  queue.delete(foo(15));
  expect(pops(queue)).toEqual(['foo: Added 10', 'foo: Updated 12', 'foo: Deleted 15']);
});

test('DF-28: atomic Replace, Resync and bookmarks are one delta each, in order; otherwise bookmarks are not queued', () => {
  const queue = realFIFO(true, foo(5));
  queue.add(foo(10));
  queue.replace([foo(11), bar(12)], '13');
  queue.resync();
  queue.bookmark('14');
  expect(pops(queue)).toEqual(['foo: Added 10', 'ReplacedAll@13 foo bar', 'SyncAll', 'Bookmark@14']);
  const plain = realFIFO(false);
  plain.bookmark('14');
  expect(pops(plain)).toEqual([]);
});
