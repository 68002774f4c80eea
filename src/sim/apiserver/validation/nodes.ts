import type { KubeObject } from '../../etcd/object.js';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../field-errors.js';
import { labelValueFaults } from '../label-syntax.js';
import { checkOption, checkQualifiedName, type Faults, type Fields, isBlank, listOf, textsOf } from './checks.js';
import { internalForm } from './internal-form.js';
import { checkRange } from './ip-addresses.js';
import { checkAmount } from './resources.js';
import { taintEffects } from './scheduling.js';

/** On an update the server looks at taints and amounts twice. */
export function checkNode(faults: Faults, node: KubeObject, stored: KubeObject | undefined): void {
  const spec: Fields = node.spec ?? {};
  checkTaints(faults, listOf(spec.taints));
  checkAmounts(faults, node.status ?? {});
  const ranges = textsOf(spec.podCIDRs);
  for (const [index, range] of ranges.entries()) checkRange(faults, `spec.podCIDRs[${index}]`, range);
  const families = new Set(ranges.map((range) => range.includes(':')));
  if (ranges.length > 2 || (ranges.length === 2 && families.size < 2)) {
    faults.push(invalidValue('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family'));
  }
  if (stored !== undefined) checkNodeChange(faults, node, stored);
}

/** What a write to a node, or to its status, may not do (TK-10). */
export function checkNodeChange(faults: Faults, node: KubeObject, stored: KubeObject): void {
  const spec: Fields = node.spec ?? {};
  checkAmounts(faults, node.status ?? {});
  const addresses = listOf(node.status?.addresses);
  for (const [index, { type = '', address = '' }] of addresses.entries()) {
    const again = addresses.slice(0, index).some((other) => other.type === type && other.address === address);
    if (again) faults.push(duplicateValue(`status.addresses[${index}]`, { Type: type, Address: address }));
  }
  const [before, after] = [textsOf(stored.spec?.podCIDRs), textsOf(spec.podCIDRs)];
  const range = 'node updates may not change podCIDR except from "" to valid';
  if (before.length > 0) {
    if (before.length !== after.length) faults.push(forbiddenValue('spec.podCIDRs', range));
    else for (const [index, old] of before.entries()) if (old !== after[index]) faults.push(forbiddenValue('spec.podCIDRs', range));
  }
  if (!isBlank(stored.spec?.providerID) && stored.spec.providerID !== spec.providerID) {
    faults.push(forbiddenValue('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  checkTaints(faults, listOf(spec.taints));
}

function checkTaints(faults: Faults, taints: readonly Fields[]): void {
  for (const [index, taint] of taints.entries()) {
    const { key = '', value = '', effect = '' } = taint;
    const at = `metadata.taints[${index}]`;
    checkQualifiedName(faults, `${at}.key`, key);
    const texts = labelValueFaults(value);
    if (texts.length > 0) faults.push(invalidValue(`${at}.value`, value, texts.join(';')));
    if (effect === '') faults.push(requiredValue(`${at}.effect`));
    else checkOption(faults, `${at}.effect`, effect, taintEffects);
    if (!taints.slice(0, index).some((other) => other.key === key && other.effect === effect)) continue;
    const fault = duplicateValue(at, internalForm('core.Taint', taint));
    faults.push({ ...fault, message: `${fault.message}: taints must be unique by key and effect pair` });
  }
}

function checkAmounts(faults: Faults, status: Fields): void {
  for (const list of ['capacity', 'allocatable']) {
    for (const [name, amount] of Object.entries((status[list] ?? {}) as Record<string, string>)) {
      checkAmount(faults, `status.${list}.${name}`, name, amount);
    }
  }
}
