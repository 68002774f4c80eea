import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { invalidValue, requiredValue, unsupportedValue } from '../field-errors.js';
import { checkName, checkPortNumber, checkQualifiedName, type Faults, type Fields, isBlank, listOf } from './checks.js';
import { protocols } from './container-parts.js';
import { checkAddress, checkReachable, isAddress } from './ip-addresses.js';

/** What is wrong with the subsets of Endpoints; of those that are as they were nothing is asked. */
export function checkEndpoints(faults: Faults, { subsets }: KubeObject, stored: KubeObject | undefined): void {
  const found: Faults = [];
  for (const [index, subset] of listOf(subsets).entries()) checkSubset(found, `subsets[${index}]`, subset);
  if (found.length > 0 && (stored === undefined || !deepEqual(stored.subsets ?? [], subsets ?? []))) faults.push(...found);
}

function checkSubset(faults: Faults, field: string, { addresses, notReadyAddresses, ports }: Fields): void {
  const ready = listOf(addresses);
  const notReady = listOf(notReadyAddresses);
  if (ready.length + notReady.length === 0) faults.push(requiredValue(field, 'must specify `addresses` or `notReadyAddresses`'));
  for (const [index, address] of ready.entries()) checkSubsetAddress(faults, `${field}.addresses[${index}]`, address);
  for (const [index, address] of notReady.entries()) checkSubsetAddress(faults, `${field}.notReadyAddresses[${index}]`, address);
  const all = listOf(ports);
  for (const [index, port] of all.entries()) checkSubsetPort(faults, `${field}.ports[${index}]`, port, all.length > 1);
}

function checkSubsetAddress(faults: Faults, field: string, { ip = '', hostname, nodeName }: Fields): void {
  checkAddress(faults, `${field}.ip`, ip);
  if (!isBlank(hostname)) checkName(faults, `${field}.hostname`, 'label', hostname);
  if (nodeName !== undefined) checkName(faults, `${field}.nodeName`, 'subdomain', nodeName);
  if (isAddress(ip)) checkReachable(faults, `${field}.ip`, ip);
  else faults.push(invalidValue(`${field}.ip`, ip, 'must be a valid IP address'));
}

function checkSubsetPort(faults: Faults, field: string, { name, port = 0, protocol = '', appProtocol }: Fields, isNamed: boolean): void {
  if (isNamed && isBlank(name)) faults.push(requiredValue(`${field}.name`));
  else if (!isBlank(name)) checkName(faults, `${field}.name`, 'label', name);
  checkPortNumber(faults, `${field}.port`, port);
  if (protocol === '') faults.push(requiredValue(`${field}.protocol`));
  else if (!protocols.includes(protocol)) faults.push(unsupportedValue(`${field}.protocol`, protocol, protocols));
  if (appProtocol !== undefined) checkQualifiedName(faults, `${field}.appProtocol`, appProtocol);
}
