import { parse } from 'yaml';
import { applyJsonPatch, decodeOperations } from '../../../src/sim/apiserver/json-patch.js';
import { applyMergePatch } from '../../../src/sim/apiserver/merge-patch.js';
import { applyStrategicMergePatch, type PatchField, type PatchTypes } from '../../../src/sim/apiserver/strategic-merge-patch.js';
import type { JsonValue } from '../../../src/sim/etcd/object.js';
import { file, type Go, rowsOf, text } from './data.js';
import { difference, type Row, row } from './row.js';

type Fields = Readonly<Record<string, JsonValue>>;

interface JsonPatchRow {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: JsonValue;
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

export function jsonPatchRows(): readonly Row[] {
  return ['spec_tests', 'tests'].flatMap((name) =>
    (JSON.parse(text(`json-patch/${name}.json`)) as readonly JsonPatchRow[])
      .map((each, index) => ({ each, id: `${name}/${each.comment ?? index}` }))
      .filter(({ each, id }) => each.disabled !== true && !leftOutOfJsonPatch.has(id))
      .map(({ each, id }) =>
        row(id, () => {
          let result: JsonValue;
          try {
            result = applyJsonPatch(each.doc, decodeOperations(each.patch, false));
          } catch (error) {
            return each.error === undefined ? String(error) : undefined;
          }
          if (each.error !== undefined) return `should have failed: ${each.error}`;
          return each.expected === undefined ? undefined : difference(each.expected, result);
        }),
      ),
  );
}

/** The server's library is laxer than the RFC, as its recordings show (PA-29 to PA-31). */
export const leftOutOfJsonPatch: ReadonlySet<string> = new Set([
  'tests/replace object document with array document?',
  'tests/replace array document with object document?',
  'tests/19',
  'tests/replacing the root of the document is possible with add',
  "tests/missing 'value' parameter to add",
  "tests/missing 'value' parameter to replace",
  "tests/missing 'value' parameter to test",
  'tests/missing from location to copy',
  'tests/test with bad array number that has leading zeros',
]);

export function mergePatchRows(): readonly Row[] {
  const rows = JSON.parse(text('json-merge-patch/rfc7396-appendix-a.json')) as readonly {
    readonly original: JsonValue;
    readonly patch: JsonValue;
    readonly result: JsonValue;
  }[];
  return rows.map(({ original, patch, result }, index) =>
    row(`rfc7396/${index}`, () => difference(result, applyMergePatch(original, patch))),
  );
}

function strategicTypes(): PatchTypes {
  const { definitions } = parse(text('strategic-merge-patch/swagger-merge-item.json')) as {
    readonly definitions: Readonly<Record<string, { readonly properties: Readonly<Record<string, Go>> }>>;
  };
  const fieldOf = (property: Go): PatchField => {
    const reference = String(property.$ref ?? (property.items as Go | undefined)?.$ref ?? '');
    const strategy = property['x-kubernetes-patch-strategy'];
    const mergeKey = property['x-kubernetes-patch-merge-key'];
    return {
      ...(reference !== '' && { type: reference.slice(reference.lastIndexOf('/') + 1) }),
      ...(strategy !== undefined && { strategy: String(strategy) }),
      ...(mergeKey !== undefined && { mergeKey: String(mergeKey) }),
    };
  };
  const types: Readonly<Record<string, Readonly<Record<string, PatchField>>>> = Object.fromEntries(
    Object.entries(definitions).map(([name, { properties }]) => [
      name,
      Object.fromEntries(Object.entries(properties).map(([field, property]) => [field, fieldOf(property)])),
    ]),
  );
  return (type) => types[type];
}

/** The result of a two-way patch on the original: what the server is asked to do. */
export function strategicRows(): readonly Row[] {
  const types = strategicTypes();
  const read = (yaml: unknown) => (parse(String(yaml)) ?? {}) as Fields;
  return file('strategic-merge-patch/tables.json').tables.flatMap((table) =>
    rowsOf(table).flatMap(([name, values]) => {
      const data = (values as Go | undefined)?.StrategicMergePatchRawTestCaseData as Go | undefined;
      if (data?.TwoWay === undefined || data.Original === undefined) return [];
      const expected = data.TwoWayResult ?? data.Modified;
      const description = String((values as Go).Description ?? name);
      return [
        row(`${table.var}/${description}`, () => {
          const patched = () => applyStrategicMergePatch(read(data.Original), read(data.TwoWay), 'mergeItem', types);
          if (data.ExpectedError !== undefined && data.ExpectedError !== '') {
            try {
              patched();
            } catch {
              return undefined;
            }
            return `should have failed: ${data.ExpectedError}`;
          }
          return difference(read(expected), patched());
        }),
      ];
    }),
  );
}
