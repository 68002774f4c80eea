import * as fc from 'fast-check';
import type { Json, JsonObject } from '../kinds.js';

/** How Jobs are made, and what people change of them. */

const counts = fc.constantFrom<Json>(1, 2, 3);

const podFailurePolicy = fc.constantFrom('FailJob', 'Ignore', 'Count').map((action) => ({
  rules: [{ action, onExitCodes: { containerName: 'c', operator: 'In', values: [42] } }],
}));

const common = {
  parallelism: fc.constantFrom<Json>(0, 1, 2, 3),
  backoffLimit: fc.constantFrom<Json>(0, 1, 2),
  suspend: fc.constantFrom<Json>(false, false, true),
  ttlSecondsAfterFinished: fc.constantFrom<Json>(0, 5),
  activeDeadlineSeconds: fc.constantFrom<Json>(8),
};

const plain = fc
  .record(
    { ...common, completions: counts, podReplacementPolicy: fc.constantFrom<Json>('TerminatingOrFailed', 'Failed') },
    { requiredKeys: [] },
  )
  .map((spec) => ({ ...spec }) as JsonObject);

const withFailurePolicy = fc
  .record({ ...common, completions: counts, podFailurePolicy }, { requiredKeys: ['podFailurePolicy'] })
  .map((spec) => ({ ...spec }) as JsonObject);

const indexed = fc
  .record(
    {
      ...common,
      completions: counts,
      backoffLimitPerIndex: fc.constantFrom<Json>(0, 1),
      successPolicy: fc.constantFrom<Json>({ rules: [{ succeededCount: 1 }] }, { rules: [{ succeededIndexes: '0' }] }),
    },
    { requiredKeys: ['completions'] },
  )
  .map((spec) => ({ ...spec, completionMode: 'Indexed' }) as JsonObject);

/** The spec of a Job; the server makes the selector. */
export const jobSpecs: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.oneof(plain, withFailurePolicy, indexed), fc.constantFrom('Never', 'Never', 'OnFailure'))
  .map(([spec, policy]) => ({
    ...spec,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        restartPolicy: spec.podFailurePolicy !== undefined || spec.backoffLimitPerIndex !== undefined ? 'Never' : policy,
        containers: [{ name: 'c', image: 'img:1' }],
      },
    },
  }));

/** A merge patch of one of the fields that may be changed. */
export const jobPatches: fc.Arbitrary<JsonObject> = fc.oneof(
  ...Object.entries({ ...common, ttlSecondsAfterFinished: fc.constantFrom<Json>(null, 5) }).map(([field, value]) =>
    value.map((one) => ({ spec: { [field]: one } })),
  ),
  counts.map((count) => ({ spec: { completions: count, parallelism: count } })),
);
