import type { JsonValue } from '../../etcd/object.js';
import { goJson, inKeyOrder } from '../field-errors.js';
import { isObject } from '../json.js';
import { compare } from '../structured-merge/comparison.js';
import type { FieldSet } from '../structured-merge/field-set.js';
import { fieldsOf } from '../structured-merge/fields-of.js';
import { type TypedValue, TypeFaults } from '../structured-merge/typed-value.js';
import { Conflicts } from '../structured-merge/updating.js';
import { asTyped } from '../structured-merge/validation.js';
import type { ObjectValue } from './typing.js';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** PA-57, first half: the conflicts that are left when `kubectl` may have back what client-side apply gave it. */
export function allowedByLastApplied(error: Conflicts, live: TypedValue, apiVersion: string): Conflicts {
  const allowed = lastAppliedFields(live, apiVersion);
  if (allowed === undefined || error.fields.difference(allowed).isEmpty) return allowed === undefined ? error : new Conflicts([]);
  return new Conflicts(error.conflicts.filter(({ path }) => !allowed.has(path)));
}

/** What was applied last by a client and is still as it was. */
function lastAppliedFields(live: TypedValue, apiVersion: string): FieldSet | undefined {
  const text = annotationsOf(live.value as ObjectValue)[annotation];
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const last = JSON.parse(text) as JsonValue;
    if (!isObject(last) || last.apiVersion !== apiVersion) return undefined;
    const typed = asTyped(last, live.schema, live.type, 'refused');
    const { modified, added, removed } = compare(typed, live);
    return fieldsOf(typed).difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeFaults) return undefined;
    throw error;
  }
}

/** PA-57, second half: the annotation follows what `kubectl` applies, where there is one. */
export function withLastApplied(object: ObjectValue, config: ObjectValue): ObjectValue {
  const annotations = annotationsOf(object);
  if (typeof annotations[annotation] !== 'string' || annotations[annotation] === '') return object;
  const { [annotation]: _, ...others } = annotationsOf(config);
  const bare = isObject(config.metadata) && isObject(config.metadata.annotations) ? withAnnotations(config, others) : config;
  return withAnnotations(object, { ...annotations, [annotation]: `${goJson(inKeyOrder(bare))}\n` });
}

function annotationsOf(object: ObjectValue): Readonly<Record<string, JsonValue>> {
  return isObject(object.metadata) && isObject(object.metadata.annotations) ? object.metadata.annotations : {};
}

function withAnnotations(object: ObjectValue, annotations: Readonly<Record<string, JsonValue>>): ObjectValue {
  const { annotations: _, ...metadata } = object.metadata as ObjectValue;
  return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}
