import type { ApiRequest, Status } from '../apiserver/request.js';
import { resourceOf } from '../call-name.js';

interface Generic {
  readonly reason: string;
  readonly text: string;
}

// NewGenericServerResponse of k8s.io/apimachinery/pkg/api/errors (A38, D77).
const generic: Readonly<Record<number, Generic>> = {
  400: { reason: 'BadRequest', text: 'the server rejected our request for an unknown reason' },
  401: { reason: 'Unauthorized', text: 'the server has asked for the client to provide credentials' },
  404: { reason: 'NotFound', text: 'the server could not find the requested resource' },
  405: { reason: 'MethodNotAllowed', text: 'the server does not allow this method on the requested resource' },
  409: { reason: 'Conflict', text: 'the server reported a conflict' },
  422: { reason: 'Invalid', text: 'the server rejected our request due to an error in our request' },
  429: { reason: 'TooManyRequests', text: 'the server has received too many requests and has asked us to try again later' },
  503: { reason: 'ServiceUnavailable', text: 'the server is currently unable to handle the request' },
  504: {
    reason: 'Timeout',
    text: 'the server was unable to return a response in the time allotted, but may still be processing the request',
  },
};

/** The Status that client-go makes of an error answer whose body is none. @param verb as HTTP has it, in lower case */
export function genericStatus(request: ApiRequest, verb: string, code: number, body: string): Status {
  const { reason, text } = genericOf(request, code, body);
  const resource = resourceOf(request);
  const about = request.name ? `${verb} ${resource} ${request.name}` : `${verb} ${resource}`;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `${text} (${about})`, reason, code };
}

function genericOf(request: ApiRequest, code: number, body: string): Generic {
  switch (code) {
    case 403:
      return { reason: 'Forbidden', text: body };
    case 406:
      return { reason: 'NotAcceptable', text: body };
    case 415:
      return { reason: 'UnsupportedMediaType', text: body };
    case 409:
      return request.verb === 'create' ? { reason: 'AlreadyExists', text: 'the server reported a conflict' } : generic[409]!;
  }
  if (generic[code] !== undefined) return generic[code];
  if (code >= 500)
    return { reason: 'InternalError', text: `an error on the server (${JSON.stringify(body)}) has prevented the request from succeeding` };
  return { reason: '', text: `the server responded with the status code ${code} but did not return more information` };
}
