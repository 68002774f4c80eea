import type { CustomVersion } from '../kinds.js';
import type { OpenApiSchema } from './schema.js';

const metadata: OpenApiSchema = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
const text: OpenApiSchema = { type: 'string' };

/** What a version of a custom resource looks like as a whole: what its author says, and what every object has. */
export function customDefinition(version: CustomVersion): OpenApiSchema {
  const schema = version.schema?.openAPIV3Schema as OpenApiSchema | undefined;
  if (schema === undefined) return { type: 'object' };
  const whole = withEmbedded(schema);
  return { ...whole, properties: { ...whole.properties, apiVersion: text, kind: text, metadata } };
}

/** Embedded resources have a type and metadata of their own (PA-59). */
function withEmbedded(schema: OpenApiSchema): OpenApiSchema {
  const { properties, items, additionalProperties } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const own = properties && Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withEmbedded(each)]));
  return {
    ...schema,
    ...((own !== undefined || embedded) && { properties: { ...own, ...(embedded && { apiVersion: text, kind: text, metadata }) } }),
    ...(items && { items: withEmbedded(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: withEmbedded(additionalProperties) }),
  };
}
