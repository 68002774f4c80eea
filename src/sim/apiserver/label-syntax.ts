const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const NAME_FAULT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_FAULT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN_FAULT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** What is wrong with a label or annotation key, in the server's words; empty when nothing is. */
export function qualifiedNameFaults(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${NAME_FAULT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const faults: string[] = [];
  const name = parts[parts.length - 1] as string;
  if (parts.length === 2) {
    const prefix = parts[0] as string;
    if (prefix === '') faults.push('prefix part must be non-empty');
    else {
      if (prefix.length > 253) faults.push('prefix part must be no more than 253 bytes');
      if (!SUBDOMAIN.test(prefix)) faults.push(`prefix part ${SUBDOMAIN_FAULT}`);
    }
  }
  if (name === '') faults.push('name part must be non-empty');
  else if (name.length > 63) faults.push('name part must be no more than 63 bytes');
  if (!NAME.test(name)) faults.push(`name part ${NAME_FAULT}`);
  return faults;
}

/** What is wrong with the value of a label. */
export function labelValueFaults(value: string): string[] {
  const faults: string[] = [];
  if (value.length > 63) faults.push('must be no more than 63 bytes');
  if (!VALUE.test(value)) faults.push(VALUE_FAULT);
  return faults;
}
