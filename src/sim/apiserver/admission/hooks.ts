import type { KubeObject } from '../../etcd/object.js';
import type { LabelSelector } from '../object-selector.js';
import type { ApiServer } from '../server.js';

/** Which requests a webhook or a policy is for. */
export interface Rule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope?: string;
}

/** Where a webhook listens: exactly one of the two is given. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number };
  /** Base64 */
  readonly caBundle?: string;
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** One entry of `webhooks`, as it is stored. */
export interface Hook {
  readonly name: string;
  readonly clientConfig: ClientConfig;
  readonly rules?: readonly Rule[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions: readonly string[];
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  readonly matchConditions?: readonly MatchCondition[];
}

const mutating = 'mutatingwebhookconfigurations.admissionregistration.k8s.io';
const validating = 'validatingwebhookconfigurations.admissionregistration.k8s.io';
const none: readonly Hook[] = [];

/** AD-2: by the configurations' names, then as they stand in the list. */
export function mutatingHooks(server: ApiServer): readonly Hook[] {
  return hooksOf(server.etcd.list(mutating));
}

export function validatingHooks(server: ApiServer): readonly Hook[] {
  return hooksOf(server.etcd.list(validating));
}

function hooksOf(configurations: readonly KubeObject[]): readonly Hook[] {
  if (configurations.length === 0) return none;
  return configurations.flatMap((configuration) => (configuration.webhooks ?? none) as readonly Hook[]);
}
