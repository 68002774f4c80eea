import { managedFieldsRows } from './managed-fields.js';
import { openApiRows } from './openapi-to-smd.js';
import { jsonPatchRows, mergePatchRows, strategicRows } from './patches.js';
import type { TablePlayer } from './row.js';
import { fieldRows } from './structured-merge-fields.js';
import { typedRows } from './structured-merge-typed.js';
import { updateRows } from './structured-merge-updates.js';

export const players: readonly TablePlayer[] = [
  {
    name: 'managed-fields',
    play: managedFieldsRows,
    leftOut: [
      { what: 'internal-capmanagers', rows: 6, why: 'with a cap of three; that of ten is tested beside the server' },
      { what: 'internal-lastappliedupdater, internal-fields', rows: 4, why: 'their objects are Go code' },
    ],
  },
  {
    name: 'openapi-to-smd-schema',
    play: openApiRows,
    leftOut: [{ what: 'DeclaredAtomicMap', rows: 1, why: 'an object of which nothing is said, in the older description' }],
  },
  {
    name: 'strategic-merge-patch',
    play: strategicRows,
    leftOut: [{ what: 'sorting, TestNumberConversion, TestUnknownField', rows: 30, why: 'about making patches, which clients do' }],
  },
  {
    name: 'json-patch',
    play: jsonPatchRows,
    leftOut: [{ what: 'rows about what is missing, out of bounds or the root', rows: 10, why: 'the server takes them (PA-29 to PA-31)' }],
  },
  { name: 'json-merge-patch', play: mergePatchRows, leftOut: [] },
  {
    name: 'structured-merge-diff',
    play: () => [...fieldRows(), ...typedRows(), ...updateRows()],
    leftOut: [
      { what: 'apply_does_not_steal_ignored', rows: 1, why: 'rests on a YAML reader that takes one key twice' },
      { what: 'TestMultipleAppliersReliantFieldsConversions', rows: 1, why: 'its conversion is Go code' },
      { what: 'TestObsoleteVersions, TestApplyObsoleteVersion', rows: 3, why: 'the steps are Go code, the rows name versions only' },
      { what: 'schema-elements', rows: 14, why: 'about Go pointers and copies' },
      { what: 'value-value, TestSetFromJSON', rows: 177, why: 'about one JSON reader of Go; here the JSON has been read before' },
      { what: 'TestManagersEquals, TestManagersDifference', rows: 13, why: 'tools of its own tests' },
      {
        what: 'TestFilterByPattern, TestEnsureNamedFieldsAreMembers',
        rows: 15,
        why: 'patterns that the server does not use; named Go schemas',
      },
      { what: 'fieldpath-fromvalue', rows: 10, why: 'guesses keys without a schema, which the server never does' },
      { what: 'reversibleExtractCases, extractWithKeysCases', rows: 2, why: 'extraction by key is for clients' },
    ],
  },
];
