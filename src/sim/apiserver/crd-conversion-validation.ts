import { isPem } from './admission/webhook.js';
import type { Conversion } from './crd-spec.js';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from './field-errors.js';
import { dns1035LabelFaults } from './names.js';
import type { StatusCause } from './request.js';
import { webhookServiceFaults, webhookUrlFaults } from './webhook-validation.js';

const path = 'spec.conversion';
const configPath = `${path}.webhookClientConfig`;
const versionsPath = `${path}.conversionReviewVersions`;

/** What the definition as it is stored obliges to. */
export interface ConversionExpectations {
  readonly knownVersion: boolean;
  readonly validCaBundle: boolean;
}

/** CD-46 */
export function conversionFaults(conversion: Conversion | undefined, expectations: ConversionExpectations): StatusCause[] {
  if (conversion === undefined) return [];
  const faults: StatusCause[] = [];
  const { strategy = '', webhook } = conversion;
  if (strategy === '') faults.push(requiredValue(`${path}.strategy`));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    faults.push(unsupportedValue(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy !== 'Webhook') {
    const text = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig !== undefined) faults.push(forbiddenValue(configPath, text));
    if (versions.length > 0) faults.push(forbiddenValue(versionsPath, text));
    return faults;
  }
  const config = webhook?.clientConfig;
  if (config === undefined) faults.push(requiredValue(configPath, 'required when strategy is set to Webhook'));
  else if ((config.url === undefined) === (config.service === undefined)) {
    faults.push(requiredValue(configPath, 'exactly one of url or service is required'));
  } else if (config.url !== undefined) faults.push(...webhookUrlFaults(`${configPath}.url`, config.url));
  else {
    const { name = '', namespace = '', path: urlPath, port = 443 } = config.service ?? {};
    // The server hands over the two names in the wrong order.
    faults.push(...webhookServiceFaults(`${configPath}.service`, name, namespace, urlPath, port));
  }
  if (expectations.validCaBundle && !hasValidCaBundle(conversion)) {
    const text = 'unable to load root certificates: unable to parse bytes as PEM block';
    faults.push(invalidValue(`${configPath}.caBundle`, config?.caBundle, text));
  }
  return [...faults, ...reviewVersionFaults(versions, expectations.knownVersion)];
}

/** Whether the webhook's certificates can be read; none is as good. */
export function hasValidCaBundle(conversion: Conversion | undefined): boolean {
  return isPem(conversion?.webhook?.clientConfig?.caBundle ?? '');
}

function reviewVersionFaults(versions: readonly string[], requireKnown: boolean): StatusCause[] {
  if (versions.length === 0) return [requiredValue(versionsPath)];
  const faults = versions.flatMap((version, index) => {
    const field = `${versionsPath}[${index}]`;
    if (versions.indexOf(version) < index) return [invalidValue(field, version, 'duplicate version')];
    return dns1035LabelFaults(version).map((fault) => invalidValue(field, version, fault));
  });
  if (requireKnown && !versions.some(isKnown)) {
    faults.push(invalidValue(versionsPath, versions, 'must include at least one of v1, v1beta1'));
  }
  return faults;
}

/** Whether a conversion that is stored names a version of the review that the server speaks, or none at all. */
export function acceptsReviewVersion(conversion: Conversion | undefined): boolean {
  const versions = conversion?.webhook?.conversionReviewVersions ?? [];
  return versions.length === 0 || versions.some(isKnown);
}

function isKnown(version: string): boolean {
  return version === 'v1' || version === 'v1beta1';
}
