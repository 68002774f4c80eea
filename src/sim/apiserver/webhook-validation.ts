import { invalidValue, requiredValue } from './field-errors.js';
import { nameFaults } from './names.js';
import type { StatusCause } from './request.js';

const form = '; desired format: https://host[/path]';

/** What is wrong with the address of a webhook. */
export function webhookUrlFaults(field: string, text: string): StatusCause[] {
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
  if (match === null) return [requiredValue(field, `url must be a valid URL: parse "${text}": invalid URI${form}`)];
  const [, scheme = '', user, host = '', , query = '', fragment = ''] = match;
  const faults: StatusCause[] = [];
  if (scheme.toLowerCase() !== 'https') faults.push(invalidValue(field, scheme, `'https' is the only allowed URL scheme${form}`));
  if (host === '') faults.push(invalidValue(field, host, `host must be specified${form}`));
  if (user !== undefined) faults.push(invalidValue(field, user, 'user information is not permitted in the URL'));
  if (fragment !== '') faults.push(invalidValue(field, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') faults.push(invalidValue(field, query, 'query parameters are not permitted in the URL'));
  return faults;
}

/** What is wrong with the service that a webhook is reached by. */
export function webhookServiceFaults(
  field: string,
  namespace: string,
  name: string,
  path: string | undefined,
  port: number,
): StatusCause[] {
  const faults: StatusCause[] = [];
  if (name === '') faults.push(requiredValue(`${field}.name`));
  if (namespace === '') faults.push(requiredValue(`${field}.namespace`));
  if (port < 1 || port > 65535) {
    faults.push(invalidValue(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  if (path === undefined || path === '' || path === '/') return faults;
  const wrong = (detail: string) => faults.push(invalidValue(`${field}.path`, path, detail));
  if (path === '//') {
    wrong('segment[0] may not be empty');
    return faults;
  }
  if (!path.startsWith('/')) wrong("must start with a '/'");
  for (const [index, step] of path.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (step === '') wrong(`segment[${index}] may not be empty`);
    else for (const fault of nameFaults('subdomain', step)) wrong(`segment[${index}]: ${fault}`);
  }
  return faults;
}
