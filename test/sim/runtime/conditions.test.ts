import { expect, test } from 'vitest';
import {
  type ConditionHolder,
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionTrue,
  removeStatusCondition,
  setStatusCondition,
} from '../../../src/sim/runtime/conditions.js';

const at = (seconds: number) => ({ nowMs: () => Date.UTC(2026, 0, 1, 0, 0, seconds) });
const ready = (status: 'True' | 'False', reason = 'R', message = 'm') => ({ type: 'Ready', status, reason, message });

test('the time of the last transition is that of the last change of the status, and of nothing else', () => {
  const status: ConditionHolder = {};
  expect(setStatusCondition(status, ready('False'), at(1))).toBe(true);
  expect(setStatusCondition(status, ready('False'), at(2))).toBe(false);
  expect(setStatusCondition(status, ready('False', 'Other'), at(3))).toBe(true);
  expect(status.conditions).toEqual([{ ...ready('False', 'Other'), lastTransitionTime: '2026-01-01T00:00:01Z' }]);
  expect(setStatusCondition(status, ready('True'), at(4))).toBe(true);
  expect(findStatusCondition(status.conditions, 'Ready')?.lastTransitionTime).toBe('2026-01-01T00:00:04Z');
});

test('a time that is given is taken, but only when the status changes', () => {
  const status: ConditionHolder = {};
  const given = { ...ready('True'), lastTransitionTime: '2020-01-01T00:00:00Z' };
  setStatusCondition(status, given, at(1));
  setStatusCondition(status, { ...given, lastTransitionTime: '2021-01-01T00:00:00Z' }, at(2));
  expect(status.conditions).toEqual([given]);
});

test('the observed generation is changed, and taken away when the new condition has none', () => {
  const status: ConditionHolder = {};
  setStatusCondition(status, { ...ready('True'), observedGeneration: 1 }, at(1));
  expect(setStatusCondition(status, { ...ready('True'), observedGeneration: 2 }, at(1))).toBe(true);
  expect(findStatusCondition(status.conditions, 'Ready')?.observedGeneration).toBe(2);
  expect(setStatusCondition(status, ready('True'), at(1))).toBe(true);
  expect(findStatusCondition(status.conditions, 'Ready')).not.toHaveProperty('observedGeneration');
});

test('a condition that is not there is neither true nor false, and cannot be removed', () => {
  const status: ConditionHolder = {};
  expect(removeStatusCondition(status, 'Ready')).toBe(false);
  setStatusCondition(status, ready('False'), at(1));
  expect([isStatusConditionTrue(status.conditions, 'Ready'), isStatusConditionFalse(status.conditions, 'Ready')]).toEqual([false, true]);
  expect(isStatusConditionFalse(status.conditions, 'Degraded')).toBe(false);
  expect([removeStatusCondition(status, 'Ready'), status.conditions]).toEqual([true, []]);
});
