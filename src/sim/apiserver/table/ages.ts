import type { KubeObject } from '../../etcd/object.js';

/** How old an object is, as kubectl shows it. @param nowMs virtual time */
export function age({ metadata }: KubeObject, nowMs: number): string {
  return sinceText(metadata.creationTimestamp, nowMs);
}

/** How long it is since a time, as kubectl shows it; `<unknown>` when there is none. @param nowMs virtual time */
export function sinceText(timestamp: string | null | undefined, nowMs: number): string {
  if (timestamp === undefined || timestamp === null) return '<unknown>';
  return durationText(nowMs - Date.parse(timestamp));
}

/** A span of milliseconds with two or three figures: `5s`, `3m20s`, `2d4h`; `<invalid>` when it is less than minus one second. */
export function durationText(spanMs: number): string {
  const seconds = Math.trunc(spanMs / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)];
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (hours < 192) return two(days, 'd', hours % 24, 'h');
  const years = Math.floor(days / 365);
  if (years < 2) return `${days}d`;
  return years < 8 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}

function two(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smallUnit}`;
}
