import { builtInKinds } from '../apiserver/data/kinds.js';
import { apiVersionOf, type ClientObject, type Kind, parseApiVersion } from './kind.js';

/** The kinds that a process knows, as a Go program's scheme and RESTMapper: the built-in ones and whatever it registers. */
export class Scheme {
  readonly #kinds = new Map<string, Kind>();

  constructor(kinds: readonly Kind[] = []) {
    for (const { group, version, kind, plural, namespaced } of builtInKinds) this.register({ group, version, kind, plural, namespaced });
    for (const kind of kinds) this.register(kind);
  }

  /** Makes a kind known; clients and builders do it for every kind token that they are given. */
  register<T extends ClientObject>(kind: Kind<T>): Kind<T> {
    this.#kinds.set(`${apiVersionOf(kind)} ${kind.kind}`, kind);
    return kind;
  }

  find(apiVersion: string, kind: string): Kind | undefined {
    return this.#kinds.get(`${apiVersion} ${kind}`);
  }

  /** @throws if the object does not say its kind, or says one that is not known. */
  kindOf(object: ClientObject): Kind {
    const { apiVersion, kind } = object;
    const name = object.metadata?.name ?? object.metadata?.generateName ?? '';
    if (!apiVersion || !kind) throw new Error(`object ${JSON.stringify(name)} says no apiVersion or no kind: a client needs both`);
    const known = this.find(apiVersion, kind);
    if (known !== undefined) return known;
    parseApiVersion(apiVersion);
    throw new Error(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}: ` +
        `define it with defineKind('${apiVersion}', '${kind}') and give it to manager.scheme.register, or use it in the builder`,
    );
  }
}
