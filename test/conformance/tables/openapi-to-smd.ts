import { parse } from 'yaml';
import type { OpenApiSchema } from '../../../src/sim/apiserver/openapi/schema.js';
import { schemaOf } from '../../../src/sim/apiserver/structured-merge/from-open-api.js';
import type { Atom, Schema, TypeRef } from '../../../src/sim/apiserver/structured-merge/schema.js';
import { text } from './data.js';
import { atomOf } from './merge-schema.js';
import { difference, type Row, row } from './row.js';

const folder = 'openapi-to-smd-schema';

/** What of a type a merge goes by, followed down to names that have been seen. */
function spelt(schema: Schema, type: TypeRef | undefined, depth = 0): unknown {
  if (type === undefined) return undefined;
  if (type.name?.startsWith('__untyped')) return type.name;
  if (depth > 6) return type.name ?? '...';
  return speltAtom(schema, schema.resolve(type) ?? {}, depth);
}

function speltAtom(schema: Schema, { scalar, list, map }: Atom, depth: number): unknown {
  // Anything at all, with granular maps: the deduced type, named or written out.
  if (scalar === 'untyped' && map?.elementType?.name === '__untyped_deduced_' && list !== undefined) return '__untyped_deduced_';
  return {
    scalar,
    list: list && { relationship: list.relationship, keys: list.keys, element: spelt(schema, list.elementType, depth + 1) },
    map: map && {
      relationship: map.relationship,
      element: spelt(schema, map.elementType, depth + 1),
      fields: Object.fromEntries(
        [...map.fields].map(([name, field]) => [name, { type: spelt(schema, field.type, depth + 1), default: field.default }]),
      ),
    },
  };
}

export function openApiRows(): readonly Row[] {
  return ['atomic-types', 'defaults', 'preserve-unknown'].flatMap((name) => {
    const { definitions } = parse(text(`${folder}/${name}.json`)) as { readonly definitions: Readonly<Record<string, OpenApiSchema>> };
    const { types } = parse(text(`${folder}/${name}.yaml`)) as {
      readonly types: readonly (Parameters<typeof atomOf>[0] & { name: string })[];
    };
    const expected = new Map(types.map((type) => [type.name, atomOf(type)]));
    const expectedSchema = { resolve: (type: TypeRef) => (type.name === undefined ? type.inlined : expected.get(type.name)) } as Schema;
    // These descriptions are older: there what has properties is an object without saying so.
    const actual = schemaOf((wanted) => definitions[wanted] && { type: 'object', ...definitions[wanted] });
    return Object.keys(definitions)
      .filter((definition) => definition !== 'io.k8s.testcase.DeclaredAtomicMap')
      .map((definition) =>
        row(`${name}/${definition}`, () =>
          difference(
            speltAtom(expectedSchema, expected.get(definition) ?? {}, 0),
            speltAtom(actual, actual.resolve({ name: definition }) ?? {}, 0),
          ),
        ),
      );
  });
}
