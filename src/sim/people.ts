import type { ApiRequest } from './apiserver/request.js';
import type { ApiServer } from './apiserver/server.js';
import { deepCopy, groupVersionOf, type JsonValue, type KubeObject } from './etcd/object.js';
import type { Network } from './network.js';
import type { ObjectTarget, PlannedOp } from './plan.js';
import { errorText } from './runtime/reconciler.js';
import type { UserAct, World } from './world.js';

/** The name of whoever works at the cluster by hand, in call names and in reports. */
export const user = 'a user';

/** The author's code for an act has failed, whatever the cluster does. */
export class ActError extends Error {
  constructor(act: string, cause: unknown) {
    super(`the act \`${act}\` of the scenario failed: ${errorText(cause)}`, { cause });
    this.name = 'ActError';
  }
}

/** What came of an act: done, or why not; or done for nothing, since the cluster is as it was. */
export type ActResult = { readonly done: true; readonly why?: 'it changed nothing' } | { readonly done: false; readonly why: string };

/** People at the cluster: the workload's steps, and the acts that a plan adds. */
export class People {
  readonly #network: Network;
  readonly #server: ApiServer;
  readonly #acts: World['acts'];
  /** Objects that people made, in order: the roots that a run cleans up at its end. */
  readonly #made: ObjectTarget[] = [];

  constructor(network: Network, server: ApiServer, acts: World['acts']) {
    this.#network = network;
    this.#server = server;
    this.#acts = acts;
  }

  /** What people made and still exists. */
  roots(): readonly ObjectTarget[] {
    return this.#made.filter((target) => this.#server.etcd.get(target) !== undefined);
  }

  /** Does an act of the workload or of the scenario. */
  act(act: UserAct): ActResult {
    switch (act.kind) {
      case 'create':
        return this.#create(act.object);
      case 'edit':
        return this.#edit(act);
      case 'delete':
        return this.#delete(act.target, act.propagationPolicy);
    }
  }

  /** Does an act that a plan adds. */
  perform(op: PlannedOp): ActResult {
    const own = Object.hasOwn(this.#acts, op.op) ? this.#acts[op.op] : undefined;
    if (own !== undefined) return this.act(ofAuthor(op.op, () => own((op.args ?? null) as JsonValue)));
    const target = op.target;
    if (target === undefined) return { done: false, why: `${op.op} has no target` };
    const stored = this.#server.etcd.get(target);
    if (stored === undefined) return { done: false, why: 'the object is not there' };
    switch (op.op) {
      case 'delete':
        return this.#delete(target);
      case 'touch':
        return this.#network.touch(user, { verb: 'patch', ...this.#address(target) })
          ? { done: true }
          : { done: false, why: 'the edit was refused' };
      case 'recreate':
        return this.#recreate(target, stored);
      default:
        return { done: false, why: `there is no act ${op.op}` };
    }
  }

  /** Deletes the object and, once it is gone, makes it anew under the same name: a new uid, the same wishes. */
  #recreate(target: ObjectTarget, stored: KubeObject): ActResult {
    const deleted = this.#delete(target);
    if (!deleted.done) return deleted;
    const { name, namespace, labels, annotations } = stored.metadata;
    const metadata = {
      name: name ?? '',
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    };
    const { status: _, ...wishes } = stored;
    return this.#create({ ...wishes, metadata });
  }

  #create(object: KubeObject): ActResult {
    const kind = this.#kindOf(object);
    const namespace = kind.namespaced ? (object.metadata.namespace ?? 'default') : '';
    const place = { group: kind.group, version: kind.version, resource: kind.plural, ...(namespace === '' ? {} : { namespace }) };
    const answer = this.#send({ verb: 'create', ...place, body: object });
    if (answer.code !== 201) return refused(answer);
    const name = (answer.body as KubeObject).metadata.name ?? '';
    if (!this.#made.some((each) => each.resource === kind.resource && each.namespace === namespace && each.name === name))
      this.#made.push({ resource: kind.resource, namespace, name });
    return { done: true };
  }

  #edit(act: Extract<UserAct, { kind: 'edit' }>): ActResult {
    const stored = this.#server.etcd.get(act.target);
    if (stored === undefined) return { done: false, why: 'the object is not there' };
    const object = deepCopy(stored);
    ofAuthor(`edit ${act.target.resource} ${act.target.name}`, () => act.recipe(object));
    const subresource = act.subresource === undefined ? {} : { subresource: act.subresource };
    const answer = this.#send({ verb: 'update', ...this.#address(act.target), ...subresource, body: object });
    return answer.code === 200 ? done(answer) : refused(answer);
  }

  #delete(target: ObjectTarget, propagationPolicy?: string): ActResult {
    if (this.#server.etcd.get(target) === undefined) return { done: false, why: 'the object is not there' };
    const body = propagationPolicy === undefined ? {} : { body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy } };
    const answer = this.#send({ verb: 'delete', ...this.#address(target), ...body });
    return answer.code === 200 || answer.code === 202 ? done(answer) : refused(answer);
  }

  #send(request: ApiRequest): Reply {
    const { etcd } = this.#server;
    const before = etcd.revision;
    const { code, body } = this.#network.immediately(user, request).response;
    return { code, body, changed: etcd.revision !== before };
  }

  #kindOf(object: KubeObject) {
    const { group, version } = groupVersionOf(object.apiVersion ?? '');
    const kind = this.#server.kinds.findKind(group, version, object.kind ?? '');
    if (kind === undefined)
      throw new ActError(
        `create ${object.kind}`,
        new Error(`there is no kind ${object.kind} in ${object.apiVersion}: install its CustomResourceDefinition in the scenario's crds`),
      );
    return kind;
  }

  /** Where requests about an object that exists go: its kind in the version that it is stored in. */
  #address(target: ObjectTarget): Pick<ApiRequest, 'group' | 'version' | 'resource' | 'namespace' | 'name'> & { readonly name: string } {
    const kind = this.#kindOf(this.#server.etcd.get(target) as KubeObject);
    const namespace = target.namespace === '' ? {} : { namespace: target.namespace };
    return { group: kind.group, version: kind.version, resource: kind.plural, name: target.name, ...namespace };
  }
}

/** What the server said to a person, and whether the cluster is another one since. */
interface Reply {
  readonly code: number;
  readonly body: unknown;
  readonly changed: boolean;
}

function done({ changed }: Reply): ActResult {
  return changed ? { done: true } : { done: true, why: 'it changed nothing' };
}

function refused({ code, body }: Reply): ActResult {
  const words = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : `code ${code}`;
  return { done: false, why: `the server refused it: ${words}` };
}

/** Runs code of the scenario's author. @throws ActError */
function ofAuthor<T>(act: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new ActError(act, error);
  }
}
