import type { JsonValue, KubeObject } from '../etcd/object.js';
import type { KindInfo } from './kinds.js';
import { badRequest } from './status.js';

/** A list or an object as a Table: what `kubectl get` shows (HT-16). @throws ApiStatusError 400 for a bad `includeObject` */
export function tableOf(
  kind: KindInfo,
  version: string,
  includeObject: string | undefined,
  object: KubeObject & { readonly items?: readonly KubeObject[] },
): { readonly [key: string]: JsonValue } {
  const include = includeObject || 'Metadata';
  if (include !== 'None' && include !== 'Metadata' && include !== 'Object') {
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
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
      cells: columns.map((column) => column.cell(item)),
      object: rowObject(kind, version, include, item),
    })) as unknown as JsonValue,
  };
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly cell: (object: KubeObject) => JsonValue;
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

function rowObject(kind: KindInfo, version: string, include: string, object: KubeObject): JsonValue {
  if (include === 'None') return null;
  if (include === 'Object') return { ...object, kind: kind.kind, apiVersion: kind.apiVersion } as unknown as JsonValue;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata } as unknown as JsonValue;
}

function columnsOf(kind: KindInfo): readonly Column[] {
  if (kind.resource === 'configmaps') {
    return [NAME, { name: 'Data', type: 'integer', format: '', description: '', priority: 0, cell: dataCount }];
  }
  const columns = kind.definition?.additionalPrinterColumns ?? [];
  return [
    NAME,
    ...columns.map(({ name, type, jsonPath }) => ({ name, type, format: '', description: '', priority: 0, cell: cellAt(jsonPath) })),
  ];
}

function dataCount(object: KubeObject): number {
  return Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length;
}

function cellAt(jsonPath: string): (object: KubeObject) => JsonValue {
  const keys = jsonPath.replace(/^\./, '').split('.');
  return (object) => {
    let value: unknown = object;
    for (const key of keys) {
      if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return null;
      value = (value as Record<string, unknown>)[key];
    }
    return (value ?? null) as JsonValue;
  };
}
