import { deepEqual, type KubeObject } from '../etcd/object.js';
import type { Host, ObjectFeed } from '../host.js';
import { type Change, type Look, startLevelController } from './level-controller.js';
import { about, configMaps } from './requests.js';
import { isNamespaceTerminating, type Sync } from './sync.js';

const configMapName = 'kube-root-ca.crt';
const descriptionAnnotation = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';
/** A certificate that nobody here ever checks. */
const data = { 'ca.crt': '-----BEGIN CERTIFICATE-----\nc2VhdHJpYWw=\n-----END CERTIFICATE-----\n' };

/** Sees to it that every namespace has the ConfigMap `kube-root-ca.crt`, with nothing but the certificate in it. */
export function startRootCaPublisher(host: Host, feed: ObjectFeed): void {
  startLevelController(host, feed, {
    name: 'root-ca-cert-publisher',
    resource: 'namespaces',
    related: { configmaps: ({ object }: Change) => (object.metadata.name === configMapName ? [object.metadata.namespace ?? ''] : []) },
    sync,
  });
}

function* sync(name: string, { view }: Look): Sync {
  if (view.get('namespaces', name)?.status?.phase !== 'Active') return;
  const found = view.get('configmaps', `${name}/${configMapName}`);
  if (found !== undefined) {
    const { annotations } = found.metadata;
    if (deepEqual(found.data, data) && (annotations?.[descriptionAnnotation] ?? '') !== '') return;
    const metadata = { ...found.metadata, annotations: { ...annotations, [descriptionAnnotation]: description } };
    yield about('update', configMaps, found, { ...found, metadata, data });
    return;
  }
  const metadata = { name: configMapName, namespace: name, annotations: { [descriptionAnnotation]: description } };
  const made: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  try {
    yield about('create', configMaps, made, made);
  } catch (error) {
    if (!isNamespaceTerminating(error)) throw error;
  }
}
