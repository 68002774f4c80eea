import * as fc from 'fast-check';
import type { Json, JsonObject } from '../kinds.js';
import { jobPatches, jobSpecs } from './jobs.js';
import type { Act, Edit, EditScript, PlainEdit, Plural } from './script.js';

/** One of the kinds whose controllers are compared: how one is made, and how people change it. */
interface Workload {
  readonly plural: Plural;
  readonly apiVersion: string;
  readonly kind: string;
  readonly specs: (app: string) => fc.Arbitrary<JsonObject>;
  /** Merge patches of the object. */
  readonly patches: fc.Arbitrary<JsonObject>;
  /** What else is there that people lay hands on. */
  readonly others: readonly Plural[];
}

const images = fc.constantFrom('img:1', 'img:2', 'img:3');
const replicas = fc.constantFrom<Json>(0, 1, 2, 2, 3, 4);
const numberOrPercent = fc.constantFrom<Json>(0, 1, 2, '25%', '50%', '100%');

function template(app: string, image: string, more: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'c', image }], ...more } };
}

/** A spec whose selector and template go together, with some of the other fields. */
function specs(fields: Readonly<Record<string, fc.Arbitrary<Json>>>): Workload['specs'] {
  return (app) =>
    fc
      .tuple(images, someOf(fields))
      .map(([image, some]) => ({ selector: { matchLabels: { app } }, template: template(app, image), ...some }));
}

function someOf(fields: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> {
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

/** A merge patch of one field of the spec. */
function oneOf(fields: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> {
  return fc.oneof(...Object.entries(fields).map(([field, value]) => value.map((one) => ({ spec: { [field]: one } }))));
}

/** Another image; seldom a label more or less, or a field of the pods. */
const templates: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 4, arbitrary: images.map((image) => ({ spec: { template: { spec: { containers: [{ name: 'c', image }] } } } })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<JsonObject>(
        { metadata: { labels: { extra: 'x' } } },
        { metadata: { labels: { extra: null } } },
        { metadata: { annotations: { note: 'x' } } },
        { spec: { terminationGracePeriodSeconds: 5 } },
      )
      .map((part) => ({ spec: { template: part } })),
  },
);
const ownMetadata = fc
  .constantFrom<JsonObject>({ annotations: { team: 'a' } }, { annotations: { team: null } }, { labels: { team: 'a' } })
  .map((metadata) => ({ metadata }));

const seconds = fc.constantFrom<Json>(0, 0, 5);
const historyLimit = fc.constantFrom<Json>(0, 1, 2, 10);

const rollingDeployment = fc
  .tuple(numberOrPercent, numberOrPercent)
  .filter(([surge, unavailable]) => surge !== 0 || unavailable !== 0)
  .map(([maxSurge, maxUnavailable]) => ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }));
const deploymentFields = {
  replicas,
  strategy: fc.oneof(rollingDeployment, fc.constant<JsonObject>({ type: 'Recreate', rollingUpdate: null })),
  minReadySeconds: seconds,
  revisionHistoryLimit: historyLimit,
  paused: fc.constantFrom<Json>(false, false, true),
  progressDeadlineSeconds: fc.constantFrom<Json>(10, 600, 2147483647),
};

const statefulSetFields = {
  replicas: fc.constantFrom<Json>(0, 1, 2, 3, 3),
  updateStrategy: fc.oneof(
    fc.nat(3).map((partition) => ({ type: 'RollingUpdate', rollingUpdate: { partition } })),
    fc.constant<JsonObject>({ type: 'OnDelete', rollingUpdate: null }),
  ),
  minReadySeconds: seconds,
  ordinals: fc.nat(2).map((start) => ({ start })),
  persistentVolumeClaimRetentionPolicy: fc
    .tuple(fc.constantFrom('Retain', 'Delete'), fc.constantFrom('Retain', 'Delete'))
    .map(([whenDeleted, whenScaled]) => ({ whenDeleted, whenScaled })),
  revisionHistoryLimit: historyLimit,
};
const claims: Json = [
  { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
];

const daemonSetFields = {
  updateStrategy: fc.oneof(
    fc.constantFrom<Json>(1, 2, '50%').map((maxUnavailable) => ({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge: 0 } })),
    fc.constantFrom<Json>(1, 2, '50%').map((maxSurge) => ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 0 } })),
    fc.constant<JsonObject>({ type: 'OnDelete', rollingUpdate: null }),
  ),
  minReadySeconds: seconds,
  revisionHistoryLimit: historyLimit,
};
/** All nodes or none: they are alike. */
const nodeChoice = fc
  .constantFrom<Json>({ role: 'none' }, null)
  .map((nodeSelector) => ({ spec: { template: { spec: { nodeSelector } } } }));

export const workloads: Readonly<Record<string, Workload>> = {
  deployments: {
    plural: 'deployments',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    specs: specs({ ...deploymentFields, paused: fc.constantFrom<Json>(false, false, false, false, true) }),
    patches: fc.oneof({ weight: 3, arbitrary: oneOf(deploymentFields) }, { weight: 3, arbitrary: templates }, ownMetadata),
    others: ['replicasets'],
  },
  replicasets: {
    plural: 'replicasets',
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    specs: specs({ replicas, minReadySeconds: seconds }),
    patches: fc.oneof({ weight: 3, arbitrary: oneOf({ replicas, minReadySeconds: seconds }) }, templates, ownMetadata),
    others: [],
  },
  statefulsets: {
    plural: 'statefulsets',
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    specs: specs({
      ...statefulSetFields,
      serviceName: fc.constant<Json>('s'),
      podManagementPolicy: fc.constantFrom<Json>('OrderedReady', 'Parallel'),
      volumeClaimTemplates: fc.constant(claims),
    }),
    patches: fc.oneof({ weight: 4, arbitrary: oneOf(statefulSetFields) }, { weight: 3, arbitrary: templates }, ownMetadata),
    others: ['controllerrevisions', 'persistentvolumeclaims'],
  },
  daemonsets: {
    plural: 'daemonsets',
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    specs: specs(daemonSetFields),
    patches: fc.oneof({ weight: 2, arbitrary: oneOf(daemonSetFields) }, { weight: 3, arbitrary: templates }, nodeChoice, ownMetadata),
    others: ['controllerrevisions'],
  },
  jobs: {
    plural: 'jobs',
    apiVersion: 'batch/v1',
    kind: 'Job',
    specs: () => jobSpecs,
    patches: fc.oneof({ weight: 5, arbitrary: jobPatches }, ownMetadata),
    others: [],
  },
};

/** Scripts about one object each of these kinds, and its pods. @param plurals none: all of them */
export function editScripts(plurals: readonly string[]): fc.Arbitrary<EditScript> {
  const chosen = plurals.length === 0 ? Object.keys(workloads) : plurals;
  return fc.constantFrom(...chosen).chain((plural) => {
    const workload = workloads[plural];
    if (workload === undefined) throw new Error(`no workloads are called ${plural}; there are ${Object.keys(workloads).join(', ')}`);
    return fc
      .tuple(fc.array(barePods, { maxLength: 1 }), creations(workload), fc.array(editsOf(workload), { minLength: 6, maxLength: 16 }))
      .map(([bare, creation, edits]) => [...bare, creation, ...edits]);
  });
}

function creations({ plural, apiVersion, kind, specs: drawn }: Workload, name = 'web'): fc.Arbitrary<PlainEdit> {
  return drawn('web').map((spec) => ({ create: plural, body: { apiVersion, kind, metadata: { name }, spec } }));
}

/** A pod that nobody owns, which a selector may mean; it costs least, as else chance might decide between it and another. */
const barePods: fc.Arbitrary<PlainEdit> = fc
  .tuple(fc.constantFrom('web', 'other'), fc.constantFrom('bare', 'web-1'))
  .map(([app, name]) => ({
    create: 'pods',
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app }, annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-1' } },
      spec: { containers: [{ name: 'c', image: 'img:1' }] },
    },
  }));

/** Another kind's object whose selector means the same pods. */
const foreignOwners: fc.Arbitrary<PlainEdit> = fc.tuple(fc.nat(2), fc.constantFrom('web', 'foreign')).map(([replicas, name]) => ({
  create: 'replicasets',
  body: {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, labels: { app: 'web' } },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: template('web', 'img:1') },
  },
}));

const policies = fc
  .constantFrom('Background', 'Foreground', 'Orphan', undefined)
  .map((propagationPolicy) => (propagationPolicy === undefined ? {} : { propagationPolicy }));

const podActs: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Act>({ turn: 'ready' }) },
  { weight: 2, arbitrary: fc.constantFrom<Act>({ turn: 'unready' }, { turn: 'pending' }, { turn: 'restarted' }) },
  { weight: 4, arbitrary: fc.constantFrom<Act>({ turn: 'succeeded' }, { turn: 'failed' }, { turn: 'failed', exitCode: 42 }) },
  { weight: 4, arbitrary: fc.constantFrom<Act>({ delete: {} }, { delete: { gracePeriodSeconds: 0 } }) },
  { weight: 2, arbitrary: fc.constant<Act>({ bind: 'n1' }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<JsonObject>(
        { labels: { app: 'other' } },
        { labels: { app: 'web' } },
        { labels: { app: null } },
        { ownerReferences: null },
        { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-5' } },
        { finalizers: ['example.com/hold'] },
        { finalizers: null },
      )
      .map((metadata) => ({ patch: { metadata } })),
  },
);

const some = fc.record({ from: fc.constantFrom('first' as const, 'last' as const), count: fc.constantFrom(1, 1, 2, 9) });

function editsOf(workload: Workload): fc.Arbitrary<Edit> {
  const { plural, patches, others } = workload;
  const own = (act: Act): PlainEdit => ({ each: plural, of: 'web', from: 'first', count: 1, act });
  const otherActs = fc.oneof(
    policies.map((options) => ({ delete: options })),
    fc.nat(3).map((count) => ({ patch: { spec: { replicas: count } } })),
    fc.constantFrom<JsonObject>({ labels: { app: 'other' } }, { ownerReferences: null }).map((metadata) => ({ patch: { metadata } })),
  );
  const podEdits: fc.Arbitrary<PlainEdit> = fc.tuple(some, podActs).map(([which, act]) => ({ each: 'pods', of: '', ...which, act }));
  const change = patches.map((patch) => own({ patch }));
  const hasty = fc.oneof(
    fc.array(change, { minLength: 2, maxLength: 3 }),
    // With any other policy it is chance whether the name is free by then.
    creations(workload).map((creation) => [own({ delete: { propagationPolicy: 'Background' } }), creation]),
    fc.tuple(creations(workload, 'web-2'), change),
    fc.tuple(change, podEdits),
  );
  return fc.oneof(
    { weight: 6, arbitrary: change },
    { weight: 2, arbitrary: hasty.map((atOnce) => ({ atOnce })) },
    { weight: 1, arbitrary: foreignOwners },
    { weight: 3, arbitrary: fc.constant<PlainEdit>({ each: 'pods', of: '', from: 'first', count: 9, act: { turn: 'ready' } }) },
    { weight: 1, arbitrary: fc.constantFrom(4_000, 6_000, 11_000).map((waitMs) => ({ waitMs })) },
    { weight: 8, arbitrary: podEdits },
    { weight: 1, arbitrary: policies.map((options) => own({ delete: options })) },
    // Made again, or a rival with the same selector.
    { weight: 1, arbitrary: fc.constantFrom('web', 'web', 'web-2').chain((name) => creations(workload, name)) },
    { weight: 1, arbitrary: barePods },
    ...others.map((other) => ({
      weight: 1,
      arbitrary: fc.tuple(some, otherActs).map(([which, act]) => ({ each: other, of: '', ...which, act })),
    })),
  );
}
