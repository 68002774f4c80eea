import type { CrdNames } from './crd.js';
import { invalidValue } from './field-errors.js';
import { dns1035LabelFaults } from './names.js';
import type { StatusCause } from './request.js';

/** What is wrong with the names of a kind, as wanted or as accepted. Missing ones are somebody else's business. */
export function namesFaults(names: Partial<CrdNames>, path: string): StatusCause[] {
  const { kind = '', listKind = '', shortNames = [], categories = [] } = names;
  const faults: StatusCause[] = [];
  const label = (field: string, name: string | undefined, checked = name, prefix = '') => {
    if (name === undefined || checked === undefined || name === '') return;
    const wrong = dns1035LabelFaults(checked);
    if (wrong.length > 0) faults.push(invalidValue(`${path}.${field}`, name, prefix + wrong.join(',')));
  };
  const mixed = 'may have mixed case, but should otherwise match: ';
  label('plural', names.plural);
  label('singular', names.singular);
  label('kind', kind, kind.toLowerCase(), mixed);
  label('listKind', listKind, listKind.toLowerCase(), mixed);
  for (const [index, name] of shortNames.entries()) labelOrEmpty(`shortNames[${index}]`, name);
  if (kind !== '' && kind === listKind) {
    faults.push(invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same'));
  }
  for (const [index, name] of categories.entries()) labelOrEmpty(`categories[${index}]`, name);
  return faults;

  function labelOrEmpty(field: string, name: string): void {
    const wrong = dns1035LabelFaults(name);
    if (wrong.length > 0) faults.push(invalidValue(`${path}.${field}`, name, wrong.join(',')));
  }
}
