import type { JsonValue } from '../etcd/object.js';
import { UnreadableBody } from './body.js';
import { goTypeOf } from './decode-fault.js';
import { invalidValue, unsupportedValue } from './field-errors.js';
import { isObject, ownJson, TooDeepError } from './json.js';
import type { Kinds } from './kinds.js';
import { dryRunCauses } from './options.js';
import { integer, optionalFlag, parameter, parameters } from './query.js';
import type { ApiRequest } from './request.js';
import { badRequest, goQuote, invalid } from './status.js';

/** What a delete asks for: from its body, or if it has none from its query (DE-1). */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan';
  /** As they were sent; of the two at most one is. */
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  /** `orphanDependents: false` was given: a delete that leaves something answers 202 (DE-9). */
  readonly orphanDependentsFalse: boolean;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

interface Given {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

const nothingAsked: DeleteOptions = { dryRun: false, orphanDependentsFalse: false };
const policies = ['Foreground', 'Background', 'Orphan'] as const;

/** @throws ApiStatusError 400, 422 */
export function deleteOptions(request: ApiRequest, kinds: Kinds): DeleteOptions {
  const { body, query } = request;
  if (body === undefined && query === undefined) return nothingAsked;
  const given = body === undefined ? fromQuery(request) : fromBody(body, kinds);
  const { propagationPolicy, orphanDependents, gracePeriodSeconds, uid, resourceVersion } = given;
  const causes = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const text = 'orphanDependents and deletionPropagation cannot be both set';
    causes.push(invalidValue('propagationPolicy', propagationPolicy, text));
  }
  const policy = policies.find((known) => known === propagationPolicy);
  if (propagationPolicy !== undefined && policy === undefined) {
    causes.push(unsupportedValue('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  causes.push(...dryRunCauses(given.dryRun));
  if (causes.length > 0) throw invalid({ kind: 'DeleteOptions', group: 'meta.k8s.io' }, '', causes);
  const propagation = orphanDependents === undefined ? policy : orphanDependents ? 'Orphan' : 'Background';
  return {
    dryRun: given.dryRun.length > 0,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagation !== undefined && { propagation }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    orphanDependentsFalse: orphanDependents === false,
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

function fromQuery({ query }: ApiRequest): Given {
  return {
    dryRun: parameters(query, 'dryRun'),
    gracePeriodSeconds: integer(query, 'gracePeriodSeconds'),
    propagationPolicy: parameter(query, 'propagationPolicy'),
    orphanDependents: optionalFlag(query, 'orphanDependents'),
    uid: parameter(query, 'uid'),
    resourceVersion: parameter(query, 'resourceVersion'),
  };
}

/** DE-1: any served group's DeleteOptions will do, and unknown fields are ignored. */
function fromBody(sent: unknown, kinds: Kinds): Given {
  if (sent instanceof UnreadableBody) throw sent.error;
  let body: JsonValue;
  try {
    body = ownJson(sent);
  } catch (error) {
    throw error instanceof TooDeepError ? badRequest(`couldn't get version/kind; json parse error: ${error.message}`) : error;
  }
  if (body !== null && !isObject(body)) {
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(body)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const options = body ?? {};
  const untyped = Object.entries(options).find(
    ([name, value]) => (name === 'apiVersion' || name === 'kind') && value !== null && typeof value !== 'string',
  );
  if (untyped !== undefined) {
    const [name, value] = untyped;
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(value)} into Go struct field .${name} of type string`,
    );
  }
  const kind = typeof options.kind === 'string' && options.kind !== '' ? options.kind : 'DeleteOptions';
  const apiVersion = typeof options.apiVersion === 'string' && options.apiVersion !== '' ? options.apiVersion : 'v1';
  if (kind !== 'DeleteOptions' || !isServed(kinds, apiVersion)) {
    throw badRequest(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
  }
  const preconditions = isObject(options.preconditions) ? options.preconditions : {};
  return {
    dryRun: Array.isArray(options.dryRun) ? options.dryRun.map(String) : [],
    gracePeriodSeconds: typed<number>(options.gracePeriodSeconds, 'number', 'gracePeriodSeconds', 'int64'),
    propagationPolicy: typed<string>(options.propagationPolicy, 'string', 'propagationPolicy', 'v1.DeletionPropagation'),
    orphanDependents: typed<boolean>(options.orphanDependents, 'boolean', 'orphanDependents', 'bool'),
    uid: typed<string>(preconditions.uid, 'string', 'preconditions.uid', 'types.UID'),
    resourceVersion: typed<string>(preconditions.resourceVersion, 'string', 'preconditions.resourceVersion', 'string'),
  };
}

function typed<T>(value: unknown, type: string, field: string, goType: string): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === type) return value as T;
  throw badRequest(`json: cannot unmarshal ${goTypeOf(value)} into Go struct field DeleteOptions.${field} of type ${goType}`);
}

function isServed(kinds: Kinds, apiVersion: string): boolean {
  if (apiVersion === 'v1' || apiVersion === 'meta.k8s.io/v1') return true;
  for (const kind of kinds.all()) if (kind.apiVersion === apiVersion) return true;
  return false;
}
