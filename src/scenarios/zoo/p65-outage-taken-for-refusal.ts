import type { KubeObject } from '../../sim/etcd/object.js';
import { ApiError, ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { ConfigMap } from '../../sim/runtime/built-in-kinds.js';
import { isControlledBy, setControllerReference } from '../../sim/runtime/controllerutil.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import type { Manager } from '../../sim/runtime/manager.js';
import type { ReconcileRequest } from '../../sim/runtime/reconciler.js';
import { validator } from '../../sim/runtime/webhook/admission.js';
import { create, defineScenario } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Page extends ClientObject {
  spec: { text: string };
  status?: { phase: string; why?: string };
}

const Page = defineKind<Page>('sites.example.com/v1', 'Page');

/** The company's rule for ConfigMaps. A webhook of somebody else guards it. */
const policy: KubeObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'policy' },
  webhooks: [
    {
      name: 'policy.example.com',
      clientConfig: { service: { namespace: 'policy', name: 'policy', path: '/validate' } },
      rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

const noSecrets = validator(ConfigMap, {
  validateCreate: ({ data = {} }) => (/password/i.test(data.text ?? '') ? 'a ConfigMap is no place for a password' : undefined),
});

/** Publishes the text of a page; what the policy refuses is said in the status and not tried again. */
async function reconcile({ client }: Manager, request: ReconcileRequest, isRefused: (error: ApiError) => boolean): Promise<void> {
  const page = await client.get(Page, request).catch(ignoreNotFound);
  if (page === undefined || page.metadata.deletionTimestamp !== undefined || page.status?.phase === 'Refused') return;
  const metadata = { name: `page-${request.name}`, namespace: request.namespace };
  const content: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: page.spec.text } };
  setControllerReference(page, content);
  const there = await client.get(ConfigMap, metadata).catch(ignoreNotFound);
  try {
    if (there === undefined || !isControlledBy(there, page)) await client.create(content);
  } catch (error) {
    if (!(error instanceof ApiError) || !isRefused(error)) throw error;
    page.status = { phase: 'Refused', why: error.message };
    await client.status().update(page);
    return;
  }
  if (page.status?.phase === 'Published') return;
  page.status = { phase: 'Published' };
  await client.status().update(page);
}

function scenario(name: string, isRefused: (error: ApiError) => boolean) {
  return defineScenario({
    name,
    crds: [plainCrd(Page)],
    objects: [policy],
    webhooks: { 'policy.policy.svc/validate': noSecrets },
    operators: [
      {
        name: 'page-operator',
        setup(manager) {
          newControllerManagedBy(manager)
            .for(Page)
            .owns(ConfigMap)
            .complete((request) => reconcile(manager, request, isRefused));
        },
      },
    ],
    workload: [create(wish(Page, 'home', { text: 'welcome' })), create(wish(Page, 'secret', { text: 'the password is 1234' }))],
  });
}

/** `failed calling webhook` and `denied the request` both speak of a webhook; only the second is its answer, and has a code below 500. */
export const outageTakenForRefusal: Mistake = {
  id: 'P65',
  title: 'outage of a webhook taken for its refusal',
  property: 'converges',
  broken: scenario('p65-outage-taken-for-refusal', ({ message }) => message.includes('webhook')),
  fixed: scenario('p65-outage-taken-for-refusal-fixed', ({ code, message }) => code < 500 && message.includes('webhook')),
};
