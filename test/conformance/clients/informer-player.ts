import { deepCopy, type KubeObject } from '../../../src/sim/etcd/object.js';
import { ApiError } from '../../../src/sim/runtime/api-errors.js';
import { SharedInformer } from '../../../src/sim/runtime/informer.js';
import type { ClientGoProfile } from '../../../src/sim/runtime/profile.js';
import type { Registration } from '../../../src/sim/runtime/resource-event-handler.js';
import { DeletedFinalStateUnknown } from '../../../src/sim/runtime/tombstone.js';
import { type HandlerSetup, RecordingHandler } from './informer-handler.js';
import { Journal } from './journal.js';
import { type Client, playSteps } from './play.js';
import { type Player, type Step, shorten } from './script.js';
import { Stage } from './stage.js';

interface Setup {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resyncMs?: number;
  readonly indexed?: boolean;
  readonly transform?: keyof typeof transforms;
  readonly handlers?: readonly HandlerSetup[];
  readonly watchErrorHandler?: boolean;
  readonly tls?: boolean;
  readonly recordHeaders?: readonly string[];
}

export const play: Player = (script, profile) => {
  const journal = new Journal(script.anyOrder);
  const setup = (script.setup ?? {}) as Setup;
  const stage = new Stage(script, journal, { http2: setup.tls ?? false, recordHeaders: setup.recordHeaders ?? [] });
  return playSteps(script, stage, journal, new InformerClient(stage, profile as ClientGoProfile, setup, journal));
};

/** `mark` adds an i to the label t each time it runs; `fail` refuses objects that have the label bad. */
export const transforms = {
  mark(object: KubeObject): KubeObject {
    const marked = deepCopy(object);
    marked.metadata.labels = { ...marked.metadata.labels, t: `${marked.metadata.labels?.t ?? ''}i` };
    return marked;
  },
  fail(object: KubeObject): KubeObject {
    if (object.metadata.labels?.bad) throw new Error('transform refused');
    return object;
  },
};

/** The short form of a cached object, tombstones included. */
export function shortenCached(object: KubeObject | DeletedFinalStateUnknown): string {
  if (!(object instanceof DeletedFinalStateUnknown)) return shorten(object);
  return `unknown(${object.object === undefined ? object.key : shorten(object.object)})`;
}

const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

function byApp(object: KubeObject): string[] {
  const app = object.metadata.labels?.app;
  return app ? [app] : [];
}

class InformerClient implements Client {
  private readonly informer: SharedInformer;
  private readonly handlers = new Map<string, RecordingHandler>();
  private readonly registrations = new Map<string, Registration>();

  constructor(
    private readonly stage: Stage,
    profile: ClientGoProfile,
    setup: Setup,
    private readonly journal: Journal,
  ) {
    const { namespace, labelSelector, fieldSelector, resyncMs = 0, transform, recordHeaders } = setup;
    this.informer = new SharedInformer(stage, {
      kind: configMaps,
      resyncMs,
      profile,
      ...(namespace ? { namespace } : {}),
      ...(labelSelector ? { labelSelector } : {}),
      ...(fieldSelector ? { fieldSelector } : {}),
      ...(transform ? { transform: transforms[transform] } : {}),
      // The typed clientset that these scripts are played with (A40).
      ...(recordHeaders ? { accept: 'application/vnd.kubernetes.protobuf,application/json' } : {}),
      ...(setup.watchErrorHandler ? { watchErrorHandler: (error: Error) => journal.note('watchErrors', faultOf(error)) } : {}),
    });
    this.informer.addIndexers({ namespace: ({ metadata }) => [metadata.namespace ?? ''], ...(setup.indexed ? { byApp } : {}) });
    for (const one of setup.handlers ?? []) this.addHandler(one);
  }

  do(step: Step): void {
    if ('start' in step) this.informer.start();
    else if ('stop' in step) this.informer.stop(() => this.journal.note('client', 'run returned'));
    else if ('addHandler' in step) this.say(undefined, () => this.addHandler(step.addHandler as HandlerSetup));
    else if ('removeHandler' in step) this.removeHandler(String(step.removeHandler));
    else if ('hold' in step) this.handlers.get(String(step.hold))?.hold();
    else if ('release' in step) this.handlers.get(String(step.release))?.release();
    else if ('releaseOne' in step) this.handlers.get(String(step.releaseOne))?.releaseOne();
    else if ('index' in step) this.say(undefined, () => this.index(...(step.index as [string, string])));
    else if ('addIndexer' in step) this.say('addIndexer', () => this.informer.addIndexers({ [String(step.addIndexer)]: byApp }));
    else if ('setTransform' in step) this.say('setTransform', () => this.informer.setTransform(transforms.mark));
    else if ('setWatchErrorHandler' in step) this.say('setWatchErrorHandler', () => this.informer.setWatchErrorHandler(() => undefined));
    else throw new Error(`an informer cannot ${JSON.stringify(step)}`);
  }

  state(): Readonly<Record<string, unknown>> {
    const storeResourceVersion = this.informer.storeResourceVersion();
    const handlersSynced = Object.fromEntries([...this.registrations].map(([name, registration]) => [name, registration.hasSynced()]));
    return {
      store: this.informer.store.list().map(shortenCached).sort(),
      lastSyncResourceVersion: this.informer.lastSyncResourceVersion(),
      synced: this.informer.hasSynced(),
      ...(storeResourceVersion === '' ? {} : { storeResourceVersion }),
      ...(this.registrations.size === 0 ? {} : { handlersSynced }),
    };
  }

  private addHandler(setup: HandlerSetup): void {
    const handler = new RecordingHandler(setup, this.stage, this.informer, this.journal);
    this.handlers.set(setup.name, handler);
    const resync = setup.resyncMs === undefined ? {} : { resyncMs: setup.resyncMs };
    this.registrations.set(setup.name, this.informer.addEventHandler(handler.listening(), { ...resync, dispatch: handler.dispatch }));
  }

  private removeHandler(name: string): void {
    this.registrations.get(name)?.remove();
    this.registrations.delete(name);
  }

  private index(name: string, value: string): void {
    const found = this.informer.store.byIndex(name, value).map(shortenCached).sort();
    this.journal.note('client', `index ${name}=${value}: ${found.join(' ')}`);
  }

  private say(what: string | undefined, act: () => void): void {
    const prefix = what === undefined ? '' : `${what}: `;
    try {
      act();
      if (what !== undefined) this.journal.note('client', `${prefix}accepted`);
    } catch (error) {
      this.journal.note('client', `${prefix}${(error as Error).message}`);
    }
  }
}

/** An error as a program can tell it apart, its text beside it. */
export function faultOf(error: Error): Record<string, unknown> {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ApiError) return { text: error.message, code: inner.code, reason: inner.reason };
  }
  return { text: error.message };
}
