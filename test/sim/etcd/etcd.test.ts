import { describe, expect, it } from 'vitest';
import { CompactedError, Etcd } from '../../../src/sim/etcd/etcd.js';

const key = (name: string, namespace = 'default', resource = 'pods') => ({ resource, namespace, name });
const pod = (name: string, spec: object = {}) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec });

describe('etcd', () => {
  it('raises one revision with every write, whatever the kind, and stamps it on the object (ST-1)', () => {
    const etcd = new Etcd(1_000_000_000);
    etcd.put(key('a'), pod('a'));
    const second = etcd.put(key('b', '', 'nodes'), { metadata: { name: 'b' } });
    etcd.delete(key('a'));
    expect(etcd.revision).toBe(1_000_000_003);
    expect(second.object.metadata.resourceVersion).toBe('1000000002');
  });

  it('lists in byte order of namespace/name, so that a hyphen sorts before the slash (LW-6)', () => {
    const etcd = new Etcd();
    for (const [namespace, name] of [
      ['s0080', 'x'],
      ['s008', 'b'],
      ['s008-b', 'a'],
      ['s008', 'a'],
    ] as const)
      etcd.put(key(name, namespace), { metadata: { name, namespace } });
    expect(etcd.list('pods').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      's008-b/a',
      's008/a',
      's008/b',
      's0080/x',
    ]);
  });

  it('shows the past as it was, at every revision', () => {
    const etcd = new Etcd();
    const names = (revision: number) => etcd.listAt('pods', revision).map(({ metadata, spec }) => `${metadata.name}:${spec.n ?? ''}`);
    etcd.put(key('a'), pod('a', { n: 1 }));
    etcd.put(key('b'), pod('b'));
    etcd.put(key('a'), pod('a', { n: 2 }));
    etcd.delete(key('b'));
    etcd.put(key('b'), pod('b', { n: 3 }));
    expect([1, 2, 3, 4, 5, 6].map(names)).toEqual([[], ['a:1'], ['a:1', 'b:'], ['a:2', 'b:'], ['a:2'], ['a:2', 'b:3']]);
  });

  it('forgets what is compacted, and says what it can still show', () => {
    const etcd = new Etcd();
    for (let n = 0; n < 5; n++) etcd.put(key('a'), pod('a', { n }));
    etcd.compact(4);
    expect(etcd.listAt('pods', 4)[0]?.spec).toEqual({ n: 2 });
    expect(etcd.since(4)).toHaveLength(2);
    expect(() => etcd.since(3)).toThrow(CompactedError);
    expect(() => etcd.listAt('pods', 3)).toThrow('the oldest it can still show is 4');
  });

  it('goes back to a snapshot, revision counter included, and is not changed by what came after', () => {
    const etcd = new Etcd();
    etcd.put(key('a'), pod('a', { n: 1 }));
    const backup = etcd.snapshot();
    etcd.put(key('a'), pod('a', { n: 2 }));
    etcd.put(key('b'), pod('b'));
    etcd.restore(backup);
    expect(etcd.revision).toBe(2);
    expect(etcd.list('pods').map(({ spec }) => spec)).toEqual([{ n: 1 }]);
    etcd.put(key('c'), pod('c'));
    expect(etcd.since(1).map((commit) => commit.key.name)).toEqual(['a', 'c']);
  });

  it('freezes what it stores, all the way down', () => {
    const etcd = new Etcd();
    const { object } = etcd.put(key('a'), pod('a', { containers: [{ name: 'c' }] }));
    expect(() => {
      object.spec.containers[0].name = 'changed';
    }).toThrow(TypeError);
  });
});
