import { admitPosted } from './admission/posted.js';
import type { Call } from './call.js';
import { decodeBody } from './decode.js';
import type { KindInfo } from './kinds.js';
import { writeOptions } from './options.js';
import type { ApiResponse } from './request.js';

/** Kinds that can only be created are questions: they are answered and not stored. */
export function isReview(kind: KindInfo): boolean {
  return kind.verbs.size === 1 && kind.verbs.has('create') && kind.plural !== 'bindings';
}

/** POST of a review. Everybody may do everything, and every token is somebody's. @throws ApiStatusError */
export function review(call: Call): ApiResponse {
  const options = writeOptions(call.request, 'CreateOptions');
  const asked = admitPosted(call, options, call.kind, decodeBody(call, options));
  return { code: 201, body: { ...asked, status: answerTo(call.kind) } };
}

function answerTo(kind: KindInfo) {
  switch (kind.kind) {
    case 'TokenReview':
      return { authenticated: true, user: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] } };
    case 'SelfSubjectReview':
      return { userInfo: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] } };
    case 'SelfSubjectRulesReview':
      return {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      };
    default:
      return { allowed: true };
  }
}
