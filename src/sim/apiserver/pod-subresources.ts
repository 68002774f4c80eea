import { admitPosted } from './admission/posted.js';
import type { Call } from './call.js';
import { decodeBody } from './decode.js';
import { requiredValue } from './field-errors.js';
import { type KindInfo, keyOf } from './kinds.js';
import { writeOptions } from './options.js';
import { withPodCondition } from './pod-condition.js';
import type { ApiResponse, Status } from './request.js';
import { conflict, invalid, notFound } from './status.js';
import { store } from './store.js';

/** What the server answers to a binding or an eviction. */
export const created: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** POST of `pods/x/binding`, or of `bindings`: what a scheduler does (TK-8, TK-11). @throws ApiStatusError */
export function bind(call: Call): ApiResponse {
  const { server, request } = call;
  const options = writeOptions(request, 'CreateOptions');
  const pods = server.kinds.find('', 'v1', 'pods') as KindInfo;
  const ofKind = bodyKind(pods, '', 'v1', 'Binding');
  const binding = admitPosted(call, options, ofKind, decodeBody({ ...call, kind: ofKind }, options));
  const name = request.name ?? binding.metadata.name ?? '';
  const node = binding.target?.name;
  if (typeof node !== 'string' || node === '') throw invalid({ kind: 'Binding', group: '' }, name, [requiredValue('target.name')]);
  const key = keyOf(pods, request.namespace, name);
  const pod = server.etcd.get(key);
  if (pod === undefined) throw notFound(pods, name);
  const refuse = (text: string) => conflict({ group: '', kind: 'Binding', plural: 'pods/binding', resource: 'pods/binding' }, name, text);
  if (pod.metadata.deletionTimestamp !== undefined) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec?.nodeName) throw refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  const bound = withPodCondition(
    { ...pod, spec: { ...pod.spec, nodeName: node } },
    { type: 'PodScheduled', status: 'True' },
    server.environment.nowMs(),
  );
  if (!options.dryRun) store(server, key, bound);
  return { code: 201, body: created };
}

/** The kind of a body that is posted to another object's subresource. */
export function bodyKind(parent: KindInfo, group: string, version: string, kind: string): KindInfo {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { ...parent, group, version, apiVersion, kind, plural: `${kind.toLowerCase()}s`, resource: `${kind.toLowerCase()}s` };
}
