import type { KubeObject, ObjectMeta } from '../../../src/sim/etcd/object.js';
import { defineKind } from '../../../src/sim/runtime/kind.js';
import type { ServedHost } from './served-host.js';

export interface Memcached {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec: { size: number };
  status?: { nodes?: string[] };
}

export const Memcached = defineKind<Memcached>('cache.example.com/v1alpha1', 'Memcached');

export function memcached(name: string, size: number): KubeObject & Memcached {
  return { apiVersion: 'cache.example.com/v1alpha1', kind: 'Memcached', metadata: { namespace: 'ns', name }, spec: { size } };
}

/** Makes the namespace `ns` and the kind Memcached. */
export async function prepare(host: ServedHost): Promise<void> {
  host.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
  host.create({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'memcacheds.cache.example.com' },
    spec: {
      group: 'cache.example.com',
      scope: 'Namespaced',
      names: { plural: 'memcacheds', singular: 'memcached', kind: 'Memcached', listKind: 'MemcachedList' },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  await host.advance(1000);
}
