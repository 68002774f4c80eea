import type { KubeObject } from '../etcd/object.js';
import type { KindInfo } from './kinds.js';
import { badRequest } from './status.js';

/** `field = value` or `field != value`; all of a selector's must hold. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/**
 * Reads `metadata.name=a,status.phase!=Failed` (LW-9). Blanks are part of names and values.
 * @throws ApiStatusError 400
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  const requirements: FieldRequirement[] = [];
  // The server sorts the terms before it reads them, so the first bad one in that order is named.
  for (const term of splitTerms(text).sort()) {
    if (term === '') continue;
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    requirements.push({ field: match[1] as string, equal: match[2] !== '!=', value: unescaped(match[3] as string) });
  }
  return requirements;
}

/** Refuses fields that the kind cannot be selected by (LW-10). @throws ApiStatusError 400 */
export function checkFields(kind: KindInfo, requirements: readonly FieldRequirement[]): void {
  for (const { field } of requirements) {
    // What has no namespace is not even asked for it where the kind says itself what it can be asked.
    const isBrief = kind.custom || NAMED_BRIEFLY.has(kind.resource);
    const isCommon = COMMON.has(field) && (field === 'metadata.name' || kind.namespaced || !isBrief);
    if (isCommon || fieldsOf(kind).has(field)) continue;
    throw badRequest(unknownField(kind, field));
  }
}

export function matchesFields(kind: KindInfo, requirements: readonly FieldRequirement[], object: KubeObject): boolean {
  for (const { field, equal, value } of requirements) {
    const read = COMMON.get(field) ?? fieldsOf(kind).get(field);
    if (read === undefined || (read(object) === value) !== equal) return false;
  }
  return true;
}

/** The value that the selector fixes a field to; undefined when it does not. */
export function fixedField(requirements: readonly FieldRequirement[], field: string): string | undefined {
  return requirements.find((each) => each.equal && each.field === field)?.value;
}

type Read = (object: KubeObject) => string;

const COMMON: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['metadata.name', (object) => object.metadata.name ?? ''],
  ['metadata.namespace', (object) => object.metadata.namespace ?? ''],
]);

function unknownField(kind: KindInfo, field: string): string {
  if (kind.custom || NAMED_BRIEFLY.has(kind.resource)) return `field label not supported: ${field}`;
  if (kind.resource === 'jobs.batch') return `field label "${field}" not supported for Job`;
  if (kind.resource === 'resourceslices.resource.k8s.io') {
    return `field label not supported for ${kind.apiVersion}, Kind=${kind.kind}: ${field}`;
  }
  return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function fieldsOf(kind: KindInfo): ReadonlyMap<string, Read> {
  if (!kind.custom) return BUILT_IN.get(kind.resource) ?? NONE;
  let fields = CUSTOM.get(kind);
  if (fields === undefined) {
    // CD-32: `.spec.color` is selected by as `spec.color`.
    fields = new Map((kind.definition?.selectableFields ?? []).map(({ jsonPath }) => pathField(jsonPath.replace(/^\./, ''))));
    CUSTOM.set(kind, fields);
  }
  return fields;
}

const NONE: ReadonlyMap<string, Read> = new Map();
const CUSTOM = new WeakMap<KindInfo, ReadonlyMap<string, Read>>();

/** A field that is read at its own path; an absent one is empty. */
function pathField(path: string, at: string = path, otherwise = ''): readonly [string, Read] {
  const keys = at.split('.');
  return [
    path,
    (object) => {
      let value: unknown = object;
      for (const key of keys) {
        if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return otherwise;
        value = (value as Record<string, unknown>)[key];
      }
      return value === null || value === undefined || typeof value === 'object' ? otherwise : String(value);
    },
  ];
}

const eventSource: Read = (object) => object.source?.component || object.reportingComponent || '';
const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** LW-10. Paths are those of the stored object; both Event APIs are stored as core/v1. */
const BUILT_IN: ReadonlyMap<string, ReadonlyMap<string, Read>> = new Map<string, ReadonlyMap<string, Read>>([
  [
    'pods',
    new Map([
      pathField('spec.nodeName'),
      pathField('spec.restartPolicy'),
      pathField('spec.schedulerName'),
      pathField('spec.serviceAccountName'),
      pathField('spec.hostNetwork', 'spec.hostNetwork', 'false'),
      pathField('status.phase'),
      pathField('status.podIP'),
      // Accepted, but the server keeps no value for it.
      ['status.podIPs', () => ''],
      pathField('status.nominatedNodeName'),
    ]),
  ],
  ['nodes', new Map([pathField('spec.unschedulable', 'spec.unschedulable', 'false')])],
  ['namespaces', new Map([pathField('status.phase')])],
  ['secrets', new Map([pathField('type')])],
  ['services', new Map([pathField('spec.clusterIP'), pathField('spec.type')])],
  ['certificatesigningrequests.certificates.k8s.io', new Map([pathField('spec.signerName')])],
  ['replicationcontrollers', new Map([pathField('status.replicas', 'status.replicas', '0')])],
  ['jobs.batch', new Map([pathField('status.successful', 'status.succeeded', '0')])],
  ['resourceslices.resource.k8s.io', new Map([pathField('spec.driver'), pathField('spec.nodeName')])],
  [
    'events',
    new Map([
      ...involved.map((part) => pathField(`involvedObject.${part}`)),
      pathField('reason'),
      pathField('reportingComponent'),
      ['source', eventSource],
      pathField('type'),
    ]),
  ],
  [
    'events.events.k8s.io',
    new Map([
      ...involved.map((part) => pathField(`regarding.${part}`, `involvedObject.${part}`)),
      pathField('reason'),
      pathField('reportingController', 'reportingComponent'),
      pathField('type'),
    ]),
  ],
]);

const NAMED_BRIEFLY: ReadonlySet<string> = new Set([
  'pods',
  'nodes',
  'namespaces',
  'secrets',
  'services',
  'certificatesigningrequests.certificates.k8s.io',
  'replicationcontrollers',
  'events',
  'events.events.k8s.io',
]);

/** Splits at commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  if (text === '') return [];
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** Only `\,`, `\=` and `\\` are escapes. */
function unescaped(value: string): string {
  let plain = '';
  for (let index = 0; index < value.length; index++) {
    const char = value[index] as string;
    if (char === '\\') {
      const next = value[index + 1];
      if (next === undefined || !'\\,='.includes(next)) {
        throw badRequest(`invalid field selector: invalid escape sequence: \\${next ?? ''}`);
      }
      plain += next;
      index += 1;
    } else if (char === ',' || char === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    } else plain += char;
  }
  return plain;
}
