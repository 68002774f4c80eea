import type { KindInfo } from '../apiserver/kinds.js';
import { rfc3339 } from '../apiserver/metadata.js';
import type { ApiRequest, ApiResponse } from '../apiserver/request.js';
import type { KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { type Findings, withConditions } from './namespace-conditions.js';
import { drive, RequestFailed, type Steps, type Sync } from './sync.js';

const userAgent = 'kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/system:serviceaccount:kube-system:namespace-controller';
/** NS-2: it acts so long after each event of a terminating namespace, never sooner. */
const graceMs = 5_000;
/** How long finalizers are believed to take, in seconds (NS-2). */
const finalizersEstimateSeconds = 15;
const firstRetryMs = 5;
const lastRetryMs = 60_000;

/** What deleting the objects of one kind has left. */
interface Left {
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
  /** In how many seconds they are likely to be gone; 0 when there is no telling. */
  readonly estimate: number;
}

/**
 * The namespace controller of kube-controller-manager: deletes what a terminating namespace holds, writes down what is left,
 * and at last takes its finalizer off (the NS rules).
 * @param discover the namespaced kinds to look for, asked anew for each look (NS-2). Kinds that cannot have an object may be left out.
 */
export function startNamespaceController(host: Host, feed: ObjectFeed, discover: () => readonly KindInfo[]): void {
  const queue: string[] = [];
  const failures = new Map<string, number>();
  let working = false;

  const add = (name: string): void => {
    if (!queue.includes(name)) queue.push(name);
    if (!working) work();
  };
  const addAfter = (delayMs: number, name: string): void => {
    host.after(delayMs, `namespace ${name}`, `look at namespace ${name}`, () => add(name));
  };
  const work = (): void => {
    const name = queue.shift();
    working = name !== undefined;
    if (name === undefined) return;
    let againMs: number | undefined;
    const look = function* (): Sync {
      const estimate = yield* empty(host, discover(), name);
      if (estimate > 0) againMs = (Math.floor(estimate / 2) + 1) * 1000;
    };
    drive(host, look(), (failed) => {
      const times = failures.get(name) ?? 0;
      if (failed) failures.set(name, times + 1);
      else failures.delete(name);
      if (failed) addAfter(Math.min(firstRetryMs * 2 ** times, lastRetryMs), name);
      else if (againMs !== undefined) addAfter(againMs, name);
      work();
    });
  };

  feed.subscribe(['namespaces'], (_, event) => {
    if (event.type === 'DELETED') return;
    const { metadata } = event.object as KubeObject;
    if (metadata.deletionTimestamp !== undefined) addAfter(graceMs, metadata.name as string);
  });
}

/** One look. @returns in how many seconds what is left may be gone; 0: nothing is left to be done. @throws RequestFailed */
function* empty(host: Host, kinds: readonly KindInfo[], name: string): Steps<number> {
  const namespace = yield* found(namespaceRequest('get', name));
  if (namespace?.metadata.deletionTimestamp === undefined || (namespace.spec?.finalizers ?? []).length === 0) return 0;
  const sinceSeconds = (host.nowMs() - Date.parse(namespace.metadata.deletionTimestamp)) / 1000;
  const failures: { readonly text: string; readonly error: unknown }[] = [];
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  let estimate = 0;
  // NS-3: pods go first, and while there are some nothing else is touched or counted.
  const ordered = [...kinds].sort((a, b) => Number(b.resource === 'pods') - Number(a.resource === 'pods'));
  for (const kind of ordered) {
    let left: Left;
    try {
      left = yield* deleteAll(kind, name, sinceSeconds);
    } catch (error) {
      if (!(error instanceof RequestFailed || error instanceof UnexpectedItems)) throw error;
      failures.push({ text: error.message, error });
      if (kind.resource === 'pods') break;
      continue;
    }
    estimate = Math.max(estimate, left.estimate);
    if (left.count === 0) continue;
    if (kind.resource === 'pods') break;
    remaining.set(`${kind.plural}.${kind.group}`, left.count);
    for (const [finalizer, count] of left.finalizers) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
  }
  const findings: Findings = { failures: failures.map(({ text }) => text), remaining, finalizers };
  const time = rfc3339(host.nowMs());
  const told = withConditions(namespace, findings, time);
  if (told !== namespace) yield namespaceRequest('update', name, told, 'status');
  if (failures.length > 0) throw new RequestFailed(namespaceRequest('get', name), 500);
  if (estimate === 0) yield* finalize(namespace);
  return estimate;
}

/** There is something left that nothing holds. */
class UnexpectedItems extends Error {}

function* deleteAll(kind: KindInfo, namespace: string, sinceSeconds: number): Steps<Left> {
  const { group, version, plural: resource } = kind;
  const request = { group, version, resource, namespace, userAgent };
  let estimate = 0;
  if (kind.resource === 'pods') estimate = graceLeft(itemsOf(yield { ...request, verb: 'list' }), sinceSeconds);
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
  yield { ...request, verb: 'deletecollection', body };
  const items = itemsOf(yield { ...request, verb: 'list' });
  const finalizers = new Map<string, number>();
  for (const item of items) for (const each of item.metadata.finalizers ?? []) finalizers.set(each, (finalizers.get(each) ?? 0) + 1);
  if (items.length === 0 || estimate > 0) return { count: items.length, finalizers, estimate };
  if (finalizers.size > 0) return { count: items.length, finalizers, estimate: finalizersEstimateSeconds };
  const gvr = `${group}/${version}, Resource=${resource}`;
  throw new UnexpectedItems(`unexpected items still remain in namespace: ${namespace} for gvr: ${gvr}`);
}

/** The longest grace of a pod that runs; 0 when the namespace has been terminating for longer. */
function graceLeft(pods: readonly KubeObject[], sinceSeconds: number): number {
  const graces = pods
    .filter((pod) => pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed')
    .map((pod) => (pod.spec?.terminationGracePeriodSeconds as number | undefined) ?? 0);
  const longest = Math.max(0, ...graces);
  return sinceSeconds >= longest ? 0 : longest;
}

/** NS-4: the first try goes out with the revision from before the conditions were written, so a conflict is usual. */
function* finalize(namespace: KubeObject): Steps<void> {
  const name = namespace.metadata.name as string;
  let latest: KubeObject | undefined = namespace;
  while (latest !== undefined) {
    const finalizers = ((latest.spec?.finalizers ?? []) as string[]).filter((finalizer) => finalizer !== 'kubernetes');
    try {
      yield namespaceRequest('update', name, { ...latest, spec: { ...latest.spec, finalizers } }, 'finalize');
      return;
    } catch (error) {
      if (error instanceof RequestFailed && error.code === 404) return;
      if (!(error instanceof RequestFailed) || error.code !== 409) throw error;
    }
    latest = yield* found(namespaceRequest('get', name));
  }
}

function* found(request: ApiRequest): Steps<KubeObject | undefined> {
  try {
    return (yield request).body as KubeObject;
  } catch (error) {
    if (error instanceof RequestFailed && error.code === 404) return undefined;
    throw error;
  }
}

function namespaceRequest(verb: 'get' | 'update', name: string, body?: KubeObject, subresource?: 'status' | 'finalize'): ApiRequest {
  return {
    verb,
    group: '',
    version: 'v1',
    resource: 'namespaces',
    name,
    userAgent,
    ...(body !== undefined && { body }),
    ...(subresource !== undefined && { subresource }),
  };
}

function itemsOf(response: ApiResponse): readonly KubeObject[] {
  return (response.body as unknown as { readonly items: readonly KubeObject[] }).items;
}
