import type { JsonValue, KubeObject } from '../etcd/object.js';
import { invalidValue } from './field-errors.js';
import { goDynamicType, goPrint } from './go-print.js';
import { isObject } from './json.js';
import type { KindInfo } from './kinds.js';
import type { StatusCause } from './request.js';

/** The largest number of replicas: an int32. */
export const mostReplicas = 2_147_483_647;

/** Where a kind keeps what its Scale shows. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly selector: readonly string[] | undefined;
}

const builtInPaths: ScalePaths = { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'], selector: undefined };

export function scalePathsOf(kind: KindInfo): ScalePaths {
  const scale = kind.definition?.subresources?.scale;
  if (scale === undefined) return builtInPaths;
  const parts = (path: string) => path.split('.').filter((part) => part !== '');
  return {
    specReplicas: parts(scale.specReplicasPath),
    statusReplicas: parts(scale.statusReplicasPath),
    selector: scale.labelSelectorPath === undefined ? undefined : parts(scale.labelSelectorPath),
  };
}

/** CD-13: the numbers that a custom resource's scale names are checked by every write. */
export function scalePathFaults(kind: KindInfo, object: KubeObject): StatusCause[] {
  if (!kind.custom || kind.definition?.subresources?.scale === undefined) return [];
  const { specReplicas, statusReplicas } = scalePathsOf(kind);
  return [specReplicas, statusReplicas].flatMap((path) => {
    const value = valueAt(object, path);
    const field = `.${path.join('.')}`;
    const fault = accessorFault(object, path);
    if (fault !== undefined) return [invalidValue(field, 0, `${field} accessor error: ${fault}`)];
    if (typeof value !== 'number') return [];
    if (value < 0) return [invalidValue(field, value, 'should be a non-negative integer')];
    return value > mostReplicas ? [invalidValue(field, value, `should be less than or equal to ${mostReplicas}`)] : [];
  });
}

/** What keeps Go from reading a whole number at a path; undefined when there is one, or nothing. */
function accessorFault(object: unknown, path: readonly string[]): string | undefined {
  let value = object as JsonValue | undefined;
  for (const [index, part] of path.entries()) {
    if (value === null) return undefined;
    if (!isObject(value)) return `${goPrint(value)} is of the type ${goDynamicType(value)}, expected map[string]interface{}`;
    if (!Object.hasOwn(value, part)) return undefined;
    value = value[part];
    if (index === path.length - 1 && !Number.isInteger(value)) {
      return `${goPrint(value)} is of the type ${goDynamicType(value)}, expected int64`;
    }
  }
  return undefined;
}

export function valueAt(object: unknown, path: readonly string[]): JsonValue | undefined {
  let value = object;
  for (const part of path) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value as JsonValue;
}

/** A copy with a value at a path; parents that are missing are made. */
export function withValue(object: unknown, [part, ...rest]: readonly string[], value: JsonValue): unknown {
  if (part === undefined) return value;
  const parent = isObject(object) ? object : {};
  return { ...parent, [part]: withValue(Object.hasOwn(parent, part) ? parent[part] : undefined, rest, value) };
}
