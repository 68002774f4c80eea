/**
 * A number of pods as a spec gives it: a count, or a share of so many in percent.
 * @param round which way a share that is no whole number goes
 */
export function scaled(value: number | string | undefined, total: number, round: (value: number) => number): number {
  if (typeof value !== 'string') return value ?? 0;
  return round((Number.parseInt(value, 10) * total) / 100);
}
