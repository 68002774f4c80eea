import type { KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { type Change, type Look, startLevelController } from './level-controller.js';
import { about, serviceAccounts } from './requests.js';
import { answeredWith, isNamespaceTerminating, type Sync } from './sync.js';

/** Sees to it that every namespace has its ServiceAccount `default`. */
export function startServiceAccountController(host: Host, feed: ObjectFeed): void {
  startLevelController(host, feed, {
    name: 'service-account-controller',
    resource: 'namespaces',
    related: {
      serviceaccounts: ({ type, object }: Change) =>
        type === 'DELETED' && object.metadata.name === 'default' ? [object.metadata.namespace ?? ''] : [],
    },
    sync,
  });
}

function* sync(name: string, { view }: Look): Sync {
  if (view.get('namespaces', name)?.status?.phase !== 'Active' || view.get('serviceaccounts', `${name}/default`) !== undefined) return;
  const account: KubeObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } };
  try {
    yield about('create', serviceAccounts, account, account);
  } catch (error) {
    if (!answeredWith(error, 409) && !isNamespaceTerminating(error)) throw error;
  }
}
