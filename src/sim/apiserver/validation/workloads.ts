import type { KubeObject } from '../../etcd/object.js';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import {
  amountOf,
  checkAnnotations,
  checkAtMostAll,
  checkImmutable,
  checkIntOrPercent,
  checkLabels,
  checkName,
  checkNonNegative,
  checkSelector,
  checkSelectorChange,
  type Faults,
  type Fields,
  isBlank,
  listOf,
  sameFields,
  shownSelector,
} from './checks.js';
import { checkClaimSpec } from './claims.js';
import { internalForm } from './internal-form.js';
import {
  checkEverlasting,
  checkNotEmpty,
  checkOwnSelector,
  checkPodAnnotations,
  checkTemplate,
  checkTemplateMatches,
} from './pod-templates.js';

export function checkDeployment(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  checkNonNegative(faults, 'spec.replicas', spec.replicas);
  checkSelectorAndTemplate(faults, spec);
  checkDeploymentStrategy(faults, 'spec.strategy', spec.strategy ?? {});
  for (const name of ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds']) {
    checkNonNegative(faults, `spec.${name}`, spec[name]);
  }
  if (spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds <= (spec.minReadySeconds ?? 0)) {
    faults.push(invalidValue('spec.progressDeadlineSeconds', spec.progressDeadlineSeconds, 'must be greater than minReadySeconds'));
  }
  if (stored !== undefined) checkSelectorChange(faults, spec.selector, stored.spec?.selector);
}

export function checkReplicaSet(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  checkNonNegative(faults, 'spec.replicas', spec.replicas);
  checkNonNegative(faults, 'spec.minReadySeconds', spec.minReadySeconds);
  checkSelectorAndTemplate(faults, spec);
  if (stored !== undefined) checkSelectorChange(faults, spec.selector, stored.spec?.selector);
}

/** A Deployment's template is that of its ReplicaSets, and so the server speaks of them. */
function checkSelectorAndTemplate(faults: Faults, spec: Fields): void {
  if (!checkOwnSelector(faults, 'spec.selector', spec.selector, 'deployment')) {
    faults.push(invalidValue('spec.selector', shownSelector(spec.selector), 'invalid label selector'));
    return;
  }
  const template: Fields = spec.template ?? {};
  checkTemplateMatches(faults, 'spec.template', template, spec.selector);
  checkTemplate(faults, 'spec.template', template);
  checkEverlasting(faults, 'spec.template', template, 'ReplicaSet');
}

function checkDeploymentStrategy(faults: Faults, field: string, strategy: Fields): void {
  const at = `${field}.rollingUpdate`;
  switch (strategy.type) {
    case 'Recreate':
      // TK-9
      if (strategy.rollingUpdate !== undefined) {
        faults.push(forbiddenValue(at, "may not be specified when strategy `type` is 'Recreate'"));
      }
      return;
    case 'RollingUpdate': {
      const { maxUnavailable = 0, maxSurge = 0 } = strategy.rollingUpdate ?? {};
      checkIntOrPercent(faults, `${at}.maxUnavailable`, maxUnavailable);
      checkIntOrPercent(faults, `${at}.maxSurge`, maxSurge);
      if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
        faults.push(invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
      }
      checkAtMostAll(faults, `${at}.maxUnavailable`, maxUnavailable);
      return;
    }
    default:
      faults.push(unsupportedValue(field, internalForm('apps.DeploymentStrategy', strategy), ['Recreate', 'RollingUpdate']));
  }
}

export function checkDaemonSet(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  if (stored !== undefined) checkSelectorChange(faults, spec.selector, stored.spec?.selector);
  const before = faults.length;
  checkSelector(faults, 'spec.selector', spec.selector);
  const template: Fields = spec.template ?? {};
  if (faults.length === before) checkTemplateMatches(faults, 'spec.template', template, spec.selector);
  if (spec.selector !== undefined) checkNotEmpty(faults, 'spec.selector', spec.selector, 'daemonset');
  checkTemplate(faults, 'spec.template', template);
  checkEverlasting(faults, 'spec.template', template, 'DaemonSet');
  checkNonNegative(faults, 'spec.minReadySeconds', spec.minReadySeconds);
  checkDaemonSetStrategy(faults, 'spec.updateStrategy', spec.updateStrategy ?? {});
  checkNonNegative(faults, 'spec.revisionHistoryLimit', spec.revisionHistoryLimit);
}

function checkDaemonSetStrategy(faults: Faults, field: string, strategy: Fields): void {
  switch (strategy.type) {
    case 'OnDelete':
      return;
    case 'RollingUpdate': {
      const at = `${field}.rollingUpdate`;
      const { maxUnavailable = 0, maxSurge = 0 } = strategy.rollingUpdate ?? {};
      checkIntOrPercent(faults, `${at}.maxUnavailable`, maxUnavailable);
      checkIntOrPercent(faults, `${at}.maxSurge`, maxSurge);
      checkAtMostAll(faults, `${at}.maxUnavailable`, maxUnavailable);
      checkAtMostAll(faults, `${at}.maxSurge`, maxSurge);
      const unavailable = amountOf(maxUnavailable) !== 0;
      const surge = amountOf(maxSurge) !== 0;
      if (unavailable && surge) {
        faults.push(invalidValue(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
      } else if (!unavailable && !surge) faults.push(requiredValue(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
      return;
    }
    default:
      faults.push(unsupportedValue(field, internalForm('apps.DaemonSetUpdateStrategy', strategy), ['RollingUpdate', 'OnDelete']));
  }
}

export function checkStatefulSet(faults: Faults, { spec = {} }: KubeObject, stored: KubeObject | undefined): void {
  // What was allowed once is not held against a change of something else.
  const known = stored !== undefined;
  checkStatefulSetPolicies(faults, spec);
  if (!known) {
    for (const [index, claim] of listOf(spec.volumeClaimTemplates).entries()) {
      checkClaimSpec(faults, `spec.volumeClaimTemplates[${index}].spec`, claim.spec ?? {});
    }
  }
  checkNonNegative(faults, 'spec.replicas', spec.replicas);
  checkNonNegative(faults, 'spec.minReadySeconds', spec.minReadySeconds);
  checkNonNegative(faults, 'spec.ordinals.start', spec.ordinals?.start);
  if (!known && !isBlank(spec.serviceName)) checkName(faults, 'spec.serviceName', 'label', spec.serviceName);
  const template: Fields = spec.template ?? {};
  if (!checkOwnSelector(faults, 'spec.selector', spec.selector, 'statefulset')) {
    faults.push(invalidValue('spec.selector', shownSelector(spec.selector), ''));
  } else checkStatefulSetTemplate(faults, spec, template);
  checkEverlasting(faults, 'spec.template', template, 'StatefulSet');
  if (known && !sameFields(spec, stored.spec ?? {}, freeFields)) {
    const text =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
    faults.push(forbiddenValue('spec', text));
  }
}

/** TK-10 */
const freeFields = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

function checkStatefulSetPolicies(faults: Faults, spec: Fields): void {
  const { podManagementPolicy, updateStrategy = {}, persistentVolumeClaimRetentionPolicy: retention } = spec;
  if (isBlank(podManagementPolicy)) faults.push(requiredValue('spec.podManagementPolicy'));
  else if (podManagementPolicy !== 'OrderedReady' && podManagementPolicy !== 'Parallel') {
    faults.push(invalidValue('spec.podManagementPolicy', podManagementPolicy, "must be 'OrderedReady' or 'Parallel'"));
  }
  const rolling: Fields | undefined = updateStrategy.rollingUpdate;
  switch (updateStrategy.type) {
    case 'OnDelete':
      if (rolling !== undefined) {
        const shown = internalForm('apps.RollingUpdateStatefulSetStrategy', rolling);
        faults.push(invalidValue('spec.updateStrategy.rollingUpdate', shown, "only allowed for updateStrategy 'RollingUpdate'"));
      }
      break;
    case 'RollingUpdate':
      checkNonNegative(faults, 'spec.updateStrategy.rollingUpdate.partition', rolling?.partition);
      break;
    default: {
      const shown = internalForm('apps.StatefulSetUpdateStrategy', updateStrategy);
      faults.push(invalidValue('spec.updateStrategy', shown, "must be 'RollingUpdate' or 'OnDelete'"));
    }
  }
  for (const when of ['whenDeleted', 'whenScaled']) {
    const policy = retention?.[when];
    if (policy === undefined || policy === 'Retain' || policy === 'Delete') continue;
    faults.push(unsupportedValue(`spec.persistentVolumeClaimRetentionPolicy.${when}`, policy, ['Retain', 'Delete']));
  }
}

/** The claims of a StatefulSet stand in for volumes of their names. */
function checkStatefulSetTemplate(faults: Faults, spec: Fields, template: Fields): void {
  checkTemplateMatches(faults, 'spec.template', template, spec.selector);
  const claims = new Map<string, Fields>();
  for (const { metadata = {} } of listOf(spec.volumeClaimTemplates)) {
    claims.set(metadata.name, { name: metadata.name, persistentVolumeClaim: { claimName: metadata.name } });
  }
  const own = listOf(template.spec?.volumes).filter(({ name }) => !claims.has(name));
  const { hostname: _, subdomain: __, ...rest } = template.spec ?? {};
  const volumes = claims.size === 0 ? template.spec?.volumes : [...claims.values(), ...own];
  checkTemplate(faults, 'spec.template', { ...template, spec: { ...rest, ...(volumes !== undefined && { volumes }) } });
  // The server looks at these twice.
  checkLabels(faults, 'spec.template.labels', template.metadata?.labels);
  checkAnnotations(faults, 'spec.template.annotations', template.metadata?.annotations);
  checkPodAnnotations(faults, 'spec.template.annotations', template.metadata?.annotations, rest);
}

export function checkReplicationController(faults: Faults, { spec = {} }: KubeObject): void {
  checkNonNegative(faults, 'spec.minReadySeconds', spec.minReadySeconds);
  const selector: Readonly<Record<string, string>> = spec.selector ?? {};
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) faults.push(requiredValue('spec.selector'));
  checkNonNegative(faults, 'spec.replicas', spec.replicas);
  if (spec.template === undefined) {
    faults.push(requiredValue('spec.template'));
    return;
  }
  if (!isEmpty) checkTemplateMatches(faults, 'spec.template', spec.template, { matchLabels: selector });
  checkTemplate(faults, 'spec.template', spec.template);
  checkEverlasting(faults, 'spec.template', spec.template, 'ReplicationController');
}

export function checkControllerRevision(faults: Faults, object: KubeObject, stored: KubeObject | undefined): void {
  checkNonNegative(faults, 'revision', object.revision);
  if (stored !== undefined) checkImmutable(faults, 'data', object.data, stored.data);
  else if (object.data === undefined || object.data === null) faults.push(requiredValue('data', 'data is mandatory'));
  else if (typeof object.data !== 'object' || Array.isArray(object.data)) {
    faults.push(requiredValue('data', 'data must be a valid JSON object'));
  }
}
