import { deepEqual, type JsonValue, type KubeObject } from '../../etcd/object.js';
import type { Call } from '../call.js';
import { fill } from '../fill.js';
import { parseGoJson } from '../go-json.js';
import { emptyStatusOf, initialStatusOf } from '../initial-status.js';
import { applyJsonPatch, decodeOperations, PatchOperationFailed, PatchUndecodable } from '../json-patch.js';
import type { KindInfo } from '../kinds.js';
import type { Owners } from '../managed-fields/owners.js';
import { goQuote, internalError } from '../status.js';
import { ask } from './ask.js';
import type { Attributes } from './attributes.js';
import { callFailed, denial } from './denial.js';
import { type Hook, mutatingHooks } from './hooks.js';
import { isAdmissionConfiguration } from './matching.js';
import { fillIn } from './plugins.js';
import { decodedAfterPatch, ownersAfterAdmission, seen } from './seen-object.js';
import { wanted } from './wanted.js';

export interface Mutated {
  readonly object: KubeObject;
  /** Who owns what: as before, unless a webhook has touched managedFields. */
  readonly owners: () => Owners;
}

/**
 * Lets the plugins and webhooks that may change an object do so (AD-1 to AD-3).
 * @param sent as it was sent, decoded, without managedFields.
 * @param attributes of the request with an object as admission shows it.
 * @param owners who would own what without admission (PA-25).
 * @param decode makes an object of a patched document.
 * @throws ApiStatusError, PlainTextError
 */
export function mutate(
  call: Call,
  operation: 'CREATE' | 'UPDATE',
  sent: KubeObject,
  attributes: (object: KubeObject) => Attributes,
  owners: () => Owners,
  decode: (document: JsonValue) => KubeObject = (document) => decodedAfterPatch(call, document),
): Mutated {
  const filled = fillIn(call, operation, sent);
  const hooks = mutatingHooks(call.server);
  if (hooks.length === 0 || isAdmissionConfiguration(call.kind)) return { object: filled, owners };
  const before = owners();
  const shown = seen(withStruct(call, operation, filled), call.kind.namespaced ? (call.request.namespace ?? '') : '', before.entries());
  const of = attributes(shown);
  const result = new Run(call, of, decode, isTimed(of, before)).both(hooks, shown) as KubeObject;
  if (result === shown) return { object: filled, owners };
  const after = ownersAfterAdmission(call.warnings, result, before);
  const { managedFields: _, ...metadata } = result.metadata;
  return { object: { ...result, metadata }, owners: after === before ? owners : () => after };
}

/** Go prints the status of a built-in kind before there is one. */
function withStruct({ kind, request }: Call, operation: 'CREATE' | 'UPDATE', object: KubeObject): KubeObject {
  if (operation === 'UPDATE' || kind.custom || request.subresource !== undefined || initialStatusOf(kind.resource) === undefined)
    return object;
  return fill(object, { status: emptyStatusOf(kind.resource) });
}

/** The same on a DELETE, where there is nothing to change. */
export function askMutating(call: Call, attributes: () => Attributes): void {
  const hooks = mutatingHooks(call.server);
  if (hooks.length === 0 || isAdmissionConfiguration(call.kind)) return;
  new Run(call, attributes(), () => ({ metadata: {} }), false).both(hooks, null);
}

/**
 * AD-3: whether managedFields hold a time of this very request, with its fractions of a second, which no patched document has:
 * then every patch counts as a change.
 */
function isTimed({ kind, object, oldObject }: Attributes, owners: Owners): boolean {
  if (kind.custom || owners.entries().length === 0) return false;
  if (oldObject === null || object === null) return true;
  const bare = ({ metadata: _, ...fields }: KubeObject) => fields;
  const named = ({ labels, annotations, finalizers, ownerReferences }: KubeObject['metadata']) => [
    labels ?? {},
    annotations ?? {},
    finalizers ?? [],
    ownerReferences ?? [],
  ];
  return !deepEqual(bare(object), bare(oldObject)) || !deepEqual(named(object.metadata), named(oldObject.metadata));
}

/** The mutating webhooks of one request, in one or two rounds. */
class Run {
  /** Those that may be called again because of what comes after them. */
  #called = new Set<Hook>();
  /** Those that a change has earned another call. */
  readonly #again = new Set<Hook>();
  #changed = false;

  constructor(
    readonly call: Call,
    readonly attributes: Attributes,
    readonly decode: (document: JsonValue) => KubeObject,
    readonly timed: boolean,
  ) {}

  both(hooks: readonly Hook[], object: KubeObject | null): KubeObject | null {
    const first = this.#round(hooks, object, false);
    if (!this.#changed) return first;
    const filled = first === null ? null : fillIn(this.call, this.attributes.operation, first);
    if (filled !== first) this.#earn();
    return this.#round(hooks, filled, true);
  }

  #round(hooks: readonly Hook[], object: KubeObject | null, again: boolean): KubeObject | null {
    let current = object;
    for (const hook of hooks) {
      const attributes = { ...this.attributes, object: current };
      const seenAs = wanted(this.call, hook, attributes);
      if (seenAs === undefined || (again && !this.#again.has(hook))) continue;
      const patched = this.#ask(hook, attributes, seenAs);
      if (patched !== undefined) {
        if (this.timed || !deepEqual(patched, current)) {
          this.#earn();
          this.#changed = true;
        }
        current = patched;
      }
      if (hook.reinvocationPolicy === 'IfNeeded') this.#called.add(hook);
    }
    return current;
  }

  #earn(): void {
    for (const hook of this.#called) this.#again.add(hook);
    this.#called = new Set();
  }

  /** The patched object; undefined when there is no patch. */
  #ask(hook: Hook, attributes: Attributes, seenAs: KindInfo): KubeObject | undefined {
    const answer = ask(this.call, hook, attributes, seenAs, true);
    if ('fault' in answer) return refusedUnlessIgnored(hook, answer.fault);
    const { allowed, status, patch, patchType } = answer.verdict;
    if (!allowed) throw denial(hook.name, status);
    if (patch === '') return undefined;
    const operations = operationsOf(patch);
    if (typeof operations === 'string') return refusedUnlessIgnored(hook, operations);
    if (operations.length === 0) return undefined;
    if (attributes.object === null) {
      // DE-13
      throw internalError(
        `admission webhook ${goQuote(hook.name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    if (patchType !== 'JSONPatch') return refusedUnlessIgnored(hook, `unsupported patch type ${goQuote(patchType)}`);
    try {
      const document = applyJsonPatch(answer.object as JsonValue, operations);
      return this.decode(answer.back(document));
    } catch (error) {
      throw error instanceof PatchOperationFailed ? internalError(error.message) : error;
    }
  }
}

function refusedUnlessIgnored(hook: Hook, fault: string): undefined {
  if (hook.failurePolicy === 'Ignore') return undefined;
  throw callFailed(hook.name, fault);
}

/** AD-30 */
function operationsOf(patch: string) {
  const read = parseGoJson(patch);
  if ('fault' in read) return `received undecodable patch in webhook response: ${read.fault}`;
  try {
    return decodeOperations(read.value as JsonValue, true);
  } catch (error) {
    if (error instanceof PatchUndecodable) return `received undecodable patch in webhook response: ${error.message}`;
    throw error;
  }
}
