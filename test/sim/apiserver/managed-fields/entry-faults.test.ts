import { expect, it } from 'vitest';
import { undecodable } from '../../../../src/sim/apiserver/managed-fields/entry-faults.js';

const entry = { manager: 'hook', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } };

it('says nothing of entries that can be understood', () => {
  expect(undecodable([entry, { ...entry, fieldsV1: { 'x:later': {}, 'f:data': { '.': {}, 'k:{"a":1}': null } } }])).toBeUndefined();
});

it.each([
  [{ ...entry, operation: 'Delete' }, 'operation must be `Apply` or `Update`'],
  [{ ...entry, apiVersion: '' }, 'apiVersion must not be empty'],
  [{ ...entry, fieldsType: '' }, 'missing fieldsType in managed fields entry 1'],
  [{ ...entry, fieldsType: 'V9' }, 'invalid fieldsType "V9" in managed fields entry 1'],
])('says what is missing: %j', (bad, text) => {
  expect(undecodable([entry, bad])).toBe(text);
});

it('says where the reader stood at a key that is none', () => {
  const text =
    'error decoding versioned set from {hook Update v1 <nil> FieldsV1 {"nonsense":{}} }: error decoding set: parsing key as path element: missing colon: nonsense, error found in #10 byte of ...|nonsense":{}}|..., bigger context ...|{"nonsense":{}}|...';
  expect(undecodable([{ ...entry, fieldsV1: { nonsense: {} } }])).toBe(text);
});
