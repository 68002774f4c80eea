import { type ControllerName, controllerNames } from './controllers/controllers.js';
import type { JsonValue, KubeObject } from './etcd/object.js';
import type { ObjectTarget } from './plan.js';
import type { Operator } from './runtime/operator.js';
import type { ClientGoProfile } from './runtime/profile.js';
import type { Webhook } from './webhook.js';

/** CronJobs and autoscalers never come to rest; what every namespace is given is seldom of interest, and each run would pay for it. */
const onlyWhenNamed: readonly ControllerName[] = [
  'cronjob-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'horizontal-pod-autoscaler-controller',
];

/** Those that run unless a scenario says otherwise. */
export const calmControllers: readonly ControllerName[] = controllerNames.filter((name) => !onlyWhenNamed.includes(name));

/** Something a person does to the cluster, in one step and without a fault of the network: kubectl, used by hand. */
export type UserAct =
  | { readonly kind: 'create'; readonly object: KubeObject }
  /** Reads the object, lets the recipe change the copy, and writes it back; an object that is gone is left alone. */
  | { readonly kind: 'edit'; readonly target: ObjectTarget; readonly recipe: (object: KubeObject) => void; readonly subresource?: 'status' }
  | { readonly kind: 'delete'; readonly target: ObjectTarget; readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' };

/** An act of the workload, at its time on every day, calm or not. */
export interface WorkloadStep {
  /** Virtual milliseconds since the run began. */
  readonly atMs: number;
  /** In words, for the report: `create Memcached default/a`. */
  readonly about: string;
  readonly act: UserAct;
}

/** The part of a scenario that is simulated: who runs in the cluster, and what people do there. */
export interface World {
  readonly name: string;
  /** CustomResourceDefinitions that are installed before anything else. */
  readonly crds: readonly KubeObject[];
  /** Objects that are there from the start. They are nobody's to clean up. */
  readonly objects: readonly KubeObject[];
  readonly operators: readonly Operator[];
  readonly controllers: readonly ControllerName[];
  readonly workload: readonly WorkloadStep[];
  /** The webhooks that listen in the cluster, by their addresses; which of them is asked what, the configurations among the objects say. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  /** What people may do besides; a plan names the act and gives its arguments. */
  readonly acts: Readonly<Record<string, (args: JsonValue) => UserAct>>;
  /** Pins the generation of client-go that the operators are built with; otherwise a decision of the run. */
  readonly clientGo?: ClientGoProfile;
}
