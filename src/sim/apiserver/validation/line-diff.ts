/**
 * The differences of two texts, as the server prints them in errors (TK-10): a unified diff without a head, by the algorithm of
 * Python's difflib, whose matches are the longest and not the fewest changes.
 */
export function lineDiff(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  let text = '';
  for (const group of grouped(operations(a, b))) {
    const first = group[0] as Operation;
    const last = group[group.length - 1] as Operation;
    text += `@@ -${range(first.aFrom, last.aTo)} +${range(first.bFrom, last.bTo)} @@\n`;
    for (const { equal, aFrom, aTo, bFrom, bTo } of group) {
      if (equal) for (const line of a.slice(aFrom, aTo)) text += ` ${line}\n`;
      else {
        for (const line of a.slice(aFrom, aTo)) text += `-${line}\n`;
        for (const line of b.slice(bFrom, bTo)) text += `+${line}\n`;
      }
    }
  }
  return text;
}

interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Operation {
  readonly equal: boolean;
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

const context = 3;

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

/** Where each line stands in a text; lines that are everywhere in a long text are no landmarks. */
function landmarks(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of b.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  if (b.length >= 200) {
    const most = Math.floor(b.length / 100) + 1;
    for (const [line, indices] of [...places]) if (indices.length > most) places.delete(line);
  }
  return places;
}

function matches(a: readonly string[], b: readonly string[]): Match[] {
  const places = landmarks(b);
  const found: Match[] = [];
  const within = (aLow: number, aHigh: number, bLow: number, bHigh: number): void => {
    const match = longestMatch(a, b, places, aLow, aHigh, bLow, bHigh);
    if (match.size === 0) return;
    if (aLow < match.a && bLow < match.b) within(aLow, match.a, bLow, match.b);
    found.push(match);
    if (match.a + match.size < aHigh && match.b + match.size < bHigh) within(match.a + match.size, aHigh, match.b + match.size, bHigh);
  };
  within(0, a.length, 0, b.length);
  return found;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
): Match {
  let best: Match = { a: aLow, b: bLow, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] as string) ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: aStart, b: bStart, size } = best;
  while (aStart > aLow && bStart > bLow && a[aStart - 1] === b[bStart - 1]) {
    aStart--;
    bStart--;
    size++;
  }
  while (aStart + size < aHigh && bStart + size < bHigh && a[aStart + size] === b[bStart + size]) size++;
  return { a: aStart, b: bStart, size };
}

function operations(a: readonly string[], b: readonly string[]): Operation[] {
  const result: Operation[] = [];
  let i = 0;
  let j = 0;
  for (const match of [...matches(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) result.push({ equal: false, aFrom: i, aTo: match.a, bFrom: j, bTo: match.b });
    i = match.a + match.size;
    j = match.b + match.size;
    const last = result[result.length - 1];
    // Matches that touch are one.
    if (match.size > 0 && last?.equal === true) result[result.length - 1] = { ...last, aTo: i, bTo: j };
    else if (match.size > 0) result.push({ equal: true, aFrom: match.a, aTo: i, bFrom: match.b, bTo: j });
  }
  return result;
}

/** Only so much of what is equal as shows where a change is. */
function grouped(all: readonly Operation[]): Operation[][] {
  const groups: Operation[][] = [];
  let group: Operation[] = [];
  for (const [index, operation] of all.entries()) {
    if (!operation.equal) {
      group.push(operation);
      continue;
    }
    const { aFrom, aTo, bFrom, bTo } = operation;
    const length = aTo - aFrom;
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    const head = { equal: true, aFrom, aTo: Math.min(aTo, aFrom + context), bFrom, bTo: Math.min(bTo, bFrom + context) };
    const tail = { equal: true, aFrom: Math.max(aFrom, aTo - context), aTo, bFrom: Math.max(bFrom, bTo - context), bTo };
    if (isFirst) group.push(tail);
    else if (isLast) group.push(head);
    else if (length > 2 * context) {
      groups.push([...group, head]);
      group = [tail];
    } else group.push(operation);
  }
  return group.some(({ equal }) => !equal) ? [...groups, group] : groups;
}
