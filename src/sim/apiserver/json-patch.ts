import { deepCopy, deepEqual, type JsonValue } from '../etcd/object.js';
import { isObject, jsonSize, setMember } from './json.js';

/** An operation that cannot be done. A client is told no more than that (PA-7), of a webhook's patch the words are shown (AD-13). */
export class PatchOperationFailed extends Error {}

/** A patch that is no list of operations; the text is Go's. */
export class PatchUndecodable extends Error {}

export interface Operation {
  readonly op?: string;
  readonly path?: string;
  readonly from?: string;
  /** Absent is not the same as null for `test` (PA-29). */
  readonly value?: JsonValue;
  /** The value's text is not what Go would have written: no `test` finds it in a document. */
  readonly strange?: true;
}

const operationNames: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/** A place that is not there: the operation's name and path belong into its words, which only webhooks' patches show (AD-13). */
class Missing extends Error {
  constructor(
    readonly what: 'parent' | 'place',
    readonly because = 'missing value',
    readonly key?: string,
  ) {
    super(because);
  }

  inOperation(op: string, path: string, from: string | undefined): string {
    if (this.what === 'place') return `error in ${op} for path: '${this.key ?? path}': ${this.because}`;
    if (op === 'add' || op === 'remove') return `${op} operation does not apply: doc is missing path: "${path}": missing value`;
    if (op === 'test') return `test operation does not apply: is missing path: ${path}: missing value`;
    const place = op === 'replace' ? `path: ${path}` : `from path: ${from ?? ''}`;
    return `${op} operation does not apply: doc is missing ${place}: missing value`;
  }
}

/** What all copies of one patch may add. */
const maximumCopied = 3_145_728;

/**
 * The operations of a JSON patch. Null is an empty list (PA-7).
 * @param lenient fieldValidation=Ignore: the types of `op`, `path` and `from` are not looked at here.
 * @throws PatchUndecodable
 */
export function decodeOperations(patch: JsonValue, lenient: boolean): readonly Operation[] {
  if (patch === null) return [];
  const list = lenient ? 'jsonpatch.Patch' : '[]handlers.jsonPatchOp';
  const element = lenient ? 'jsonpatch.Operation' : 'handlers.jsonPatchOp';
  if (!Array.isArray(patch)) throw new PatchUndecodable(`json: cannot unmarshal ${typeName(patch)} into Go value of type ${list}`);
  return patch.map((operation: JsonValue) => {
    if (operation === null) return {};
    if (!isObject(operation)) throw new PatchUndecodable(`json: cannot unmarshal ${typeName(operation)} into Go value of type ${element}`);
    const read: { op?: string; path?: string; from?: string; value?: JsonValue } = {};
    for (const name of ['op', 'path', 'from'] as const) {
      const value = operation[name];
      if (typeof value === 'string') read[name] = value;
      else if (value !== undefined && value !== null && !lenient) {
        throw new PatchUndecodable(`json: cannot unmarshal ${typeName(value)} into Go struct field jsonPatchOp.${name} of type string`);
      }
    }
    if (operation.value !== undefined) read.value = operation.value;
    return read;
  });
}

/** Members of operations that mean nothing: `[0].extra` (PA-10). */
export function unknownMembers(patch: JsonValue): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation: JsonValue, index) =>
    isObject(operation)
      ? Object.keys(operation)
          .filter((name) => !['op', 'path', 'from', 'value'].includes(name))
          .map((name) => `[${index}].${name}`)
      : [],
  );
}

/**
 * Applies the operations one after the other, in the dialect of evanphx/json-patch (PA-29 to PA-31). The document and the
 * patch are left as they are; what is not touched is shared. @throws PatchOperationFailed
 */
export function applyJsonPatch(document: JsonValue, operations: readonly Operation[]): JsonValue {
  const patched = new PatchedDocument(document);
  for (const operation of operations) patched.apply(operation);
  return patched.root;
}

type Container = Record<string, JsonValue> | JsonValue[];

/** A document under change: containers are copied before their first change, and only then. */
class PatchedDocument {
  root: JsonValue;
  /** The containers that are this patch's own copies. */
  readonly #own = new WeakSet<object>();
  #copied = 0;

  constructor(document: JsonValue) {
    this.root = document;
  }

  apply({ op = 'unknown', path, from, value, strange }: Operation): void {
    if (!operationNames.has(op)) throw new PatchOperationFailed(`Unexpected kind: ${op}`);
    if (path === undefined) throw new PatchOperationFailed(`${op} operation failed to decode path: missing value`);
    try {
      this.#apply(op, path, from, value);
      if (op === 'test' && strange) throw new PatchOperationFailed(`testing value ${path} failed: test failed`);
    } catch (error) {
      throw error instanceof Missing ? new PatchOperationFailed(error.inOperation(op, path, from)) : error;
    }
  }

  #apply(op: string, path: string, from: string | undefined, value: JsonValue | undefined): void {
    switch (op) {
      case 'add':
        this.#add(path, value ?? null);
        break;
      case 'remove':
        this.#remove(path);
        break;
      case 'replace':
        this.#replace(path, value ?? null);
        break;
      case 'move': {
        const moved = this.#read(from);
        this.#remove(from ?? '');
        this.#add(path, moved);
        break;
      }
      case 'copy': {
        const copied = this.#read(from, true);
        this.#copied += jsonSize(copied);
        if (this.#copied > maximumCopied) throw new PatchOperationFailed('the accumulated size increase of copy is too large');
        this.#add(path, deepCopy(copied));
        break;
      }
      case 'test':
        this.#test(path, value);
        break;
    }
  }

  #add(path: string, value: JsonValue): void {
    const [container, key] = this.#writable(path);
    if (!Array.isArray(container)) {
      setMember(container, key, value);
      return;
    }
    if (key === '-') {
      container.push(value);
      return;
    }
    const index = integer(key);
    const at = index < 0 ? index + container.length + 1 : index;
    if (at < 0 || at > container.length) throw new Missing('place', `Unable to access invalid index: ${key}: invalid index referenced`);
    container.splice(at, 0, value);
  }

  #remove(path: string): void {
    const [container, key] = this.#writable(path);
    if (Array.isArray(container)) {
      container.splice(existingIndex(container, key), 1);
      return;
    }
    if (!Object.hasOwn(container, key)) throw new Missing('place', `Unable to remove nonexistent key: ${key}: missing value`);
    delete container[key];
  }

  #replace(path: string, value: JsonValue): void {
    if (path === '') {
      if (typeof value !== 'object' || value === null) {
        throw new PatchOperationFailed('replace operation value must be object or array: %!w(<nil>)');
      }
      this.root = value;
      return;
    }
    const [container, key] = this.#writable(path);
    if (Array.isArray(container)) container[existingIndex(container, key)] = value;
    // PA-30: a missing member is added.
    else setMember(container, key, value);
  }

  #test(path: string, value: JsonValue | undefined): void {
    const found = path === '' ? this.root : this.#read(path, true);
    const same = value === undefined ? found === null : deepEqual(found, value);
    if (!same) throw new PatchOperationFailed(`testing value ${path} failed: test failed`);
  }

  /** @param lenient a missing member of an object reads as null. */
  #read(path: string | undefined, lenient = false): JsonValue {
    if (path === undefined) throw new Missing('parent');
    const [parents, key] = split(path);
    let container: JsonValue = this.root;
    for (const name of parents) container = member(container, name);
    if (isObject(container) && !Object.hasOwn(container, key)) {
      if (lenient) return null;
      throw new Missing('place', `Unable to remove nonexistent key: ${key}: missing value`, key);
    }
    return member(container, key);
  }

  /** The container of the path's last part, as a copy that may be changed, and that part. */
  #writable(path: string): readonly [Container, string] {
    const [parents, key] = split(path);
    let container = this.#owned(this.root);
    this.root = container;
    for (const name of parents) {
      const child = this.#owned(member(container, name));
      if (Array.isArray(container)) container[existingIndex(container, name)] = child;
      else setMember(container, name, child);
      container = child;
    }
    return [container, key];
  }

  #owned(value: JsonValue): Container {
    if (typeof value !== 'object' || value === null) throw new Missing('parent');
    if (this.#own.has(value)) return value as Container;
    const copy: Container = Array.isArray(value) ? [...value] : { ...(value as Record<string, JsonValue>) };
    this.#own.add(copy);
    return copy;
  }
}

/** PA-31: what is before the first slash does not count; without a slash there is no path. */
function split(path: string): readonly [readonly string[], string] {
  const parts = path.split('/').slice(1);
  const key = parts.pop();
  if (key === undefined) throw new Missing('parent');
  return [parts.map(unescaped), unescaped(key)];
}

function unescaped(part: string): string {
  return part.includes('~') ? part.replace(/~[01]/g, (mark) => (mark === '~1' ? '/' : '~')) : part;
}

function member(container: JsonValue, key: string): JsonValue {
  if (Array.isArray(container)) return container[existingIndex(container, key)] as JsonValue;
  if (!isObject(container) || !Object.hasOwn(container, key)) throw new Missing('parent');
  return container[key] as JsonValue;
}

/** PA-30: negative indices count from the end. */
function existingIndex(list: readonly JsonValue[], key: string): number {
  const index = integer(key);
  const at = index < 0 ? index + list.length : index;
  if (at < 0 || at >= list.length) throw new Missing('place', `Unable to access invalid index: ${key}: invalid index referenced`);
  return at;
}

function integer(key: string): number {
  if (!/^[+-]?\d+$/.test(key)) throw new Missing('place', `strconv.Atoi: parsing "${key}": invalid syntax`);
  return Number(key);
}

function typeName(value: JsonValue): string {
  return Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
}
