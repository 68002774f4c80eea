import type { KubeObject } from '../../../src/sim/etcd/object.js';
import {
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  type HandlerContext,
} from '../../../src/sim/runtime/event-handlers.js';
import { filtered } from '../../../src/sim/runtime/event-source.js';
import { defineKind } from '../../../src/sim/runtime/kind.js';
import {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  newPredicateFuncs,
  not,
  or,
  type Predicate,
  resourceVersionChanged,
} from '../../../src/sim/runtime/predicates.js';
import { keyOfRequest } from '../../../src/sim/runtime/reconciler.js';
import { Scheme } from '../../../src/sim/runtime/scheme.js';
import { keyOf } from '../../../src/sim/runtime/store.js';
import { DeletedFinalStateUnknown } from '../../../src/sim/runtime/tombstone.js';
import { Journal } from './journal.js';
import { type Client, playSteps } from './play.js';
import { expand, type Player, type Step, scriptKinds } from './script.js';
import { Stage } from './stage.js';

export const widget = defineKind('seatrial.example/v1', 'Widget');

/** The kind of a script's resource. */
export function kindOf(resource: string) {
  const { apiVersion, kind, namespaced } = scriptKinds[resource]!;
  return defineKind(apiVersion, kind, { plural: resource, namespaced });
}

export function predicateOf(text: string): Predicate {
  const [name = '', argument = ''] = text.split(/:(.*)/s);
  switch (name) {
    case 'generation':
      return generationChanged();
    case 'resourceVersion':
      return resourceVersionChanged();
    case 'labels':
      return labelChanged();
    case 'annotations':
      return annotationChanged();
    case 'selector':
      return labelSelectorPredicate(argument);
    case 'filter': {
      const [label = '', value] = argument.split('=');
      return newPredicateFuncs(({ metadata }) => metadata.labels?.[label] === value);
    }
    case 'or':
      return or(...argument.split(',').map(predicateOf));
    case 'and':
      return and(...argument.split(',').map(predicateOf));
    case 'not':
      return not(predicateOf(argument));
    default:
      throw new Error(`there is no predicate ${JSON.stringify(text)}`);
  }
}

export function handlerOf(name: string): EventHandler {
  switch (name) {
    case 'object':
      return enqueueRequestForObject();
    case 'owner':
      return enqueueRequestForOwner(widget);
    case 'owner-controller':
      return enqueueRequestForOwner(widget, { onlyControllerOwner: true });
    case 'map':
      // The label names widgets, separated by dots.
      return enqueueRequestsFromMapFunc(({ metadata }) =>
        (metadata.labels?.widget ?? '')
          .split('.')
          .filter((widgetName) => widgetName !== '')
          .map((widgetName) => ({ namespace: metadata.namespace ?? '', name: widgetName })),
      );
    default:
      throw new Error(`there is no handler ${JSON.stringify(name)}`);
  }
}

/** A request as the lanes of queues show it. */
export function shownAdd(key: string, priority: number, classic: boolean): string {
  return priority === 0 || classic ? `add ${key}` : `add ${key} priority ${priority}`;
}

interface Setup {
  readonly resource: string;
  readonly handler: string;
  readonly predicates?: readonly string[];
  readonly queue?: string;
}

export const play: Player = (script) => {
  const journal = new Journal(script.anyOrder);
  return playSteps(script, new Stage(script, journal), journal, new EventsClient(script.setup as unknown as Setup, journal));
};

/** One event handler with its predicates. */
class EventsClient implements Client {
  private readonly handler: EventHandler;
  private readonly predicates: readonly Predicate[];
  private readonly scheme = new Scheme([widget]);

  constructor(
    private readonly setup: Setup,
    private readonly journal: Journal,
  ) {
    this.handler = handlerOf(setup.handler);
    this.predicates = (setup.predicates ?? []).map(predicateOf);
  }

  do(step: Step): void {
    const { resource } = this.setup;
    const events = filtered({ handler: this.handler, predicates: this.predicates }, this.context);
    if ('create' in step) {
      const object = expand(resource, step.create);
      this.pass((predicate) => predicate.create?.(object));
      events.onAdd(object, step.initial === true);
    } else if ('update' in step) {
      const [old, new_] = (step.update as [unknown, unknown]).map((short) => expand(resource, short)) as [KubeObject, KubeObject];
      this.pass((predicate) => predicate.update?.(old, new_));
      events.onUpdate(old, new_);
    } else if ('delete' in step) {
      const object = expand(resource, step.delete);
      this.pass((predicate) => predicate.delete?.(object));
      events.onDelete(step.unknown ? new DeletedFinalStateUnknown(keyOf(object), object) : object);
    } else if ('generic' in step) {
      const object = expand(resource, step.generic);
      if (this.pass((predicate) => predicate.generic?.(object))) this.handler.generic?.(object, this.context);
    } else throw new Error(`an event handler cannot ${JSON.stringify(step)}`);
  }

  state(): Readonly<Record<string, unknown>> {
    return {};
  }

  private pass(ask: (predicate: Predicate) => boolean | undefined): boolean {
    const passes = this.predicates.every((predicate) => ask(predicate) ?? true);
    if (this.predicates.length > 0) this.journal.note('passes', passes);
    return passes;
  }

  private get context(): HandlerContext {
    return {
      enqueue: (request, priority) =>
        this.journal.note('queue events', shownAdd(keyOfRequest(request), priority, this.setup.queue === 'classic')),
      logError: (message) => this.journal.note('log', `ERROR ${message}`),
      knows: (apiVersion, kind) => this.scheme.find(apiVersion, kind) !== undefined,
    };
  }
}
