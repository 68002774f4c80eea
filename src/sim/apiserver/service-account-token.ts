import { admitPosted } from './admission/posted.js';
import type { Call } from './call.js';
import { decodeBody } from './decode.js';
import { invalidValue } from './field-errors.js';
import { keyOf } from './kinds.js';
import { rfc3339 } from './metadata.js';
import { writeOptions } from './options.js';
import { bodyKind } from './pod-subresources.js';
import type { ApiResponse } from './request.js';
import { badRequest, invalid, notFound } from './status.js';
import { uuid } from './uid.js';

const audience = 'https://kubernetes.default.svc.cluster.local';
const leastSeconds = 600;

/** POST of `serviceaccounts/x/token`: a token that nobody here ever looks at, and when it ends. @throws ApiStatusError */
export function requestToken(call: Call): ApiResponse {
  const { server, kind, request } = call;
  const options = writeOptions(request, 'CreateOptions');
  const ofKind = bodyKind(kind, 'authentication.k8s.io', 'v1', 'TokenRequest');
  const { name = '', namespace = '' } = request;
  const sent = decodeBody({ ...call, kind: ofKind }, options);
  if ((sent.metadata.name ?? name) !== name) throw badRequest('must match the service account name');
  if (server.etcd.get(keyOf(kind, namespace, name)) === undefined) throw notFound(kind, name);
  const { spec = {} } = admitPosted(call, options, ofKind, sent);
  const { audiences = [audience], expirationSeconds = 3600, boundObjectRef = null } = spec;
  if (expirationSeconds < leastSeconds) {
    const fault = invalidValue('spec.expirationSeconds', expirationSeconds, 'may not specify a duration less than 10 minutes');
    throw invalid(ofKind, name, [fault]);
  }
  const nowMs = server.environment.nowMs();
  const body = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: rfc3339(nowMs) },
    spec: { audiences, expirationSeconds, boundObjectRef },
    status: {
      token: uuid((part) => server.randomFor(`token/${part}`, kind, namespace, name, options.dryRun)),
      expirationTimestamp: rfc3339(nowMs + expirationSeconds * 1000),
    },
  };
  return { code: 201, body };
}
