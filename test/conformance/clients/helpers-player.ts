import {
  AlreadyOwnedError,
  hasControllerReference,
  hasOwnerReference,
  isControlledBy,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from '../../../src/sim/runtime/controllerutil.js';
import type { ClientObject } from '../../../src/sim/runtime/kind.js';
import { type Backoff, BackoffSteps, onError } from '../../../src/sim/runtime/retry.js';
import { Journal } from './journal.js';
import { type Client, playSteps } from './play.js';
import { expand, type Player, type Step } from './script.js';
import { Stage } from './stage.js';

export const play: Player = (script) => {
  const journal = new Journal(script.anyOrder);
  return playSteps(script, new Stage(script, journal), journal, new HelpersClient(journal));
};

const changes: Readonly<Record<string, (owner: ClientObject, object: ClientObject, options: object) => void>> = {
  setControllerReference,
  setOwnerReference,
  removeOwnerReference,
  removeControllerReference,
};

const questions: Readonly<Record<string, (object: ClientObject, owner: ClientObject) => boolean>> = {
  hasOwnerReference,
  hasControllerReference,
  isControlledBy,
};

interface Call {
  readonly ownerResource: string;
  readonly owner: unknown;
  readonly resource: string;
  readonly object: unknown;
  readonly blockOwnerDeletion?: boolean;
}

/** Calls helper functions, without any server. */
class HelpersClient implements Client {
  constructor(private readonly journal: Journal) {}

  async do(step: Step): Promise<void> {
    if (step.backoff) this.journal.note('gives', await triesOf(step.backoff as Backoff & { take: number }));
    else for (const [name, call] of Object.entries(step)) if (name !== 'note') this.journal.note('gives', this.call(name, call as Call));
  }

  state(): Readonly<Record<string, unknown>> {
    return {};
  }

  private call(name: string, { ownerResource, owner: shortOwner, resource, object: shortObject, ...options }: Call): unknown {
    const owner = expand(ownerResource, shortOwner);
    const object = expand(resource, shortObject);
    const question = questions[name];
    if (question !== undefined) return { says: question(object, owner) };
    const change = changes[name];
    if (change === undefined) throw new Error(`there is no helper ${JSON.stringify(name)}`);
    let failure = {};
    try {
      change(owner, object, options);
    } catch (error) {
      failure = { alreadyOwned: error instanceof AlreadyOwnedError, error: goText((error as Error).message) };
    }
    return { ...failure, ownerReferences: object.metadata.ownerReferences ?? null };
  }
}

/** Go's texts name its own types where ours name kinds. */
function goText(message: string): string {
  if (!/owner reference|controller reference/.test(message)) return message;
  return message.replace(/\bConfigMap\b/g, '*v1.ConfigMap').replace(/\bWidget\b/g, '*widget.Widget');
}

async function triesOf({ take, ...backoff }: Backoff & { take: number }): Promise<unknown> {
  const steps = new BackoffSteps({ ...backoff, jitter: 0 }, () => 0);
  const stepsMs = Array.from({ length: take }, () => steps.next());
  let tries = 0;
  let error = '';
  const clock = { nowMs: () => 0, sleep: () => Promise.resolve(), random: () => 0 };
  const attempt = () => {
    tries += 1;
    return Promise.reject(new Error('timed out waiting for the condition'));
  };
  await onError(clock, { ...backoff, jitter: 0 }, () => true, attempt).catch((last) => {
    error = last.message;
  });
  return { error, stepsMs, triesOfExponentialBackoff: tries };
}
