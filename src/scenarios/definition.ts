import type * as fc from 'fast-check';
import { builtInProperties } from '../properties/built-in.js';
import type { Property } from '../properties/property.js';
import type { ClusterState } from '../sim/cluster-state.js';
import { type ControllerName, controllerNames } from '../sim/controllers/controllers.js';
import type { JsonValue, KubeObject } from '../sim/etcd/object.js';
import type { Operator } from '../sim/runtime/operator.js';
import { type ClientGoProfile, clientGoProfiles } from '../sim/runtime/profile.js';
import { type Webhook, webhookAddress } from '../sim/webhook.js';
import { configuredWebhooks } from '../sim/webhook-configurations.js';
import type { UserAct } from '../sim/world.js';

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
  /** By default all that come to rest; the kubelet brings with it what else pods need to run. */
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

/** A scenario that cannot be simulated as it is written. */
export class ScenarioError extends Error {
  constructor(scenario: string, problem: string) {
    super(`the scenario ${scenario} cannot be simulated: ${problem}`);
    this.name = 'ScenarioError';
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const folderName = /^(?!\.{1,2}$)[^/\\\u0000-\u001f]{1,100}$/;

/** @throws ScenarioError when the definition cannot be simulated: what was expected, where, and what to do */
export function checkDefinition(definition: ScenarioDefinition): void {
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
  const fault = strangerFault(definition) ?? exceptFault(definition) ?? actFault(definition) ?? webhookFault(definition);
  if (fault !== undefined) fail(fault);
}

const keys: Readonly<Record<keyof ScenarioDefinition, true>> = {
  name: true,
  about: true,
  crds: true,
  objects: true,
  operators: true,
  controllers: true,
  workload: true,
  acts: true,
  webhooks: true,
  clientGo: true,
  goal: true,
  properties: true,
  except: true,
};

function strangerFault(definition: ScenarioDefinition): string | undefined {
  const stranger = Object.keys(definition).find((key) => !Object.hasOwn(keys, key));
  return stranger === undefined ? undefined : `it has \`${stranger}\`, which means nothing here; there are ${Object.keys(keys).join(', ')}`;
}

function exceptFault({ except = {}, goal }: ScenarioDefinition): string | undefined {
  if (goal !== undefined && typeof goal !== 'function') return '`goal` must be a function of the state: true, or what is missing';
  if (typeof except !== 'object' || except === null || Array.isArray(except))
    return '`except` must say why, property by property: { idempotent: "it notes the time of each start" }';
  for (const [name, reason] of Object.entries(except)) {
    if (!builtInProperties.some((property) => property.name === name))
      return `there is no built-in property ${name} to leave out in \`except\`; there are ${builtInProperties.map((each) => each.name).join(', ')}`;
    if (typeof reason !== 'string' || reason === '') return `\`except.${name}\` must be the reason, a text`;
  }
  return undefined;
}

/** The acts that every scenario has by itself. */
const takenActs = ['delete', 'recreate', 'touch'];

function actFault({ acts = {} }: ScenarioDefinition): string | undefined {
  for (const [name, act] of Object.entries(acts)) {
    if (takenActs.includes(name)) return `one of its \`acts\` is called ${name}, as an act that every scenario has: give it another name`;
    if (typeof act?.act !== 'function' || typeof act.args?.generate !== 'function')
      return `\`acts.${name}\` is no act: make it with act(arbitrary, (args) => edit(…))`;
  }
  return undefined;
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
