import type { KubeObject } from '../../sim/etcd/object.js';
import { apiVersionOf, type Kind } from '../../sim/runtime/kind.js';

/** A CustomResourceDefinition that takes any spec, with the status subresource as nearly all of them have it. */
export function plainCrd(kind: Kind): KubeObject {
  const { group, version, plural } = kind;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      names: { plural, singular: kind.kind.toLowerCase(), kind: kind.kind, listKind: `${kind.kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

/** An object of the kind in the namespace `default`, with nothing but a spec. */
export function wish(kind: Kind, name: string, spec: object): KubeObject {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, namespace: 'default' }, spec };
}
