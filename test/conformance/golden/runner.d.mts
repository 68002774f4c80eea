import type { HookAnswer } from './hooks.mjs';

export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface WireResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface WatchStream {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body?: string;
  /** One JSON text per event. */
  lines: AsyncIterable<string>;
  close(): void;
}

export interface Hooks {
  /** By name; `ca` is a base64 CA bundle. */
  endpoints: Record<string, { url: string; ca: string; host: string; port: string }>;
  /** Whether connections to the hook are refused. */
  down(name: string, isDown: boolean): Promise<void>;
  close(): Promise<void>;
}

/** What differs between servers. */
export interface Transport {
  request(request: WireRequest): Promise<WireResponse>;
  watch(request: WireRequest): Promise<WatchStream>;
  /** Lets time pass. */
  sleep(ms: number): Promise<void>;
  /** Compacts etcd's history up to a revision. */
  compact(revision: number): Promise<void>;
  /** The server's clock, ms since 1970. */
  now(): number;
  hooks?(
    hooks: { names: string[]; namespace: string },
    handle: (name: string, call: { path: string; review: unknown }) => HookAnswer,
  ): Promise<Hooks>;
}

export interface Sequence {
  readonly number: number;
  /** `group/name`. */
  readonly name: string;
  readonly about: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly id?: string;
  readonly method?: string;
  readonly path?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly watch?: string;
  readonly stop?: string;
}

export interface Raw {
  readonly failures: readonly { readonly step: string; readonly message: string }[];
}

/** An exchange, a watch or a call of a webhook. */
export interface Part {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface Normal {
  readonly name: string;
  readonly exchanges: readonly Part[];
  readonly watches: readonly Part[];
  readonly calls?: readonly Part[];
  /** Places where two recordings of the real server differ. */
  readonly volatile?: readonly string[];
}

export interface Difference {
  readonly at: string;
  readonly kind: 'value' | 'message' | 'missing' | 'extra';
  readonly expected: unknown;
  readonly actual: unknown;
}

export function runSequence(sequence: Sequence, transport: Transport, options?: { suffix?: string }): Promise<Raw>;
export function normalise(raw: Raw): Normal;
export function compare(golden: Normal, actual: Normal): Difference[];
export function pointer(value: unknown, at: string): unknown;
