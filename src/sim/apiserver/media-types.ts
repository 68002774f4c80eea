import type { KindInfo } from './kinds.js';
import { type ApiStatusError, notAcceptable } from './status.js';

/** In what form an answer goes out. */
export interface Representation {
  readonly encoding: 'json' | 'yaml';
  /** `as=Table` and the like (HT-16, HT-17); absent: the object itself. */
  readonly as?: { readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'; readonly version: 'v1' | 'v1beta1' };
}

export const JSON_TYPE = 'application/json';
export const YAML_TYPE = 'application/yaml';
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

/** What the real server names. This one writes JSON and YAML only. */
const NAMED = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE];
const STREAMED = [`${JSON_TYPE};stream=watch`, `${PROTOBUF_TYPE};stream=watch`];

/** What is asked of the choice. */
export interface Negotiation {
  /** Undefined: not a kind's route (discovery). */
  readonly kind?: KindInfo;
  readonly collection: boolean;
  readonly watch: boolean;
  /** HT-16: some subresources, and what can only be created, have no Table. */
  readonly tabular: boolean;
}

/** Chooses by the `Accept` header (HT-13, HT-14, LW-28). @returns the refusal when nothing fits */
export function negotiate(accept: string, wanted: Negotiation): Representation | ApiStatusError {
  const clauses = parseAccept(accept);
  if (wanted.kind?.custom !== true && !clauses.some(({ type }) => type === '*/*' || NAMED.includes(type))) {
    const available = wanted.collection ? [...NAMED, ...STREAMED] : NAMED;
    return notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`, true);
  }
  let onlyWhole = false;
  for (const clause of clauses) {
    const encoding = encodingOf(clause.type);
    const as = transformation(clause.parameters);
    if (encoding === undefined || as === 'unknown' || (as !== 'none' && as.kind === 'Table' && !wanted.tabular)) continue;
    // A watch is a stream of JSON texts (LW-28).
    if (wanted.watch && encoding === 'yaml') onlyWhole = true;
    else return as === 'none' ? { encoding } : { encoding, as };
  }
  return notAcceptable(`only the following media types are accepted: ${(onlyWhole ? STREAMED : NAMED).join(', ')}`, false);
}

/** HT-15: an error goes out as YAML only when that is what the client would rather have. */
export function errorEncoding(accept: string): 'json' | 'yaml' {
  for (const { type } of parseAccept(accept)) {
    const encoding = encodingOf(type);
    if (encoding !== undefined) return encoding;
  }
  return 'json';
}

/** The type without parameters; undefined when the header is malformed (HT-11). */
export function mediaType(header: string): string | undefined {
  const [type = '', ...parameters] = header.split(';');
  if (parameters.some((parameter) => !/^\s*[^\s=;]+=[^;]+$/.test(parameter))) return undefined;
  return type.trim().toLowerCase();
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The clauses in the order of the client's wish. An empty header accepts everything. */
function parseAccept(accept: string): readonly Clause[] {
  if (accept.trim() === '') return [{ type: '*/*', parameters: new Map(), quality: 1 }];
  const clauses = accept.split(',').map((text) => {
    const [type = '', ...rest] = text.split(';').map((part) => part.trim());
    const parameters = new Map<string, string>();
    let quality = 1;
    for (const parameter of rest) {
      const [name = '', value = ''] = parameter.split('=');
      if (name === 'q') quality = Number(value);
      else if (name === 'as' || name === 'g' || name === 'v') parameters.set(name, value);
    }
    return { type: type.toLowerCase(), parameters, quality };
  });
  return clauses.sort((a, b) => b.quality - a.quality);
}

function encodingOf(type: string): 'json' | 'yaml' | undefined {
  if (type === '*/*' || type === 'application/*' || type === JSON_TYPE) return 'json';
  return type === YAML_TYPE ? 'yaml' : undefined;
}

function transformation(parameters: ReadonlyMap<string, string>): NonNullable<Representation['as']> | 'none' | 'unknown' {
  const kind = parameters.get('as');
  if (kind === undefined) return 'none';
  const version = parameters.get('v');
  if (parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return 'unknown';
  if (kind !== 'Table' && kind !== 'PartialObjectMetadata' && kind !== 'PartialObjectMetadataList') return 'unknown';
  return { kind, version };
}
