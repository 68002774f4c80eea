import type * as fc from 'fast-check';
import type { Property } from '../properties/property.js';
import type { ClusterState } from '../sim/cluster-state.js';
import { deepCopy, deepFreeze, type JsonValue, type KubeObject } from '../sim/etcd/object.js';
import type { ObjectTarget } from '../sim/plan.js';
import { type Kind, type ObjectKey, resourceOf } from '../sim/runtime/kind.js';
import type { Operator } from '../sim/runtime/operator.js';
import { type ClientGoProfile, clientGoProfiles } from '../sim/runtime/profile.js';
import { type Webhook, webhookAddress } from '../sim/webhook.js';
import { configuredWebhooks } from '../sim/webhook-configurations.js';
import { type ControllerName, calmControllers, controllerNames, type UserAct, type WorkloadStep, type World } from '../sim/world.js';

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

/** An act that the fuzzer may add to a run, as often and when it likes. */
export interface Act<T extends JsonValue = JsonValue> {
  readonly args: fc.Arbitrary<T>;
  readonly act: (args: T) => UserAct;
}

/** What a user writes; `defineScenario` fills in the rest. */
export interface ScenarioDefinition {
  readonly name: string;
  readonly about?: string;
  readonly crds?: readonly KubeObject[];
  readonly objects?: readonly KubeObject[];
  readonly operators: readonly Operator[];
  /** By default all that there are. */
  readonly controllers?: readonly ControllerName[];
  /** In order; a step without a time comes 30 s after the one before, the first after 1 s. */
  readonly workload: readonly { readonly act: UserAct; readonly atMs?: number }[];
  // biome-ignore lint/suspicious/noExplicitAny: each act has its own arguments, checked where it is made.
  readonly acts?: Readonly<Record<string, Act<any>>>;
  /**
   * The webhooks that listen in the cluster, by their addresses: `web-webhook.system.svc/validate` as a `clientConfig.service`
   * names it, or a URL. `defaulter`, `validator`, `converter` and `reviewer` make them; their configurations are objects.
   */
  readonly webhooks?: Readonly<Record<string, Webhook>>;
  readonly clientGo?: ClientGoProfile;
  readonly goal?: (state: ClusterState) => true | string;
  readonly properties?: readonly Property[];
  readonly except?: Readonly<Record<string, string>>;
}

const firstStepMs = 1_000;
const betweenStepsMs = 30_000;

/** @throws ScenarioError when the definition cannot be simulated; it says what was expected, and what to do. */
export function defineScenario(definition: ScenarioDefinition): Scenario {
  check(definition);
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
    controllers: definition.controllers ?? calmControllers,
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

/** A scenario that cannot be simulated as it is written. */
export class ScenarioError extends Error {
  constructor(scenario: string, problem: string) {
    super(`the scenario ${scenario} cannot be simulated: ${problem}`);
    this.name = 'ScenarioError';
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const folderName = /^(?!\.{1,2}$)[^/\\\u0000-\u001f]{1,100}$/;

function check(definition: ScenarioDefinition): void {
  const fail = (problem: string): never => {
    throw new ScenarioError(typeof definition.name === 'string' ? definition.name : '(without a name)', problem);
  };
  if (typeof definition.name !== 'string' || definition.name === '') fail('it needs a `name`, a text');
  if (!folderName.test(definition.name))
    fail('its `name` names a folder of the corpus: at most 100 characters, on one line, without / and \\, not . or ..');
  if (!Array.isArray(definition.operators) || definition.operators.length === 0)
    fail('`operators` must be a list with at least one operator: { name, setup(manager) }');
  const names = definition.operators.map((operator) => operator?.name);
  for (const operator of definition.operators)
    if (typeof operator?.name !== 'string' || typeof operator.setup !== 'function')
      fail('each of its `operators` needs a `name` and a function `setup(manager)`');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) fail(`two operators are called ${twice}: give each its own name`);
  const taken = names.find((name) => controllerNames.includes(name as ControllerName));
  if (taken !== undefined) fail(`an operator is called ${taken}, which is the name of a controller of the cluster: give it another name`);
  if (!Array.isArray(definition.workload) || definition.workload.length === 0)
    fail('`workload` must be a list with at least one act, such as create(object)');
  for (const [index, step] of definition.workload.entries()) {
    if (typeof step?.act !== 'object' || step.act === null) fail(`step ${index + 1} of its \`workload\` is no act, such as create(object)`);
    if (step.atMs !== undefined && !(Number.isFinite(step.atMs) && step.atMs >= 0))
      fail(`step ${index + 1} of its \`workload\` has \`atMs\` ${step.atMs}; expected virtual milliseconds, 0 or more`);
  }
  const { clientGo } = definition;
  if (clientGo !== undefined && !Object.hasOwn(clientGoProfiles, clientGo))
    fail(`there is no \`clientGo\` ${clientGo}; there are ${Object.keys(clientGoProfiles).join(', ')}`);
  for (const property of definition.properties ?? [])
    if (typeof property?.name !== 'string' || typeof property.check !== 'function')
      fail('each of its `properties` needs a `name` and a function `check`, as always(name, check) makes them');
  for (const object of definition.objects ?? [])
    if (typeof object?.kind !== 'string') fail('each of its `objects` needs an `apiVersion`, a `kind` and `metadata`');
  for (const controller of definition.controllers ?? [])
    if (!controllerNames.includes(controller)) fail(`there is no controller ${controller}; there are ${controllerNames.join(', ')}`);
  for (const crd of definition.crds ?? [])
    if (crd?.kind !== 'CustomResourceDefinition')
      fail(`one of its \`crds\` is a ${crd?.kind ?? typeof crd}, not a CustomResourceDefinition of apiextensions.k8s.io/v1`);
  const fault = webhookFault(definition);
  if (fault !== undefined) fail(fault);
}

function webhookFault({ webhooks = {}, objects = [], crds = [] }: ScenarioDefinition): string | undefined {
  const declared = new Map<string, string>();
  for (const [text, webhook] of Object.entries(webhooks)) {
    const address = webhookAddress(text);
    if (address === undefined)
      return `one of its \`webhooks\` is at ${JSON.stringify(text)}, which is no address: write service.namespace.svc/path, or an https URL`;
    const twin = declared.get(address);
    if (twin !== undefined) return `two of its \`webhooks\` are at the same address: ${twin} and ${text}`;
    declared.set(address, text);
    if (typeof webhook?.answer !== 'function')
      return `its webhook at ${text} is none: make it with defaulter(…), validator(…), converter(…) or reviewer(…)`;
  }
  const silent = configuredWebhooks({ objects, crds }).find(({ address }) => !declared.has(address));
  if (silent === undefined) return undefined;
  const there = declared.size === 0 ? 'there are none' : `there are ${[...declared.values()].join(', ')}`;
  return `${silent.by} is said to listen at ${silent.address}, and nobody does: declare it in \`webhooks\` (${there})`;
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
