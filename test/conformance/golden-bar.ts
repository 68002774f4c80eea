import type { Step } from './golden/runner.mjs';
import { type Count, groupOf, type Played } from './golden-report.js';

/** What of the recordings rests on the API's machinery alone, and not on what single built-in types default and validate. */
export interface Bar {
  readonly exchanges: Count;
  readonly watches: Count;
  /** `016/html-cr`: what is not equal yet. */
  readonly missing: readonly string[];
}

const GROUPS = new Set(['store', 'watch', 'delete', 'gc']);
const PLAIN_KINDS = new Set(['configmaps', 'secrets', 'namespaces', 'serviceaccounts', 'leases']);

/**
 * Counts, in the groups store, watch, delete and gc, exchanges and watches whose path names a ConfigMap, Secret, Namespace,
 * ServiceAccount, Lease, or a custom resource, server-side apply excepted; managedFields are left out.
 */
export function barOf(all: readonly Played[]): Bar {
  const exchanges: Count = { equal: 0, total: 0 };
  const watches: Count = { equal: 0, total: 0 };
  const missing: string[] = [];
  for (const { sequence, parts } of all) {
    if (!GROUPS.has(groupOf({ ...sequence }))) continue;
    const steps = new Map(sequence.steps.map((step) => [step.watch ?? step.id, step]));
    for (const part of parts) {
      const step = steps.get(part.id);
      if (part.side === 'calls' || step === undefined || !isPlain(step)) continue;
      const counted = part.side === 'watches' ? watches : exchanges;
      counted.total += 1;
      if (part.essential.length === 0) counted.equal += 1;
      else missing.push(`${String(sequence.number).padStart(3, '0')}/${part.id}`);
    }
  }
  return { exchanges, watches, missing };
}

export function describeBar({ exchanges, watches, missing }: Bar): string {
  const percent = exchanges.total === 0 ? 0 : (100 * exchanges.equal) / exchanges.total;
  return [
    'the bar: in store, watch, delete and gc, what is about ConfigMaps, Secrets, Namespaces, ServiceAccounts, Leases and custom resources,',
    `  server-side apply excepted, managedFields left out: exchanges ${exchanges.equal}/${exchanges.total} (${percent.toFixed(1)} %), watches ${watches.equal}/${watches.total}`,
    ...(missing.length === 0 ? [] : [`  not equal: ${missing.join(' ')}`]),
  ].join('\n');
}

function isPlain(step: Step & { readonly contentType?: string }): boolean {
  if (step.contentType?.startsWith('application/apply-patch') === true) return false;
  const path = step.path ?? '';
  if (/^\/apis\/[^/]*\$\{group\}\//.test(path)) return true;
  const parts = path.split('/').filter((part) => part !== '' && part !== 'watch');
  const inside = parts[0] === 'api' ? parts.slice(2) : parts.slice(3);
  const inNamespace = inside[0] === 'namespaces' && inside.length > 2 && inside[2] !== 'status' && inside[2] !== 'finalize';
  return PLAIN_KINDS.has(inside[inNamespace ? 2 : 0] ?? '');
}
