import type { JsonValue, KubeObject } from '../etcd/object.js';
import { firstAt, parseJsonPath } from './json-path.js';
import type { CustomVersion, KindInfo } from './kinds.js';
import { badRequest } from './status.js';

/**
 * A list or an object as a Table: what `kubectl get` shows (HT-16, CD-17). Of the built-in kinds only ConfigMaps have columns
 * of their own, all others Name and Age.
 */
export function tableOf(
  kind: KindInfo,
  version: string,
  includeObject: string | undefined,
  object: KubeObject & { readonly items?: readonly KubeObject[] },
  nowMs: number,
): { readonly [key: string]: JsonValue } {
  const isList = Array.isArray(object.items) && object.kind === `${kind.kind}List`;
  const { continue: token, resourceVersion, remainingItemCount } = object.metadata as unknown as Record<string, JsonValue | undefined>;
  const columns = columnsOf(kind);
  const items = isList ? (object.items ?? []) : [object];
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: {
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(isList && token !== undefined && token !== '' && { continue: token }),
      ...(isList && remainingItemCount !== undefined && { remainingItemCount }),
    },
    columnDefinitions: columns.map(({ cell: _cell, ...definition }) => definition) as unknown as JsonValue,
    rows: items.map((item) => ({
      cells: columns.map((column) => column.cell(item, nowMs)),
      object: rowObject(kind, version, includeObject || 'Metadata', item),
    })) as unknown as JsonValue,
  };
}

/** @throws ApiStatusError 400 */
export function checkIncludeObject(includeObject: string | undefined): void {
  if (includeObject === undefined || ['', 'None', 'Metadata', 'Object'].includes(includeObject)) return;
  const value = JSON.stringify(includeObject);
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${value}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly cell: (object: KubeObject, nowMs: number) => JsonValue;
}

const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
};

const AGE: Column = {
  name: 'Age',
  type: 'string',
  format: '',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  priority: 0,
  cell: (object, nowMs) => sinceText(object.metadata.creationTimestamp, nowMs) ?? '<unknown>',
};

const DATA: Column = {
  name: 'Data',
  type: 'string',
  format: '',
  description:
    "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
  priority: 0,
  cell: (object) => Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
};

function columnsOf(kind: KindInfo): readonly Column[] {
  if (kind.resource === 'configmaps') return [NAME, DATA, AGE];
  if (!kind.custom) return [NAME, AGE];
  const columns = kind.definition?.additionalPrinterColumns ?? [];
  return columns.length === 0 ? [NAME, { ...AGE, type: 'date' }] : [NAME, ...columns.map(customColumn)];
}

function customColumn(column: NonNullable<CustomVersion['additionalPrinterColumns']>[number]): Column {
  const { name, type, jsonPath, format = '', priority = 0 } = column;
  const path = parseJsonPath(jsonPath);
  return {
    name,
    type,
    format,
    description: column.description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
    cell: (object, nowMs) => (path === undefined ? null : cellOf(type, firstAt(object, path), nowMs)),
  };
}

/** A value in the column's type, or null when it does not fit. */
function cellOf(type: string, value: unknown, nowMs: number): JsonValue {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? (sinceText(value, nowMs) ?? '<invalid>') : null;
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

function rowObject(kind: KindInfo, version: string, include: string, object: KubeObject): JsonValue {
  if (include === 'None') return null;
  if (include === 'Object') return { ...object, kind: kind.kind, apiVersion: kind.apiVersion } as unknown as JsonValue;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata } as unknown as JsonValue;
}

/** How long ago, as kubectl prints it: `5s`, `3m20s`, `2d4h`. */
function sinceText(timestamp: string | undefined, nowMs: number): string | undefined {
  const seconds = Math.floor((nowMs - Date.parse(timestamp ?? '')) / 1000);
  if (Number.isNaN(seconds)) return undefined;
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)];
  const two = (large: number, unit: string, small: number, smallUnit: string) =>
    small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smallUnit}`;
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (hours < 192) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  return two(Math.floor(days / 365), 'y', days % 365, 'd');
}
