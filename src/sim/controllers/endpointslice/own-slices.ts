import type { KubeObject } from '../../etcd/object.js';

/** The slices that the controller has written itself, so that only what others do to them wakes it (WL-111). */
export class OwnSlices {
  /** The generation by uid; undefined: it has been deleted. */
  readonly #written = new Map<string, Map<string, number | undefined>>();

  wrote(service: string, { metadata }: KubeObject): void {
    this.#of(service).set(metadata.uid ?? '', metadata.generation ?? 0);
  }

  deleted(service: string, { metadata }: KubeObject): void {
    this.#of(service).set(metadata.uid ?? '', undefined);
  }

  /** Whether the slice is as the controller has left it, or older. */
  isOwn(service: string, { metadata }: KubeObject): boolean {
    const own = this.#written.get(service);
    const uid = metadata.uid ?? '';
    return own?.has(uid) === true && (metadata.generation ?? 0) <= (own.get(uid) ?? -1);
  }

  /** A slice is gone. @returns whether somebody else has deleted it */
  gone(service: string, { metadata }: KubeObject): boolean {
    const own = this.#written.get(service);
    const uid = metadata.uid ?? '';
    const byOthers = own?.get(uid) !== undefined;
    own?.delete(uid);
    return byOthers;
  }

  forget(service: string): void {
    this.#written.delete(service);
  }

  #of(service: string): Map<string, number | undefined> {
    const own = this.#written.get(service) ?? new Map<string, number | undefined>();
    this.#written.set(service, own);
    return own;
  }
}
