import { Cluster, type Json } from './cluster.js';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const things = '/apis/example.com/v1/namespaces/ns/things';

/** The schema of an object with these properties. */
export function object(properties: Json = {}, more: Json = {}): Json {
  return { type: 'object', properties, ...more };
}

export const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A definition of `plural.example.com` in v1 alone, unless `versions` says otherwise. */
export function crd(plural: string, kind: string, schema: Json = anything, version: Json = {}, spec: Json = {}): Json {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...spec,
    },
  };
}

export function thing(name: string, more: Json = {}): Json {
  const { metadata, ...rest } = more;
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name, ...metadata }, ...rest };
}

/** A cluster that serves Things of this schema. */
export function withThings(schema: Json = anything, version: Json = {}): Cluster {
  return defining(crd('things', 'Thing', schema, version));
}

function defining(body: Json): Cluster {
  const cluster = new Cluster();
  const { code, text } = cluster.post(definitions, body);
  if (code !== 201) throw new Error(text);
  return cluster;
}

export const definition = `${definitions}/things.example.com`;
export const beta = things.replace('/v1/', '/v1beta1/');
export const integer = { type: 'integer' };
export const causes = ({ body }: { body: Json }) => body.details.causes.map(({ field, message }: Json) => `${field}: ${message}`);

/** A version of a definition that may have several. */
export const version = (name: string, storage: boolean, schema: Json = anything, more: Json = {}) => ({
  name,
  storage,
  served: true,
  schema: { openAPIV3Schema: schema },
  ...more,
});

export function withVersions(...versions: Json[]): Cluster {
  return defining(crd('things', 'Thing', anything, {}, { versions }));
}

/** Puts other versions into the definition of Things. */
export function change(cluster: Cluster, ...versions: Json[]): void {
  const { code, text } = cluster.patch(definition, { spec: { versions } });
  if (code !== 200) throw new Error(text);
}
