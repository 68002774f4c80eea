import type { KubeObject } from '../etcd/object.js';
import { checkFields, type FieldRequirement, fixedField, matchesFields, parseFieldSelector } from './field-selector.js';
import type { KindInfo } from './kinds.js';
import { matchesLabels, parseLabelSelector, type Requirement, SelectorError } from './label-selector.js';
import { flag, integer, optionalFlag, parameter } from './query.js';
import type { Query, StatusCause } from './request.js';
import { badRequest, invalid } from './status.js';

/** Which objects a list, a watch or a deletecollection is about. */
export interface Selection {
  matches(object: KubeObject): boolean;
  /** No selector was given, not even an empty field condition. */
  readonly everything: boolean;
  /** The only name, or the only namespace, that can match. */
  readonly name?: string;
  readonly namespace?: string;
}

/** The query of a list, a watch or a deletecollection, checked. */
export interface ListOptions {
  readonly selection: Selection;
  /** Undefined for unset and for the empty text. */
  readonly resourceVersion?: string;
  readonly match?: 'Exact' | 'NotOlderThan';
  /** Positive, or undefined for no limit. */
  readonly limit?: number;
  readonly continueToken?: string;
  readonly timeoutSeconds?: number;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents?: boolean;
}

/**
 * Reads and checks the query in the server's order: numbers, selectors, options, fields (LW-1, LW-9, LW-10).
 * @throws ApiStatusError 400, 422
 */
export function readListOptions(kind: KindInfo, query: Query | undefined, watch: boolean): ListOptions {
  const timeoutSeconds = integer(query, 'timeoutSeconds');
  const limit = integer(query, 'limit');
  const labels = readLabels(parameter(query, 'labelSelector') ?? '');
  const fields = parseFieldSelector(parameter(query, 'fieldSelector') ?? '');
  const resourceVersion = parameter(query, 'resourceVersion') || undefined;
  const continueToken = parameter(query, 'continue') || undefined;
  let match = parameter(query, 'resourceVersionMatch') || undefined;
  let sendInitialEvents = optionalFlag(query, 'sendInitialEvents');
  if (watch && sendInitialEvents === undefined && match === undefined && (resourceVersion === undefined || resourceVersion === '0')) {
    // A watch that names no revision starts with the present state.
    sendInitialEvents = true;
    match = 'NotOlderThan';
  }
  const given = { resourceVersion, continueToken, match, sendInitialEvents };
  const causes = watch ? watchFaults(given) : listFaults(given);
  if (causes.length > 0) throw invalid({ kind: 'ListOptions', group: 'meta.k8s.io' }, '', causes);
  checkFields(kind, fields);
  return {
    selection: selectionOf(kind, labels, fields),
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks'),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(match !== undefined && { match: match as 'Exact' | 'NotOlderThan' }),
    ...(limit !== undefined && limit > 0 && { limit }),
    ...(continueToken !== undefined && { continueToken }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(sendInitialEvents !== undefined && { sendInitialEvents }),
  };
}

/** A resourceVersion as a number, or what Go says about it (LW-2). */
export function parseRevision(text: string): number | { readonly fault: string } {
  const fault = !/^\d+$/.test(text) ? 'invalid syntax' : BigInt(text) > 0xffff_ffff_ffff_ffffn ? 'value out of range' : undefined;
  if (fault === undefined) return Number(text);
  const quoted = JSON.stringify(text);
  return { fault: `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${fault}` };
}

function readLabels(text: string): readonly Requirement[] {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw error instanceof SelectorError ? badRequest(error.message) : error;
  }
}

function selectionOf(kind: KindInfo, labels: readonly Requirement[], fields: readonly FieldRequirement[]): Selection {
  if (labels.length === 0 && fields.length === 0) return { matches: () => true, everything: true };
  const name = fixedField(fields, 'metadata.name');
  const namespace = fixedField(fields, 'metadata.namespace');
  return {
    matches: (object) => matchesLabels(labels, object.metadata.labels) && matchesFields(kind, fields, object),
    everything: false,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
  };
}

interface Given {
  readonly resourceVersion: string | undefined;
  readonly continueToken: string | undefined;
  readonly match: string | undefined;
  readonly sendInitialEvents: boolean | undefined;
}

function listFaults({ resourceVersion, continueToken, match, sendInitialEvents }: Given): StatusCause[] {
  const causes: StatusCause[] = [];
  if (match !== undefined) {
    if (resourceVersion === undefined) {
      causes.push(forbiddenMatch('resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (continueToken !== undefined) causes.push(forbiddenMatch('resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') causes.push(unsupportedMatch(match, '"Exact", "NotOlderThan", ""'));
    if (match === 'Exact' && resourceVersion === '0') {
      causes.push(forbiddenMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    causes.push({
      reason: 'FieldValueForbidden',
      message: 'Forbidden: sendInitialEvents is forbidden for list',
      field: 'sendInitialEvents',
    });
  }
  return causes;
}

function watchFaults({ continueToken, match, sendInitialEvents }: Given): StatusCause[] {
  const causes: StatusCause[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    causes.push(forbiddenMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== undefined) {
    if (sendInitialEvents === undefined) {
      causes.push(forbiddenMatch('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    }
    if (match !== 'NotOlderThan') causes.push(unsupportedMatch(match, '"NotOlderThan"'));
    if (continueToken !== undefined) causes.push(forbiddenMatch('resourceVersionMatch is forbidden when continue is provided'));
  }
  return causes;
}

function forbiddenMatch(text: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${text}`, field: 'resourceVersionMatch' };
}

function unsupportedMatch(value: string, supported: string): StatusCause {
  return {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`,
    field: 'resourceVersionMatch',
  };
}
