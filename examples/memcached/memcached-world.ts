import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import {
  act,
  type ClusterState,
  create,
  defineScenario,
  edit,
  type KubeObject,
  type Manager,
  remove,
  type Scenario,
  target,
} from 'seatrial';
import { parse } from 'yaml';
import { Memcached } from './memcached-types.js';

const crd = parse(readFileSync(new URL('./config/crd/bases/cache.example.com_memcacheds.yaml', import.meta.url), 'utf8'));

function memcached(name: string, size: number): KubeObject {
  return { apiVersion: 'cache.example.com/v1alpha1', kind: 'Memcached', metadata: { name, namespace: 'default' }, spec: { size } };
}

function resized(name: string, size: number) {
  return edit(target(Memcached, `default/${name}`), (object) => {
    object.spec.size = size;
  });
}

/** What people do with a Memcached operator: one cache grows, another is tried and given up. */
export function memcachedScenario(name: string, setup: (manager: Manager) => void): Scenario {
  return defineScenario({
    name,
    about: 'the Memcached operator of the tutorials',
    crds: [crd],
    operators: [{ name: 'memcached-operator', setup }],
    workload: [
      create(memcached('sample', 1)),
      create(memcached('trial', 1), { atMs: 5_000 }),
      resized('sample', 2),
      remove(target(Memcached, 'default/trial')),
    ],
    acts: { resize: act(fc.integer({ min: 1, max: 4 }), (size) => resized('sample', size)) },
    goal: (state) => reached(state),
  });
}

function reached(state: ClusterState): true | string {
  const sample = state.get('memcacheds.cache.example.com', 'default', 'sample');
  if (state.get('deployments.apps', 'default', 'sample')?.spec.replicas !== 2) return 'the Deployment sample has not 2 replicas';
  if (state.get('services', 'default', 'sample') === undefined) return 'there is no Service sample';
  return sample?.status?.nodes?.length === 2 || 'the status of Memcached sample does not name 2 nodes';
}
