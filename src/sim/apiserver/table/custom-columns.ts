import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { goJson, inKeyOrder } from '../field-errors.js';
import { goPrint } from '../go-print.js';
import { firstAt, parseJsonPath } from '../json-path.js';
import type { CustomVersion } from '../kinds.js';
import { sinceText } from './ages.js';
import { nameOf } from './cell-text.js';
import { builtInColumns, type Cells, type Column } from './column.js';

type Definition = NonNullable<CustomVersion['additionalPrinterColumns']>[number];

/** Name and Age, described as those of every kind are. */
const [NAME, AGE] = (builtInColumns('serviceaccounts') ?? []) as readonly [Column, Column];

const AGE_COLUMN: Definition = {
  name: AGE.name,
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: AGE.description,
};

/** The columns of a custom resource, as its definition has them (CD-17). */
export function customColumns(version: CustomVersion | undefined): readonly Definition[] {
  const columns = version?.additionalPrinterColumns ?? [];
  return columns.length === 0 ? [AGE_COLUMN] : columns;
}

/** The columns of the Scale of any custom resource. */
export const scaleColumns: readonly Definition[] = [
  { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', description: 'Number of desired replicas' },
  { name: 'Available', type: 'integer', jsonPath: '.status.replicas', description: 'Number of actual replicas' },
  AGE_COLUMN,
];

/** What a Table says of these columns, the name being the first. */
export function describeColumns(columns: readonly Definition[]): readonly Column[] {
  return [
    NAME,
    ...columns.map(({ name, type, jsonPath, format = '', description, priority = 0 }) => ({
      name,
      type,
      format,
      description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
      priority,
    })),
  ];
}

/** The cells of these columns, the name being the first; null where the path finds nothing. */
export function customCells(columns: readonly Definition[]): Cells {
  const paths = columns.map(({ type, jsonPath }) => ({ type, path: parseJsonPath(jsonPath) }));
  return (object: KubeObject, nowMs: number) => [
    nameOf(object),
    ...paths.map(({ type, path }) => (path === undefined ? null : cellOf(type, firstAt(object, path), nowMs))),
  ];
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
      return typeof value === 'string' ? dateCell(value, nowMs) : null;
    default:
      return typeof value === 'object' ? goJson(inKeyOrder(value)) : goPrint(value as JsonValue);
  }
}

function dateCell(text: string, nowMs: number): string {
  return Number.isNaN(Date.parse(text)) ? '<invalid>' : sinceText(text, nowMs);
}
