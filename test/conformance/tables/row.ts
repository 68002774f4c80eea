/** One row of a table, played. */
export interface Row {
  readonly id: string;
  /** What is not as it should be; absent: all is well. */
  readonly fault?: string;
}

/** Something that plays tables that others wrote. */
export interface TablePlayer {
  /** The folder of the tables. */
  readonly name: string;
  readonly play: () => readonly Row[];
  /** Rows that cannot be played here, with the reason. */
  readonly leftOut: readonly LeftOut[];
}

/** Rows that are left out for one reason. */
export interface LeftOut {
  readonly what: string;
  readonly rows: number;
  readonly why: string;
}

/** How many rows are left out for each reason, of which there is one for each row. */
export function leftOutFor(reasons: readonly string[]): readonly LeftOut[] {
  return [...new Set(reasons)].map((why) => ({ what: 'rows', rows: reasons.filter((reason) => reason === why).length, why }));
}

/** Plays one row: whatever it throws or says is its fault. */
export function row(id: string, check: () => string | undefined | false): Row {
  try {
    const fault = check();
    return fault === undefined || fault === false ? { id } : { id, fault };
  } catch (error) {
    return { id, fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** Undefined when two values are equal as JSON, whatever the order of members. */
export function difference(expected: unknown, actual: unknown): string | undefined {
  const a = ordered(expected);
  const b = ordered(actual);
  return a === b ? undefined : `expected ${a}\n      actual   ${b}`;
}

function ordered(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      inner !== null && typeof inner === 'object' && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
        : inner,
    ) ?? 'nothing'
  );
}
