import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { goTypeOf } from '../decode-fault.js';
import { forbiddenValue, invalidValue, requiredValue, tooLong } from '../field-errors.js';
import { parseGoJson } from '../go-json.js';
import { isObject } from '../json.js';
import { checkImmutable, configKeyFaults, type Faults, invalidFor } from './checks.js';

const maximumData = 1_048_576;
type Data = Readonly<Record<string, string>>;

export function checkConfigMap(faults: Faults, object: KubeObject, stored: KubeObject | undefined): void {
  checkFrozen(faults, object, stored, ['data', 'binaryData']);
  const data: Data = object.data ?? {};
  const binary: Data = object.binaryData ?? {};
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    invalidFor(faults, `data[${key}]`, key, configKeyFaults(key));
    if (Object.hasOwn(binary, key)) faults.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binary)) {
    invalidFor(faults, `binaryData[${key}]`, key, configKeyFaults(key));
    size += decodedSize(value);
  }
  // FE-6
  if (size > maximumData) faults.push(tooLong('[]', maximumData));
}

export function checkSecret(faults: Faults, object: KubeObject, stored: KubeObject | undefined): void {
  if (stored !== undefined) checkImmutable(faults, 'type', object.type, stored.type);
  checkFrozen(faults, object, stored, ['data']);
  const data: Data = object.data ?? {};
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    invalidFor(faults, `data[${key}]`, key, configKeyFaults(key));
    size += decodedSize(value);
  }
  if (size > maximumData) faults.push(tooLong('data', maximumData));
  checkOfType(faults, object, data);
}

/** TK-10 */
function checkFrozen(faults: Faults, object: KubeObject, stored: KubeObject | undefined, fields: readonly string[]): void {
  if (stored?.immutable !== true) return;
  const text = 'field is immutable when `immutable` is set';
  if (object.immutable !== true) faults.push(forbiddenValue('immutable', text));
  for (const field of fields) if (!deepEqual(object[field], stored[field])) faults.push(forbiddenValue(field, text));
}

/** The bytes that base64 stands for. */
function decodedSize(text: string): number {
  return (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
}

/** What a Secret must hold to be of its type. */
function checkOfType(faults: Faults, { type, metadata }: KubeObject, data: Data): void {
  const need = (key: string) => {
    if (data[key] === undefined) faults.push(requiredValue(`data[${key}]`));
  };
  switch (type) {
    case 'kubernetes.io/service-account-token':
      if (!metadata.annotations?.['kubernetes.io/service-account.name']) {
        faults.push(requiredValue('metadata.annotations[kubernetes.io/service-account.name]'));
      }
      return;
    case 'kubernetes.io/dockercfg':
      checkDocker(faults, '.dockercfg', data);
      return;
    case 'kubernetes.io/dockerconfigjson':
      checkDocker(faults, '.dockerconfigjson', data);
      return;
    case 'kubernetes.io/basic-auth':
      if (data.username !== undefined || data.password !== undefined) return;
      need('username');
      need('password');
      return;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) faults.push(requiredValue('data[ssh-privatekey]'));
      return;
    case 'kubernetes.io/tls':
      need('tls.crt');
      need('tls.key');
  }
}

function checkDocker(faults: Faults, key: string, data: Data): void {
  const value = data[key];
  if (value === undefined) {
    faults.push(requiredValue(`data[${key}]`));
    return;
  }
  const fault = jsonObjectFault(Buffer.from(value, 'base64').toString());
  if (fault !== undefined) faults.push(invalidValue(`data[${key}]`, '<secret contents redacted>', fault));
}

/** Why a text is no JSON object, in Go's words. */
function jsonObjectFault(text: string): string | undefined {
  const read = parseGoJson(text);
  if ('fault' in read) return read.fault;
  if (read.value === null || isObject(read.value)) return undefined;
  return `json: cannot unmarshal ${goTypeOf(read.value)} into Go value of type map[string]interface {}`;
}
