import type { NameRule } from './kind-facts.js';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

const subdomainFault =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelFault =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const RELAXED_SUBDOMAIN = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;
const relaxedSubdomainFault =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

/** The letters of generated names: no vowels, and nothing that looks like another letter (CR-5). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestBase = 58;

/** What is wrong with a name, in the server's words (CR-7); empty when nothing is. */
export function nameFaults(rule: NameRule, name: string): string[] {
  switch (rule) {
    case 'subdomain':
      return faults(name, 253, SUBDOMAIN, subdomainFault);
    case 'subdomain52':
      return [...faults(name, 253, SUBDOMAIN, subdomainFault), ...(name.length > 52 ? ['must be no more than 52 characters'] : [])];
    case 'label':
      // Of a name that is a good subdomain only the dots can be wrong.
      return faults(name, 63, LABEL, SUBDOMAIN.test(name) ? 'must not contain dots' : labelFault);
    case 'path segment':
      return pathSegmentFaults(name);
  }
}

/** What is wrong with a subdomain whose labels may have underscores, as a search path of DNS may. */
export function relaxedSubdomainFaults(name: string): string[] {
  return faults(name, 253, RELAXED_SUBDOMAIN, relaxedSubdomainFault);
}

const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const label1035Fault =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** What is wrong with a name that must begin with a letter, such as a version's or a plural. */
export function dns1035LabelFaults(name: string): string[] {
  return [...(name.length > 63 ? ['must be no more than 63 bytes'] : []), ...(LABEL_1035.test(name) ? [] : [label1035Fault])];
}

/** A generateName is checked like a name, but may end in a dash (CR-5): Go puts a letter in the place of its last two. */
export function generateNameFaults(rule: NameRule, base: string): string[] {
  return nameFaults(rule, base.length > 1 && base.endsWith('-') ? `${base.slice(0, -2)}a` : base);
}

/** A name from a base and a number in [0, 1) (CR-5). */
export function generatedName(base: string, random: number): string {
  let rest = Math.floor(random * alphabet.length ** suffixLength);
  let suffix = '';
  for (let index = 0; index < suffixLength; index++) {
    suffix += alphabet[rest % alphabet.length];
    rest = Math.floor(rest / alphabet.length);
  }
  return base.slice(0, longestBase) + suffix;
}

function faults(name: string, maximum: number, syntax: RegExp, syntaxFault: string): string[] {
  const found: string[] = [];
  if (name.length > maximum) found.push(`must be no more than ${maximum} characters`);
  if (!syntax.test(name)) found.push(syntaxFault);
  return found;
}

function pathSegmentFaults(name: string): string[] {
  if (name === '.') return ["may not be '.'"];
  if (name === '..') return ["may not be '..'"];
  return ['/', '%'].filter((forbidden) => name.includes(forbidden)).map((forbidden) => `may not contain '${forbidden}'`);
}
