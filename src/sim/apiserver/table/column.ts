import type { JsonValue, KubeObject } from '../../etcd/object.js';
import { columnText } from '../data/columns.js';

/** What a Table says of one of its columns. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** The cells of one object, in the order of the columns. @param nowMs virtual time, for ages */
export type Cells = (object: KubeObject, nowMs: number) => readonly JsonValue[];

/** As the data has it: name, number of the description, and what is out of the ordinary. */
type Written = readonly [name: string, description: number, type?: string, format?: string, priority?: number];

interface Data {
  readonly descriptions: readonly string[];
  readonly columns: Readonly<Record<string, readonly Written[]>>;
}

let read: Data | undefined;
const known = new Map<string, readonly Column[]>();

/** The columns of a built-in resource, by its qualified plural; undefined for a resource that has no Table. */
export function builtInColumns(resource: string): readonly Column[] | undefined {
  const before = known.get(resource);
  if (before !== undefined) return before;
  read ??= JSON.parse(columnText) as Data;
  const { descriptions, columns } = read;
  const written = Object.hasOwn(columns, resource) ? columns[resource] : undefined;
  const made = written?.map(([name, description, type, format, priority]) => ({
    name,
    type: type || 'string',
    format: format ?? '',
    description: descriptions[description] ?? '',
    priority: priority ?? 0,
  }));
  if (made !== undefined) known.set(resource, made);
  return made;
}
