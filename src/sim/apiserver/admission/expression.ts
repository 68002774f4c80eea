import type { JsonValue } from '../../etcd/object.js';
import { authorizerType, everythingAllowed, requestResource, requestResourceType } from '../cel/authorizer-library.js';
import { compile, type Program } from '../cel/program.js';
import { CostMeter } from '../cel/runtime-cost.js';
import { dynType, type Type } from '../cel/value-types.js';
import { CelError, type CelValue } from '../cel/values.js';
import type { ApiServer } from '../server.js';
import type { Attributes } from './attributes.js';
import { jsonValue } from './json-value.js';
import { storedNamespace } from './matching.js';

/** AD-21: what one evaluation may cost. */
const callLimit = 1_000_000;

/** What every expression of admission may mention. */
export const requestVariables: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['object', dynType],
  ['oldObject', dynType],
  ['request', dynType],
  ['namespaceObject', dynType],
  ['authorizer', authorizerType],
  ['authorizer.requestResource', requestResourceType],
]);

const programs = new WeakMap<ReadonlyMap<string, Type>, Map<string, Program | string>>();

/** @returns a text when the expression is none. */
export function compiled(expression: string, variables: ReadonlyMap<string, Type>): Program | string {
  let known = programs.get(variables);
  if (known === undefined) {
    known = new Map();
    programs.set(variables, known);
  }
  let program = known.get(expression);
  if (program === undefined) {
    program = compile(expression, variables);
    known.set(expression, program);
  }
  return program;
}

export type Values = ReadonlyMap<string, CelValue>;

/** @param request `request` of the review that a webhook would see. */
export function requestValues(server: ApiServer, attributes: Attributes, request: JsonValue): Values {
  const { object, oldObject, namespace, kind } = attributes;
  const own = namespace === '' || kind.resource === 'namespaces' ? undefined : storedNamespace(server, namespace);
  return new Map<string, CelValue>([
    ['object', jsonValue(object as JsonValue | null)],
    ['oldObject', jsonValue(oldObject as JsonValue | null)],
    ['request', jsonValue(request)],
    ['namespaceObject', jsonValue((own ?? null) as JsonValue)],
    ['authorizer', everythingAllowed],
    ['authorizer.requestResource', requestResource],
  ]);
}

/** @throws CelError */
export function evaluate(program: Program, values: Values): CelValue {
  return program.evaluate(values, new CostMeter(callLimit));
}

/** AD-8, AD-21: how an evaluation that failed is told. */
export function evaluationFault(expression: string, error: unknown): string {
  if (!(error instanceof CelError)) throw error;
  return `expression '${expression}' resulted in error: ${error.message}`;
}
