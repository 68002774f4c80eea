import type { JsonValue } from '../../etcd/object.js';
import type { Program } from '../cel/program.js';
import { dynType, type Type } from '../cel/value-types.js';
import { CelError, type CelObject, type CelValue } from '../cel/values.js';
import { compiled, evaluate, requestVariables, type Values } from './expression.js';
import { jsonValue } from './json-value.js';
import type { PolicySpec } from './policies.js';

/** What a policy's expressions may mention: `variables` and, with a kind for them, `params` (AD-8). */
export interface PolicyScope {
  /** Without `variables`: for match conditions. */
  readonly conditions: ReadonlyMap<string, Type>;
  readonly all: ReadonlyMap<string, Type>;
  readonly variables: ReadonlyMap<string, Program | string>;
}

const scopes = new WeakMap<PolicySpec, PolicyScope>();

/** Made once for each stored policy. */
export function scopeOf(spec: PolicySpec): PolicyScope {
  let scope = scopes.get(spec);
  if (scope === undefined) {
    scope = makeScope(spec);
    scopes.set(spec, scope);
  }
  return scope;
}

function makeScope(spec: PolicySpec): PolicyScope {
  const conditions = spec.paramKind === undefined ? requestVariables : new Map([...requestVariables, ['params', dynType] as const]);
  const fields = new Map<string, Type>();
  const variables = new Map<string, Program | string>();
  const all = new Map<string, Type>([...conditions, ['variables', { kind: 'object', name: 'kubernetes.variables', fields }]]);
  for (const { name = '', expression = '' } of spec.variables ?? []) {
    // Each may mention those before it.
    const program = compiled(expression, new Map(all));
    variables.set(name, program);
    fields.set(name, typeof program === 'string' ? dynType : program.type);
  }
  return { conditions, all, variables };
}

/** The values for one parameter. */
export function policyValues(scope: PolicyScope, request: Values, params: JsonValue): Values {
  const values = new Map<string, CelValue>([...request, ['params', jsonValue(params)]]);
  values.set('variables', new Variables(scope, values));
  return values;
}

/** Variables are worked out when an expression asks for them, and once. */
class Variables implements CelObject {
  readonly kind = 'object';
  readonly typeName = 'kubernetes.variables';
  readonly #scope: PolicyScope;
  readonly #values: Values;
  readonly #known = new Map<string, CelValue | CelError>();

  constructor(scope: PolicyScope, values: Values) {
    this.#scope = scope;
    this.#values = values;
  }

  get(name: string): CelValue | undefined {
    const program = this.#scope.variables.get(name);
    if (program === undefined) return undefined;
    let value = this.#known.get(name);
    if (value === undefined) {
      value = this.#evaluate(name, program);
      this.#known.set(name, value);
    }
    if (value instanceof CelError) throw value;
    return value;
  }

  #evaluate(name: string, program: Program | string): CelValue | CelError {
    if (typeof program === 'string') return new CelError(`composited variable "${name}" fails to compile: ${program}`);
    try {
      return evaluate(program, this.#values);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return new CelError(`composited variable "${name}" fails to evaluate: ${error.message}`);
    }
  }

  equals(other: CelObject): boolean {
    return this === other;
  }
}
