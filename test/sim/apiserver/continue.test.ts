import { describe, expect, it } from 'vitest';
import { decodeContinue, encodeContinue } from '../../../src/sim/apiserver/continue.js';

describe('continue tokens', () => {
  it('are base64url of the revision and the next key, with a slash before it when they come from the cache (LW-7)', () => {
    const token = encodeContinue({ revision: 7, start: 'ns/a\0' }, 'cache');
    expect(Buffer.from(token, 'base64url').toString()).toBe('{"v":"meta.k8s.io/v1","rv":7,"start":"/ns/a\\u0000"}');
    expect(decodeContinue(token)).toEqual({ revision: 7, start: 'ns/a\0' });
    expect(decodeContinue(encodeContinue({ revision: -1, start: 'a\0' }, 'etcd'))).toEqual({ revision: -1, start: 'a\0' });
  });

  it.each([
    ['*', 'continue key is not valid: illegal base64 data at input byte 0'],
    [token({ v: 'v9', rv: 1, start: '/a' }), 'continue key is not valid: server does not recognize this encoded version "v9"'],
    [
      token({ v: 'meta.k8s.io/v1', rv: 0, start: '/a' }),
      'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [token({ v: 'meta.k8s.io/v1', rv: 1 }), 'continue key is not valid: encoded start key empty (version meta.k8s.io/v1)'],
    [token({ v: 'meta.k8s.io/v1', rv: 1, start: '/../x' }), 'continue key is not valid: /../x'],
  ])('that are none are told what is wrong: %s', (text, fault) => {
    expect(decodeContinue(text)).toBe(fault);
  });
});

function token(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
