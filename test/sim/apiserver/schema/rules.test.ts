import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../../src/sim/apiserver/schema/compile.js';
import type { JsonSchema, ValidationRule } from '../../../../src/sim/apiserver/schema/json-schema.js';
import { ruleFaults } from '../../../../src/sim/apiserver/schema/rules.js';
import { deepFreeze, type JsonValue } from '../../../../src/sim/etcd/object.js';

const withRules = (field: JsonSchema, ...rules: ValidationRule[]) =>
  compileSchema(
    deepFreeze({ type: 'object', properties: { f: { ...field, 'x-kubernetes-validations': rules } } }) as unknown as JsonSchema,
  );
const inWords = ({ reason, field, message }: { reason?: string; field?: string; message?: string }) => `${reason} ${field}: ${message}`;
const count: JsonSchema = { type: 'integer' };

describe('a rule', () => {
  const faults = (rule: ValidationRule, f: JsonValue, field = count) => ruleFaults({ f }, withRules(field, rule), {}).map(inWords);

  it('fails in its own words, in a message, or in what an expression gives', () => {
    expect(faults({ rule: 'self > 1' }, 1)).toEqual(['FieldValueInvalid f: Invalid value: 1: failed rule: self > 1']);
    expect(faults({ rule: 'self > 1', message: 'too few' }, 1)).toEqual(['FieldValueInvalid f: Invalid value: 1: too few']);
    const messageExpression = '"only " + string(self)';
    expect(faults({ rule: 'self > 1', messageExpression }, 1)).toEqual(['FieldValueInvalid f: Invalid value: 1: only 1']);
  });

  it('gives the reason and the place that it names', () => {
    const pair: JsonSchema = { type: 'object', properties: { a: count } };
    const rule = { rule: 'self.a > 1', reason: 'FieldValueForbidden', fieldPath: '.a' };
    expect(faults(rule, { a: 1 }, pair)).toEqual(['FieldValueForbidden f.a: Forbidden: failed rule: self.a > 1']);
  });

  it('tells what went wrong in it', () => {
    expect(faults({ rule: '1 / self > 0' }, 0)[0]).toContain('division by zero');
  });
});

describe('a rule about a change', () => {
  const grows = { rule: 'self >= oldSelf' };

  it('is not asked where there was nothing before', () => {
    expect(ruleFaults({ f: 1 }, withRules(count, grows), {})).toEqual([]);
    expect(ruleFaults({ f: 1 }, withRules(count, grows), { old: {} })).toEqual([]);
  });

  it('compares with what was there', () => {
    expect(ruleFaults({ f: 1 }, withRules(count, grows), { old: { f: 2 } })).toHaveLength(1);
  });

  it('is asked at once when its old value is optional', () => {
    const rule = { rule: 'oldSelf.hasValue() || self == 0', optionalOldSelf: true };
    expect(ruleFaults({ f: 1 }, withRules(count, rule), {})).toHaveLength(1);
    expect(ruleFaults({ f: 1 }, withRules(count, rule), { old: { f: 5 } })).toEqual([]);
  });

  it('only warns of what was wrong before and has not changed', () => {
    const warnings: string[] = [];
    expect(ruleFaults({ f: 1 }, withRules(count, { rule: 'self > 1' }), { old: { f: 1 }, warnings })).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});

describe('the rules of one object', () => {
  it('share what they may cost', () => {
    const list: JsonSchema = { type: 'array', items: count };
    const node = withRules(list, { rule: 'self.all(x, self.all(y, x + y >= 0))' });
    const [fault] = ruleFaults({ f: Array.from({ length: 100 }, (_, index) => index) }, node, { budget: 1000 });
    expect(fault?.message).toContain('cost');
  });
});
