/** Collects what happens between two quiet points, in lanes. Order is kept within a lane, never claimed between lanes. */
export class Journal {
  private lanes = new Map<string, unknown[]>();

  constructor(private readonly anyOrder: readonly string[] = []) {}

  note(lane: string, entry: unknown): void {
    const entries = this.lanes.get(lane);
    if (entries === undefined) this.lanes.set(lane, [entry]);
    else entries.push(entry);
  }

  /** Hands over the lanes and empties them; those in any order come sorted. */
  flush(alsoAnyOrder: readonly string[] = []): Record<string, unknown[]> {
    const lanes = this.lanes;
    this.lanes = new Map();
    for (const [lane, entries] of lanes) {
      if (this.anyOrder.includes(lane) || alsoAnyOrder.includes(lane)) entries.sort(byText);
    }
    return Object.fromEntries(lanes);
  }
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [goText(a), goText(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** As the recorder writes JSON before it sorts: keys in order, angle brackets and ampersands escaped. */
function goText(value: unknown): string {
  const sorted = JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
  return sorted.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
