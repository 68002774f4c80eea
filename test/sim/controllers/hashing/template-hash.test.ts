import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { revisionHash, templateHash } from '../../../../src/sim/controllers/hashing/template-hash.js';

/** Templates as a real cluster had them, with the hashes that it gave their ReplicaSets. */
const recorded = JSON.parse(readFileSync(new URL('./recorded-hashes.json', import.meta.url), 'utf8')) as readonly {
  readonly hash: string;
  readonly template: unknown;
}[];

const small = {
  metadata: { labels: { app: 's' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'Always',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
};

describe('the hash of a template', () => {
  it('is the one that a real controller manager gives, with quantities, probes, volumes and all', () => {
    expect(recorded.map(({ template }) => templateHash(template))).toEqual(recorded.map(({ hash }) => hash));
  });

  it('is another for another template and after a collision', () => {
    const [first, second] = recorded;
    const hashes = [templateHash(first?.template), templateHash(second?.template), templateHash(first?.template, 1)];
    expect(new Set(hashes).size).toBe(3);
  });

  it('of a StatefulSet is the one that a real controller manager gives its revision', () => {
    expect(revisionHash({ spec: { template: { ...small, $patch: 'replace' } } }, 0)).toBe('776dff8d98');
  });
});
