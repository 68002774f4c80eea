import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../src/sim/etcd/object.js';

/** One step of a script: a JSON object, one member of which says what to do. */
export type Step = Readonly<Record<string, unknown>>;

/** One conversation: what the client is (`setup`), what then happens (`steps`). */
export interface Script {
  readonly number: number;
  readonly name: string;
  readonly about: string;
  readonly kind: string;
  /** Absent: `default` alone. */
  readonly profiles?: readonly string[];
  /** Lanes whose order is nobody's promise. */
  readonly anyOrder?: readonly string[];
  readonly setup?: Readonly<Record<string, unknown>>;
  /** Answers that the server gives by itself. */
  readonly standing?: readonly Step[];
  readonly steps: readonly Step[];
}

/** What one step brought about: `step`, `does`, lanes by name, and `state` when it changed. */
export type StepRecord = Readonly<Record<string, unknown>>;

export interface Recording {
  readonly profiles: readonly string[];
  readonly steps: readonly StepRecord[];
}

/** Plays one script to one kind of client. */
export type Player = (script: Script, profile: string) => StepRecord[] | Promise<StepRecord[]>;

export interface Conversation {
  readonly script: Script;
  readonly recordings: readonly Recording[];
}

/** Reads a folder with `scripts/` and `recorded/`, in the order of the file names. */
export function loadConversations(dir: string): Conversation[] {
  const files = readdirSync(join(dir, 'scripts')).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({
    script: readJson(join(dir, 'scripts', file)) as Script,
    recordings: (readJson(join(dir, 'recorded', file)) as { recordings: Recording[] }).recordings,
  }));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

interface ScriptKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The resources that scripts talk about. */
export const scriptKinds: Readonly<Record<string, ScriptKind>> = {
  configmaps: { apiVersion: 'v1', kind: 'ConfigMap', namespaced: true },
  secrets: { apiVersion: 'v1', kind: 'Secret', namespaced: true },
  pods: { apiVersion: 'v1', kind: 'Pod', namespaced: true },
  nodes: { apiVersion: 'v1', kind: 'Node', namespaced: false },
  namespaces: { apiVersion: 'v1', kind: 'Namespace', namespaced: false },
  events: { apiVersion: 'v1', kind: 'Event', namespaced: true },
  deployments: { apiVersion: 'apps/v1', kind: 'Deployment', namespaced: true },
  replicasets: { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespaced: true },
  leases: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespaced: true },
  widgets: { apiVersion: 'seatrial.example/v1', kind: 'Widget', namespaced: true },
  clusterwidgets: { apiVersion: 'seatrial.example/v1', kind: 'ClusterWidget', namespaced: false },
};

/** Expands `ns/name#uid@resourceVersion[label=value]`, or an object whose member `is` has that form. */
export function expand(resource: string, short: unknown): KubeObject {
  const kind = scriptKinds[resource];
  if (kind === undefined) throw new Error(`scripts do not talk about ${JSON.stringify(resource)}`);
  const { is, ...rest } = typeof short === 'string' ? { is: short } : (structuredClone(short) as Record<string, unknown>);
  const object: Record<string, unknown> = rest;
  if (object.kind === undefined) Object.assign(object, { apiVersion: kind.apiVersion, kind: kind.kind });
  object.metadata = { ...(object.metadata as object | undefined), ...(typeof is === 'string' ? metadataOf(is) : {}) };
  return object as unknown as KubeObject;
}

const shortForm = /^(?:([^/#@[]*)\/)?([^/#@[]*)(?:#([^@[]*))?(?:@([^[]*))?(?:\[(.*)\])?$/;

function metadataOf(short: string): Record<string, unknown> {
  const [, namespace, name, uid, resourceVersion, labels] = shortForm.exec(short) ?? [];
  return {
    ...(labels ? { labels: Object.fromEntries(labels.split(',').map(labelOf)) } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(uid ? { uid } : {}),
    ...(namespace !== undefined ? { namespace } : {}),
    ...(name ? { name } : {}),
  };
}

function labelOf(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** The short form of an object. */
export function shorten(object: KubeObject): string {
  const { namespace, name = '', uid, resourceVersion, labels } = object.metadata;
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return [
    namespace ? `${namespace}/${name}` : name,
    uid ? `#${uid}` : '',
    resourceVersion ? `@${resourceVersion}` : '',
    pairs.length > 0 ? `[${pairs.sort().join(',')}]` : '',
  ].join('');
}
