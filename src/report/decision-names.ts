import type { DecisionName } from '../sim/kernel/decisions.js';
import type { Trace } from '../sim/trace.js';
import { ordinal } from './numbers.js';

/** The kind of a resource as people say it: `deployments.apps` is a Deployment. */
export type KindOf = (resource: string) => string;

/** Kinds from what runs have stored; a resource that none has stored is called by its own name. */
export function kindsSeen(...traces: readonly Trace[]): KindOf {
  const kinds = new Map<string, string>();
  for (const trace of traces)
    for (const { event } of trace.entries)
      if (event.kind === 'handled')
        for (const { key, object, previous } of event.commits) {
          const kind = (object ?? previous)?.kind;
          if (kind !== undefined) kinds.set(key.resource, kind);
        }
  return (resource) => kinds.get(resource) ?? resource;
}

/** What the name of a call says. */
export interface CallParts {
  readonly verb: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Empty when the call is about no object in particular. */
  readonly target: string;
  readonly process: string;
  readonly occurrence: number;
}

/** The parts of a call's name, such as `update webs.example.com/status default/a by web-operator #2`; of a webhook's, what it is asked about. */
export function callParts(name: DecisionName): CallParts | undefined {
  const match = /^(?:call \S+ for )?(\S+) ([^\s/]+)(?:\/(\S+))? ?(.*?) ?\bby (.+) #(\d+)$/.exec(name);
  if (match === null) return undefined;
  const [, verb = '', resource = '', subresource, target = '', process = '', occurrence = ''] = match;
  return { verb, resource, ...(subresource === undefined ? {} : { subresource }), target, process, occurrence: Number(occurrence) };
}

/** `the 1st create of Deployment default/web by web-operator`. */
export function callText(name: DecisionName, kindOf: KindOf): string {
  const call = callParts(name);
  return call === undefined ? `“${name}”` : `the ${callOf(call, kindOf)} by ${call.process}`;
}

/** `its 1st create of Deployment default/web`, where it is clear whose. */
export function ownCallText(name: DecisionName, kindOf: KindOf): string {
  const call = callParts(name);
  return call === undefined ? `“${name}”` : `its ${callOf(call, kindOf)}`;
}

function callOf(call: CallParts, kindOf: KindOf): string {
  return `${ordinal(call.occurrence)} ${callWithoutTime(call, kindOf)}`;
}

function callWithoutTime(call: CallParts, kindOf: KindOf): string {
  const verb = call.verb === 'get' ? 'live read' : call.verb;
  const part = call.subresource === undefined ? '' : `the ${call.subresource} of `;
  const what = call.target === '' || call.target.endsWith('/') ? allText(call, kindOf) : `${kindOf(call.resource)} ${call.target}`;
  return `${verb} of ${part}${what}`;
}

/** `the webhook hook.default.svc/mutate when it asked for the 1st time about the create of Web default/a by web-operator`. */
export function webhookText(name: DecisionName, kindOf: KindOf): string {
  const [, address, asked = ''] = /^call (\S+) for (.+)$/.exec(name) ?? [];
  const call = callParts(asked);
  if (address === undefined || call === undefined) return `the webhook at “${name}”`;
  const time = ordinal(call.occurrence);
  return `the webhook ${address} when it asked for the ${time} time about the ${callWithoutTime(call, kindOf)} by ${call.process}`;
}

/** What the name of a delivery says. */
export interface DeliveryParts {
  readonly resource: string;
  readonly target: string;
  readonly process: string;
  readonly occurrence: number;
}

/** The parts of a watch event's name, such as `deliver pods default/a to web-operator #2`. */
export function deliveryParts(name: DecisionName): DeliveryParts | undefined {
  const match = /^deliver (\S+) (\S+) to (.+) #(\d+)$/.exec(name);
  if (match === null) return undefined;
  const [, resource = '', target = '', process = '', occurrence = ''] = match;
  return { resource, target, process, occurrence: Number(occurrence) };
}

/** `the 2nd event of Pod default/a`. */
export function deliveryText({ resource, target, occurrence }: DeliveryParts, kindOf: KindOf): string {
  return `the ${ordinal(occurrence)} event of ${kindOf(resource)} ${target}`;
}

function allText({ resource, target }: CallParts, kindOf: KindOf): string {
  const where = target === '' ? '' : ` in ${target.slice(0, -1)}`;
  const kind = kindOf(resource);
  return `all ${kind === resource ? resource : `${kind} objects`}${where}`;
}
