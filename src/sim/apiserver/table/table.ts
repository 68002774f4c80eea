import type { JsonValue, KubeObject } from '../../etcd/object.js';
import type { KindInfo } from '../kinds.js';
import { badRequest } from '../status.js';
import { builtInCells, shownOrder } from './built-in-cells.js';
import { nameAndTime } from './cluster-cells.js';
import { builtInColumns, type Cells, type Column } from './column.js';
import { customCells, customColumns, describeColumns, scaleColumns } from './custom-columns.js';
import { podRowConditions } from './pod-cells.js';

/** On the bookmark after which a watch is live; it is always shown. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** A list or an object as a Table: what `kubectl get -o wide` shows (HT-16, CD-17). */
export function tableOf(
  kind: KindInfo,
  version: string,
  includeObject: string | undefined,
  object: KubeObject & { readonly items?: readonly KubeObject[] },
  nowMs: number,
): { readonly [key: string]: JsonValue } {
  const isList = Array.isArray(object.items) && object.kind === `${kind.kind}List`;
  const { continue: token, resourceVersion, remainingItemCount } = object.metadata as unknown as Record<string, JsonValue | undefined>;
  const { columns, cells } = viewOf(kind, object.kind === 'Scale');
  const shown = isList ? shownOrder(kind.resource, object.items ?? []).map((item) => ({ ...item, ...typeOf(kind) })) : [object];
  const rows = shown.map((item) => {
    const conditions = kind.resource === 'pods' ? podRowConditions(item) : undefined;
    return {
      cells: cells(item, nowMs),
      ...(conditions !== undefined && { conditions }),
      object: rowObject(version, includeObject || 'Metadata', item),
    };
  });
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: {
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(isList && token !== undefined && token !== '' && { continue: token }),
      ...(isList && remainingItemCount !== undefined && { remainingItemCount }),
    },
    columnDefinitions: columns as unknown as JsonValue,
    // Go writes a list to which nothing was added as null; most kinds begin with an empty one.
    rows: rows.length === 0 && cells === nameAndTime ? null : (rows as unknown as JsonValue),
  };
}

/** Whose `/status` has no Table. */
const plainStatus: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'resourceclaims.resource.k8s.io',
]);
const plainSubresources: ReadonlySet<string> = new Set([
  'approval',
  'binding',
  'ephemeralcontainers',
  'eviction',
  'finalize',
  'log',
  'resize',
  'token',
]);

/** Whether a kind, or a subresource of it, can be shown as a Table: what can be listed, its status and its Scale (HT-16). */
export function hasTable(kind: KindInfo, subresource: string | undefined): boolean {
  if (subresource === undefined) return kind.verbs.has('list');
  return subresource === 'status' ? !plainStatus.has(kind.resource) : !plainSubresources.has(subresource);
}

/** @throws ApiStatusError 400 */
export function checkIncludeObject(includeObject: string | undefined): void {
  if (includeObject === undefined || ['', 'None', 'Metadata', 'Object'].includes(includeObject)) return;
  const value = JSON.stringify(includeObject);
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${value}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

function viewOf(kind: KindInfo, scale: boolean): { readonly columns: readonly Column[]; readonly cells: Cells } {
  if (kind.custom) {
    const columns = scale ? scaleColumns : customColumns(kind.definition);
    return { columns: describeColumns(columns), cells: customCells(columns) };
  }
  const resource = scale ? 'scale.autoscaling' : kind.resource;
  return { columns: builtInColumns(resource) ?? [], cells: builtInCells(resource) };
}

/** The members of a list do not say what they are. */
function typeOf({ kind, apiVersion }: KindInfo): Pick<KubeObject, 'kind' | 'apiVersion'> {
  return { kind, apiVersion };
}

function rowObject(version: string, include: string, object: KubeObject): JsonValue {
  if (include === 'None' && object.metadata.annotations?.[INITIAL_EVENTS_END] !== 'true') return null;
  if (include === 'Object') return object as unknown as JsonValue;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata } as unknown as JsonValue;
}
