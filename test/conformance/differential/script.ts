import type { Sequence } from '../golden/runner.mjs';
import { collectionOf, crds, type Json, type JsonObject, pathOf, type TalkedKind } from './kinds.js';

/** A step of a script in golden form. */
export interface ScriptStep {
  readonly id?: string;
  readonly method?: string;
  readonly path?: string;
  readonly query?: Readonly<Record<string, Json>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly bodyText?: string;
  /** The body is what was saved whole from an earlier answer, with a merge patch made to it. */
  readonly edit?: { readonly from: string; readonly merge: Json };
  readonly save?: Readonly<Record<string, string>>;
  readonly until?: Json;
  readonly ignore?: readonly string[];
  readonly record?: false;
  readonly watch?: string;
  readonly stop?: string;
  readonly count?: number;
  readonly lingerMs?: number;
  readonly sleepMs?: number;
}

export interface Script extends Sequence {
  readonly steps: readonly ScriptStep[];
}

/** Which revision, or which uid, a step names: the object's own of now, one seen earlier, or none that ever was. */
export type Seen = 'current' | 'earlier' | 'zero' | 'odd';

/** Writes a script step by step: CRDs before the first step about them, revisions read before they are needed. */
export class ScriptWriter {
  readonly #steps: ScriptStep[] = [];
  readonly #crds = new Set<string>();
  readonly #saved = new Set<string>();
  readonly #watches: string[] = [];

  add(kind: TalkedKind, step: ScriptStep): void {
    this.#define(kind);
    this.#steps.push({ id: `${this.#steps.length}`, ...step });
  }

  watch(kind: TalkedKind, path: string, query: Readonly<Record<string, Json>>, accept?: string): void {
    this.#define(kind);
    const id = `w${this.#watches.length}`;
    this.#watches.push(id);
    this.#steps.push({ sleepMs: 60 }, { id, watch: id, path, query, ...(accept !== undefined && { accept }) });
  }

  /** Lets time pass, in milliseconds. */
  wait(ms: number): void {
    this.#steps.push({ sleepMs: ms });
  }

  /** Reads an object whole, for a later edit. @param old what was read earlier will do. */
  read(kind: TalkedKind, name: string, old: boolean): string {
    this.#define(kind);
    const variable = `object_${kind.plural}_${name}`;
    if (old && this.#saved.has(variable)) return variable;
    this.#saved.add(variable);
    this.#steps.push({ path: pathOf(kind, name), save: { [variable]: '' }, record: false });
    return variable;
  }

  /** Lets a real server's watch cache catch up with what was written. */
  pause(): void {
    this.#steps.push({ sleepMs: 60 });
  }

  /** @param what `resourceVersion` or `uid` */
  seen(kind: TalkedKind, name: string, what: 'resourceVersion' | 'uid', seen: Seen): string {
    this.#define(kind);
    const variable = `${what}_${kind.plural}_${name}`;
    switch (seen) {
      case 'zero':
        return what === 'uid' ? '' : '0';
      case 'odd':
        return what === 'uid' ? '11111111-2222-3333-4444-555555555555' : 'x1';
      case 'earlier':
        if (this.#saved.has(variable)) return `\${${variable}}`;
        return this.seen(kind, name, what, 'current');
      default:
        this.#saved.add(variable);
        this.#steps.push({
          path: pathOf(kind, name),
          save: { [variable]: `/metadata/${what}` },
          record: false,
        });
        return `\${${variable}}`;
    }
  }

  script(number: number, name: string, about: string): Script {
    const stops = this.#watches.map((stop) => ({ stop, count: 0, lingerMs: 250 }));
    return { number, name, about, steps: [...this.#steps, ...stops] };
  }

  #define(kind: TalkedKind): void {
    if (kind.custom === undefined || this.#crds.has(kind.plural)) return;
    this.#crds.add(kind.plural);
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    this.#steps.push(
      { method: 'POST', path, body: crds[kind.plural] as JsonObject, record: false },
      { path: `${path}/${kind.plural}.\${group}`, until: { condition: 'Established', is: 'True' }, record: false },
      { path: collectionOf(kind), until: { status: 200 }, record: false },
    );
  }
}
