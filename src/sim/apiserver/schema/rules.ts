import type { JsonValue } from '../../etcd/object.js';
import type { StatusCause } from '../request.js';
import type { SchemaNode } from './compile.js';

export interface RuleRun {
  readonly place: string;
  readonly old?: JsonValue;
}

export function ruleFaults(_value: JsonValue, _node: SchemaNode, _run: RuleRun): StatusCause[] {
  return [];
}
