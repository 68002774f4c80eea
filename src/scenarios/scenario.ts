import type * as fc from 'fast-check';
import type { Property } from '../properties/property.js';
import type { ClusterState } from '../sim/cluster-state.js';
import { type ControllerName, controllerNames } from '../sim/controllers/controllers.js';
import { deepCopy, deepFreeze, type JsonValue, type KubeObject } from '../sim/etcd/object.js';
import type { ObjectTarget } from '../sim/plan.js';
import { type Kind, type ObjectKey, resourceOf } from '../sim/runtime/kind.js';
import { calmControllers, type UserAct, type WorkloadStep, type World } from '../sim/world.js';
import { type Act, checkDefinition, type ScenarioDefinition } from './definition.js';

/** An operator in its cluster, what people do there, and what must hold: everything a campaign needs. */
export interface Scenario extends World {
  readonly about: string;
  /** How the arguments of the scenario's acts are made. */
  readonly actArguments: Readonly<Record<string, fc.Arbitrary<JsonValue>>>;
  /** What a calm day must come to: true, or what is missing. */
  readonly goal?: (state: ClusterState) => true | string;
  /** The scenario's own properties, besides those that need no specification. */
  readonly properties: readonly Property[];
  /** Built-in properties that do not hold here by intent, each with the reason. */
  readonly except: Readonly<Record<string, string>>;
}

const firstStepMs = 1_000;
const betweenStepsMs = 30_000;

/** @throws ScenarioError when the definition cannot be simulated; it says what was expected, and what to do. */
export function defineScenario(definition: ScenarioDefinition): Scenario {
  checkDefinition(definition);
  let atMs = firstStepMs - betweenStepsMs;
  const workload: WorkloadStep[] = definition.workload.map((step) => {
    atMs = step.atMs ?? atMs + betweenStepsMs;
    return { atMs, about: actText(step.act), act: step.act };
  });
  const acts = definition.acts ?? {};
  return {
    name: definition.name,
    about: definition.about ?? definition.name,
    crds: deepFreeze(deepCopy(definition.crds ?? [])),
    objects: deepFreeze(deepCopy(definition.objects ?? [])),
    operators: definition.operators,
    controllers: withPodRunners(definition.controllers ?? calmControllers),
    workload,
    webhooks: definition.webhooks ?? {},
    acts: Object.fromEntries(Object.entries(acts).map(([name, each]) => [name, each.act])),
    actArguments: Object.fromEntries(Object.entries(acts).map(([name, each]) => [name, each.args])),
    ...(definition.clientGo === undefined ? {} : { clientGo: definition.clientGo }),
    ...(definition.goal === undefined ? {} : { goal: definition.goal }),
    properties: definition.properties ?? [],
    except: definition.except ?? {},
  };
}

const podRunners: readonly ControllerName[] = ['persistentvolume-binder-controller', 'node-lifecycle-controller', 'scheduler'];

/** Whoever names the kubelet wants pods to run: what stands between a pod and its node comes with it. */
function withPodRunners(named: readonly ControllerName[]): readonly ControllerName[] {
  return named.includes('kubelet') ? controllerNames.filter((name) => named.includes(name) || podRunners.includes(name)) : named;
}

/** A step of the workload: somebody creates the object. */
export function create(object: KubeObject, at?: { readonly atMs: number }): { readonly act: UserAct; readonly atMs?: number } {
  return { act: { kind: 'create', object: deepFreeze(deepCopy(object)) }, ...at };
}

/** A step of the workload: somebody edits the object, as `kubectl edit` does. */
export function edit(target: ObjectTarget, recipe: (object: KubeObject) => void, at?: { readonly atMs: number }) {
  return { act: { kind: 'edit', target, recipe } as const, ...at };
}

/** A step of the workload: somebody deletes the object. */
export function remove(target: ObjectTarget, at?: { readonly atMs: number }) {
  return { act: { kind: 'delete', target } as const, ...at };
}

/** An object by kind and place: `target(Memcached, 'default/a')`. */
export function target(kind: Kind, key: string | ObjectKey): ObjectTarget {
  const [name = '', namespace = ''] = typeof key === 'string' ? key.split('/').reverse() : [key.name, key.namespace ?? ''];
  return { resource: resourceOf(kind), namespace, name };
}

/** An act of the fuzzer: how its arguments are made, and what it does with them. */
export function act<T extends JsonValue>(args: fc.Arbitrary<T>, does: (args: T) => { readonly act: UserAct }): Act<T> {
  return { args, act: (given) => does(given).act };
}

function actText(step: UserAct): string {
  if (step.kind !== 'create') return `${step.kind} ${step.target.resource} ${placeText(step.target)}`;
  const { kind, metadata } = step.object;
  return `create ${kind} ${placeText({ namespace: metadata.namespace ?? '', name: metadata.name ?? `${metadata.generateName}*` })}`;
}

function placeText(place: { readonly namespace: string; readonly name: string }): string {
  return place.namespace === '' ? place.name : `${place.namespace}/${place.name}`;
}
