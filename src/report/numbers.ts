/** `t=31.002s`: a virtual time since the run began. */
export function timeText(ms: number): string {
  return `t=${(ms / 1000).toFixed(3)}s`;
}

/** `200 ms`, `5 s`, `2 min`: a virtual duration. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${rounded(ms)} ms`;
  if (ms < 120_000) return `${rounded(ms / 1_000)} s`;
  return `${rounded(ms / 60_000)} min`;
}

/** `1st`, `2nd`, `11th`. */
export function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}

/** `1 run`, `12 runs`. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? noun : plural}`;
}

function rounded(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}
