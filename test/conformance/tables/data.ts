import { readFileSync } from 'node:fs';

export type Go = { readonly [key: string]: unknown };

export interface Table {
  readonly func: string | null;
  readonly var: string;
  readonly rows: readonly unknown[] | Readonly<Record<string, unknown>>;
}

export interface TableFile {
  readonly tables: readonly Table[];
  readonly parsers?: Readonly<Record<string, string>>;
  readonly yaml?: Readonly<Record<string, string>>;
}

export function text(path: string): string {
  return readFileSync(new URL(`../data/${path}`, import.meta.url), 'utf8');
}

export function file(path: string): TableFile {
  return JSON.parse(text(path)) as TableFile;
}

/** The rows of a table with their names. */
export function rowsOf(table: Table): readonly (readonly [string, Go])[] {
  if (!Array.isArray(table.rows)) return Object.entries(table.rows as Readonly<Record<string, Go>>);
  return table.rows.map((each, index) => [String((each as Go)?.name ?? (each as Go)?.desc ?? index), each as Go] as const);
}
