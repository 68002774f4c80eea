import { compile, type Program } from '../cel/program.js';
import { boolType, optionalOf, sameType, stringType, type Type } from '../cel/value-types.js';
import { declaredType } from './cel-types.js';
import type { SchemaNode } from './compile.js';
import { fieldPath } from './field-path.js';
import type { ValidationRule } from './json-schema.js';

/** A rule made ready. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: Program | undefined;
  /** Why the rule does not compile. */
  readonly fault: string | undefined;
  readonly usesOldSelf: boolean;
  readonly message: Program | undefined;
  readonly messageFault: string | undefined;
  /** The place below that a failure is about. */
  readonly place: string;
}

/** The rules of one node. @param isResource the node is the root of an object. */
export function compileRules(node: SchemaNode, self: Type): readonly CompiledRule[] {
  return (node.schema['x-kubernetes-validations'] ?? []).map((rule) => compileRule(node, rule, self));
}

function compileRule(node: SchemaNode, rule: ValidationRule, self: Type): CompiledRule {
  const none = { program: undefined, fault: undefined, usesOldSelf: false, message: undefined, messageFault: undefined, place: '' };
  if (rule.rule.trim() === '') return { rule, ...none };
  const variables = new Map<string, Type>([
    ['self', self],
    ['oldSelf', rule.optionalOldSelf ? optionalOf(self) : self],
  ]);
  const program = compile(rule.rule, variables);
  if (typeof program === 'string') return { rule, ...none, fault: `compilation failed: ${program}` };
  if (!sameType(program.type, boolType)) return { rule, ...none, fault: 'cel expression must evaluate to a bool' };
  const usesOldSelf = program.mentions('oldSelf');
  const found = rule.fieldPath ? fieldPath(rule.fieldPath, node.schema) : '';
  const place = typeof found === 'string' ? '' : found.text;
  const ready = { rule, program, fault: undefined, usesOldSelf, message: undefined, messageFault: undefined, place };
  if (!rule.messageExpression) return ready;
  const message = compile(rule.messageExpression, variables);
  if (typeof message === 'string') return { ...ready, messageFault: `messageExpression compilation failed: ${message}` };
  if (!sameType(message.type, stringType)) return { ...ready, messageFault: 'messageExpression must evaluate to a string' };
  return { ...ready, message };
}

/** Rules of a node and of what is below it; undefined: there are none. */
export interface RuleTree {
  readonly node: SchemaNode;
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly items: RuleTree | undefined;
  readonly values: RuleTree | undefined;
}

const trees = new WeakMap<SchemaNode, Map<boolean, RuleTree | undefined>>();

export function treeOf(node: SchemaNode, isResource: boolean): RuleTree | undefined {
  if (!node.contains.rules) return undefined;
  const known = trees.get(node) ?? new Map<boolean, RuleTree | undefined>();
  if (!known.has(isResource)) {
    trees.set(node, known);
    known.set(isResource, plant(node, isResource));
  }
  return known.get(isResource);
}

function plant(node: SchemaNode, isResource: boolean): RuleTree | undefined {
  const declared = declaredType(node, isResource);
  const below = (child: SchemaNode | undefined) => child && treeOf(child, child.embedded);
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of node.properties) {
    const tree = below(property);
    if (tree !== undefined) properties.set(name, tree);
  }
  return {
    node,
    isResource,
    rules: declared === undefined ? [] : compileRules(node, declared.type),
    properties,
    items: below(node.items),
    values: below(node.values),
  };
}
