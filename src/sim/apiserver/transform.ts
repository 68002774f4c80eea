import type { JsonValue, KubeObject } from '../etcd/object.js';
import { goPackage, type KindInfo } from './kinds.js';
import type { Representation } from './media-types.js';
import type { ApiResponse, Status, WatchEvent } from './request.js';
import { internalWithoutReason, notAcceptable } from './status.js';
import { tableOf } from './table/table.js';

type Body = ApiResponse['body'];
type As = NonNullable<Representation['as']>;

/** The form that a client asks for. */
export interface Form {
  readonly as: As;
  /** What of its object a Table's row carries. */
  readonly includeObject?: string;
  /** For ages. */
  readonly nowMs: number;
}

/** An answer in the form that `as=` asks for (HT-15 to HT-17). @throws ApiStatusError 406 */
export function transform(kind: KindInfo, { as, includeObject, nowMs }: Form, body: Body): Body {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body;
  const object = body as KubeObject & { readonly items?: readonly KubeObject[] };
  // HT-15: a Status stays one.
  if (object.kind === 'Status' && object.apiVersion === 'v1') return body;
  if (as.kind === 'Table') return tableOf(kind, as.version, includeObject, object, nowMs) as unknown as JsonValue;
  const isList = Array.isArray(object.items) && object.kind === `${kind.kind}List`;
  if (as.kind === 'PartialObjectMetadata') {
    if (isList)
      throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (${typeName(kind, true)})`, false);
    return partial(object, as.version) as unknown as JsonValue;
  }
  if (!isList) {
    if (kind.custom) throw internalWithoutReason('content is not a list');
    throw notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${typeName(kind, false)})`,
      false,
    );
  }
  const items = object.items ?? [];
  const { continue: token, ...metadata } = object.metadata as unknown as Record<string, JsonValue>;
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${as.version}`,
    metadata: { ...metadata, ...(token !== undefined && token !== '' && { continue: token }) },
    // Go writes a list to which nothing was added as null.
    items: items.length === 0 ? null : (items.map((item) => partial(item, as.version)) as unknown as JsonValue[]),
  };
}

/** The events of one watch in the form that it asks for (LW-30). */
export class WatchTransform {
  readonly #kind: KindInfo;
  readonly #form: () => Form;
  #columnsSent = false;

  constructor(kind: KindInfo, form: () => Form) {
    this.#kind = kind;
    this.#form = form;
  }

  event(event: WatchEvent): { readonly type: string; readonly object: Body } {
    if (event.type === 'ERROR') return event;
    const form = this.#form();
    const object = transform(this.#kind, form, event.object as KubeObject | Status) as Record<string, JsonValue>;
    if (form.as.kind !== 'Table') return { type: event.type, object };
    const shown = this.#columnsSent ? { ...object, columnDefinitions: null } : object;
    this.#columnsSent = true;
    return { type: event.type, object: shown };
  }
}

function partial(object: KubeObject, version: string): KubeObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}

function typeName(kind: KindInfo, list: boolean): string {
  if (kind.custom) return list ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  return `*${goPackage(kind.group)}.${kind.kind}${list ? 'List' : ''}`;
}
