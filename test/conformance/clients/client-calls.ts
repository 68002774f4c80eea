import type { KubeObject } from '../../../src/sim/etcd/object.js';
import { ApiError } from '../../../src/sim/runtime/api-errors.js';
import type { Client } from '../../../src/sim/runtime/client.js';
import { createOrPatch, createOrUpdate } from '../../../src/sim/runtime/controllerutil.js';
import type { ObjectKey } from '../../../src/sim/runtime/kind.js';
import type { Manager } from '../../../src/sim/runtime/manager.js';
import { mergeFrom, type Patch, rawPatch, strategicMergeFrom } from '../../../src/sim/runtime/patch-builder.js';
import { retryOnConflict } from '../../../src/sim/runtime/retry.js';
import { kindOf } from './events-player.js';
import type { Journal } from './journal.js';
import { expand, shorten } from './script.js';

export interface Call {
  readonly do: string;
  readonly resource: string;
  readonly object?: unknown;
  readonly key?: string;
  readonly namespace?: string;
  readonly labels?: string;
  readonly fields?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly as?: string;
  readonly via?: string;
  readonly patch?: string;
  readonly base?: unknown;
  readonly data?: unknown;
  readonly mutate?: Readonly<Record<string, unknown>>;
  readonly subResource?: string;
  readonly fieldOwner?: string;
  readonly dryRun?: boolean;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly force?: boolean;
  readonly propagation?: 'Orphan' | 'Background' | 'Foreground';
  readonly graceSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly show?: boolean;
  readonly type?: 'Normal' | 'Warning';
  readonly reason?: string;
  readonly message?: string;
}

/** Makes the calls of scripts in the background and notes what came of them. */
export class ClientCalls {
  constructor(
    private readonly manager: Manager,
    private readonly unstructured: Client,
    private readonly journal: Journal,
  ) {}

  start(call: Call): void {
    const names = [call.do, call.resource, call.key, call.as === 'typed' ? undefined : call.as, call.via === 'api' ? 'api' : undefined];
    const name = names.filter((part) => part !== undefined).join(' ');
    const object = call.object === undefined ? emptyObject(call) : expand(call.resource, call.object);
    const gives = { value: () => shown(call, object) as unknown };
    this.carryOut(call, object, gives).then(
      () => this.journal.note('calls', { call: name, gives: gives.value() }),
      (error) => this.journal.note('calls', { call: name, error: shownError(error), gives: gives.value() }),
    );
  }

  private async carryOut(call: Call, object: KubeObject, gives: { value: () => unknown }): Promise<void> {
    if (call.as === 'metadata') throw new Error('nobody plays objects that are metadata alone');
    const client = call.as === 'unstructured' ? this.unstructured : this.manager.client;
    const { apiReader } = this.manager;
    const kind = kindOf(call.resource);
    const reader = call.via === 'api' ? apiReader : client;
    const write = writeOptions(call);
    switch (call.do) {
      case 'get': {
        gives.value = () => '';
        const found = await reader.get(kind, keyOf(call.key));
        gives.value = () => shorten(found as KubeObject);
        return;
      }
      case 'list': {
        const { namespace, labels, fields, limit, continue: token } = call;
        gives.value = () => undefined;
        const options = { namespace, labels, fields, limit, continue: token };
        const list = await reader.list(kind, Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)));
        const items = list.items.map((item) => shorten(item as KubeObject));
        gives.value = () => ({ ...list.metadata, items: call.via === 'api' ? items : items.sort() });
        return;
      }
      case 'create':
        await client.create(object, write);
        return;
      case 'update':
        await client.update(object, write);
        return;
      case 'statusUpdate':
        await client.status().update(object, write);
        return;
      case 'subResourceUpdate':
        await client.subResource(call.subResource ?? '').update(object, write);
        return;
      case 'patch':
        await client.patch(object, patchOf(call), write);
        return;
      case 'statusPatch':
        await client.status().patch(object, patchOf(call), write);
        return;
      case 'delete':
        await client.delete(object, deleteOptions(call));
        return;
      case 'deleteAllOf': {
        const { namespace, labels, fields } = call;
        const selected = Object.fromEntries(Object.entries({ namespace, labels, fields }).filter(([, value]) => value !== undefined));
        await client.deleteAllOf(kind, { ...selected, ...deleteOptions(call) });
        return;
      }
      case 'event':
        this.manager.eventRecorderFor('operator').event(object, call.type ?? 'Normal', call.reason ?? '', call.message ?? '');
        return;
      case 'apply':
        await client.apply(object, write);
        return;
      case 'createOrUpdate':
      case 'createOrPatch': {
        let result = 'unchanged';
        gives.value = () => ({ object: shorten(object), result });
        const helper = call.do === 'createOrUpdate' ? createOrUpdate : createOrPatch;
        result = await helper(client, object, () => mergeInto(object, call.mutate ?? {}));
        return;
      }
      case 'retryOnConflict': {
        let tries = 0;
        gives.value = () => ({ tries });
        await retryOnConflict(this.manager, () => {
          tries += 1;
          return client.update(object, write);
        });
        return;
      }
      default:
        throw new Error(`nobody plays a call of ${call.do}`);
    }
  }
}

function emptyObject(call: Call): KubeObject {
  const { namespace, name } = keyOf(call.key);
  return expand(call.resource, { is: namespace ? `${namespace}/${name}` : name });
}

function keyOf(text = ''): ObjectKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

function shown(call: Call, object: KubeObject): unknown {
  if (!call.show) return object.metadata === undefined ? '' : shorten(object);
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  return rest;
}

function shownError(error: unknown): unknown {
  if (error instanceof ApiError) return { code: error.code, reason: error.reason, text: error.message };
  return { text: error instanceof Error ? error.message : String(error) };
}

function writeOptions({ dryRun, fieldOwner, fieldValidation, force }: Call) {
  return {
    ...(dryRun ? { dryRun } : {}),
    ...(fieldOwner === undefined ? {} : { fieldManager: fieldOwner }),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
    ...(force === undefined ? {} : { force }),
  };
}

function deleteOptions({ propagation, graceSeconds, uid, resourceVersion, dryRun }: Call) {
  return {
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
    ...(uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } }),
    ...(dryRun ? { dryRun } : {}),
  };
}

function patchOf(call: Call): Patch {
  switch (call.patch) {
    case 'merge':
      return mergeFrom(expand(call.resource, call.base));
    case 'merge-lock':
      return mergeFrom(expand(call.resource, call.base), { optimisticLock: true });
    case 'apply':
      return { type: 'apply', data: (object) => object };
    case 'strategic':
      return strategicMergeFrom(expand(call.resource, call.base));
    case 'strategic-lock':
      return strategicMergeFrom(expand(call.resource, call.base), { optimisticLock: true });
    case 'json':
      return rawPatch('json', call.data);
    case 'merge-raw':
      return rawPatch('merge', call.data);
    default:
      throw new Error(`nobody plays a patch ${call.patch}`);
  }
}

function mergeInto(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(source)) {
    const inner = target[field];
    if (value === null) delete target[field];
    else if (typeof value === 'object' && !Array.isArray(value) && typeof inner === 'object' && inner !== null) {
      mergeInto(inner as Record<string, unknown>, value as Record<string, unknown>);
    } else target[field] = structuredClone(value);
  }
}
