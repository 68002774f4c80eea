import * as fc from 'fast-check';
import type { Json, JsonObject, TalkedKind } from './kinds.js';

/** A pointer into a body, and what is put there; `undefined` takes the member away. */
export type Change = readonly [pointer: string, value: Json | undefined];

const odd: readonly string[] = [
  '""',
  'null',
  '0',
  '-1',
  '1.5',
  'true',
  '[]',
  '{}',
  '"text"',
  '[null]',
  '[[]]',
  '{"a":null}',
  '{"__proto__":"x"}',
  '{"constructor":{"prototype":"y"}}',
  '{"":""}',
  '"é😀"',
  '"a\\u0000b"',
  '"<&>\\u2028"',
  '9223372036854775807',
  '9223372036854775808',
  '1e3',
  '{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}',
];

export const oddValue: fc.Arbitrary<Json> = fc.constantFrom(...odd).map((text) => JSON.parse(text) as Json);

const labels: readonly Json[] = [
  { app: 'a' },
  { app: 'b' },
  { app: 'a', tier: 'x' },
  {},
  null,
  { app: '' },
  { 'bad key!': 'x' },
  { app: 'bad value!' },
  { app: 1 },
];

/** What anybody may write into metadata, and what nobody may. */
const metadata: readonly (readonly [string, readonly Json[]])[] = [
  ['/metadata/labels', labels],
  ['/metadata/labels/app', ['a', 'b', null, '']],
  ['/metadata/annotations', [{ note: 'x' }, { 'example.com/n': '1' }, {}, null, { note: 1 }, { Bad_Key_: '' }]],
  ['/metadata/annotations/note', ['y', null, 'é😀']],
  [
    '/metadata/finalizers',
    [['example.com/f'], ['example.com/f', 'example.com/g'], [], null, ['plain'], ['example.com/f', 'example.com/f']],
  ],
];

const strange: readonly (readonly [string, readonly Json[]])[] = [
  ['/metadata/name', ['other', '', 'Bad_Name', null, 7]],
  ['/metadata/namespace', ['elsewhere', '', '${ns}', null]],
  ['/metadata/uid', ['11111111-2222-3333-4444-555555555555', '', null]],
  ['/metadata/resourceVersion', ['1', '', '0', 'x', null]],
  ['/metadata/generation', [7, null]],
  ['/metadata/creationTimestamp', ['2020-01-02T03:04:05Z', null, 'soon']],
  ['/metadata/deletionTimestamp', ['2020-01-02T03:04:05Z', null]],
  ['/metadata/deletionGracePeriodSeconds', [5, null]],
  [
    '/metadata/managedFields',
    [[], null, [{}], [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } }]],
  ],
  ['/metadata/selfLink', ['/x', null]],
  ['/metadata/nope', ['x']],
  ['/metadata', [null, {}, 'x']],
  ['/kind', ['Other', '', null]],
  ['/apiVersion', ['v9', 'x/y/z', '', null]],
  ['/nope', ['x', null]],
  [
    '/metadata/ownerReferences',
    [
      [],
      null,
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '11111111-2222-3333-4444-555555555555' }],
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }],
      [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '1', controller: true },
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'y', uid: '2', controller: true },
      ],
    ],
  ],
];

/** Up to so many changes of a body of this kind: mostly what operators write, now and then what nobody should. */
export function changes(kind: TalkedKind, most = 3): fc.Arbitrary<readonly Change[]> {
  const among = (fields: readonly (readonly [string, readonly Json[]])[]) =>
    fc.constantFrom(...fields).chain(([pointer, values]) => fc.constantFrom(...values).map((value): Change => [pointer, value]));
  const anywhere = [...kind.fields, ...metadata].map(([pointer]) => pointer);
  const change = fc.oneof(
    { weight: kind.fields.length > 0 ? 12 : 0, arbitrary: among(kind.fields) },
    { weight: 8, arbitrary: among(metadata) },
    { weight: 2, arbitrary: among(strange) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...anywhere), oddValue) },
    { weight: 1, arbitrary: fc.constantFrom(...anywhere).map((pointer): Change => [pointer, undefined]) },
  );
  return fc.array(change, { minLength: most === 1 ? 1 : 0, maxLength: most });
}

/** The body with the changes made; parents that are missing are made, what is no object is left alone. */
export function changed(body: JsonObject, list: readonly Change[]): JsonObject {
  return list.reduce<JsonObject>((whole, [pointer, value]) => put(whole, pointer.split('/').slice(1), value) as JsonObject, body);
}

function put(whole: Json | undefined, [key, ...rest]: readonly string[], value: Json | undefined): Json | undefined {
  if (key === undefined) return value;
  if (Array.isArray(whole)) return whole.map((item, index) => (String(index) === key ? (put(item, rest, value) as Json) : item));
  if (whole !== undefined && (typeof whole !== 'object' || whole === null)) return whole;
  if (whole === undefined && /^\d+$/.test(key)) return undefined;
  const members = new Map(Object.entries((whole ?? {}) as JsonObject));
  const inner = put(members.get(key), rest, value);
  if (inner === undefined) members.delete(key);
  else members.set(key, inner);
  return Object.fromEntries(members);
}

/** The body as text in which one of its members is there twice. */
export function duplicated(body: JsonObject, which: number): string {
  const members = Object.entries(body);
  const [key, value] = members[which % members.length] ?? ['kind', ''];
  return `{${JSON.stringify(key)}:${JSON.stringify(value)},${JSON.stringify(body).slice(1)}`;
}
