import type { JsonValue } from '../etcd/object.js';
import type { Call } from './call.js';
import { decodeObject } from './decode.js';
import { DecodeFault, TypeMismatch } from './decode-fault.js';
import { goPackage } from './kinds.js';
import { type ApiStatusError, goQuote, internalError } from './status.js';

type Document = Readonly<Record<string, JsonValue>>;

/** What a patched custom resource says that it is. @param text the document as Go writes it. @throws ApiStatusError 422, 500 */
export function checkCustomType(document: Document, text: () => string, refuse: (fault: string) => ApiStatusError): void {
  for (const member of ['apiVersion', 'kind']) {
    const value = document[member] ?? '';
    if (typeof value === 'string') continue;
    const fault = new TypeMismatch(value, { field: `.${member}`, type: 'string', kind: 'string' });
    throw refuse(`couldn't get version/kind; json parse error: ${fault.message}`);
  }
  const apiVersion = (document.apiVersion ?? '') as string;
  if (apiVersion.split('/').length > 2) throw refuse(`unexpected GroupVersion string: ${apiVersion}`);
  if (isBlank(document.kind)) throw refuse(`Object 'Kind' is missing in '${text()}'`);
  if (apiVersion === '') throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

/** What a patched object of a built-in kind says that it is: where that is nothing, the endpoint's kind is meant. @throws ApiStatusError 422 */
export function checkBuiltInType({ server, kind }: Call, document: Document, refuse: (fault: string) => ApiStatusError): void {
  const { apiVersion, kind: sentName } = document;
  // Who does not say the kind means the endpoint's.
  const name = isBlank(sentName) ? kind.kind : sentName;
  if (apiVersion === kind.apiVersion && name === kind.kind) return;
  if (isBlank(apiVersion) && typeof name === 'string') {
    if (name === kind.kind) return;
    const fault = `no kind ${goQuote(name)} is registered for the internal version of group ${goQuote(kind.group)}`;
    throw refuse(`${fault} in scheme "pkg/runtime/scheme.go:111"`);
  }
  if (typeof apiVersion !== 'string' || typeof name !== 'string') return;
  if (apiVersion.split('/').length > 2) throw refuse(`unexpected GroupVersion string: ${apiVersion}`);
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
  const other = server.kinds.findKind(group, version, name);
  if (other === undefined) {
    throw refuse(`no kind ${goQuote(name)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
  }
  try {
    decodeObject(other, document);
  } catch (error) {
    throw error instanceof DecodeFault ? refuse(error.message) : error;
  }
  throw refuse(`converting (${version}.${name}) to (${goPackage(kind.group)}.${kind.kind}): unknown conversion`);
}

/** Whether a member says nothing. */
export function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
