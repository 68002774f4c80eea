import type { KubeObject } from '../../etcd/object.js';
import { each, fill, within } from '../fill.js';

type Fields = Readonly<Record<string, unknown>>;

/** AD-27, AD-29: what the server fills in when a webhook's configuration is decoded. */
export function webhooksWithDefaults(configuration: KubeObject, mutating: boolean): KubeObject {
  return within(configuration, 'webhooks', (webhooks: readonly Fields[]) =>
    each(webhooks, (webhook) => {
      const filled = fill(webhook, {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        ...(mutating && { reinvocationPolicy: 'Never' }),
      });
      const ruled = within(filled, 'rules', scoped);
      return within(ruled, 'clientConfig', (config: Fields) =>
        within(config, 'service', (service: Fields) => fill(service, { port: 443 })),
      );
    }),
  );
}

/** The same for an admission policy, and for a binding, which need not say what it is about. */
export function policyWithDefaults(policy: KubeObject): KubeObject {
  return within(policy, 'spec', (spec: Fields) => within(fill(spec, { failurePolicy: 'Fail' }), 'matchConstraints', constraints));
}

export function bindingWithDefaults(binding: KubeObject): KubeObject {
  return within(binding, 'spec', (spec: Fields) => within(spec, 'matchResources', constraints));
}

function constraints(match: Fields): Fields {
  const filled = fill(match, { namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Equivalent' });
  return within(within(filled, 'resourceRules', scoped), 'excludeResourceRules', scoped);
}

function scoped(rules: readonly Fields[]): readonly Fields[] {
  return each(rules, (rule) => fill(rule, { scope: '*' }));
}
