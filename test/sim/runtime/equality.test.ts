import { expect, test } from 'vitest';
import { ApiError, isConflict, isNotFound, isTooManyRequests, reasonForError } from '../../../src/sim/runtime/api-errors.js';
import { semanticDeepEqual } from '../../../src/sim/runtime/equality.js';

test('what is missing, null or empty is the same nothing', () => {
  expect(semanticDeepEqual({ a: 1, list: [], map: {}, none: null }, { a: 1 })).toBe(true);
  expect(semanticDeepEqual({ inner: { list: [] } }, { inner: {} })).toBe(true);
  expect(semanticDeepEqual({}, [])).toBe(true);
});

test('zero, an empty text and false are values', () => {
  for (const value of [0, '', false]) expect(semanticDeepEqual({ value }, {})).toBe(false);
});

test('the order of a list counts, that of fields does not', () => {
  expect(semanticDeepEqual([1, 2], [2, 1])).toBe(false);
  expect(semanticDeepEqual({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(semanticDeepEqual([{}], [])).toBe(false);
});

const error = (reason: string, code: number) =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code } as ConstructorParameters<
    typeof ApiError
  >[0]);

test('the code of an answer counts only when its reason is none that is known', () => {
  expect(isNotFound(error('', 404))).toBe(true);
  expect(isNotFound(error('SomethingElse', 404))).toBe(true);
  expect(isNotFound(error('Gone', 404))).toBe(false);
  expect(isConflict(error('AlreadyExists', 409))).toBe(false);
  expect(isTooManyRequests(error('Timeout', 429))).toBe(true);
});

test('a wrapped error is looked through', () => {
  const wrapped = new Error('cannot go on', { cause: error('Conflict', 409) });
  expect([isConflict(wrapped), reasonForError(wrapped), reasonForError(new Error('plain'))]).toEqual([true, 'Conflict', '']);
});
