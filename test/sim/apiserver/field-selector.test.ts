import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkFields, matchesFields, parseFieldSelector } from '../../../src/sim/apiserver/field-selector.js';
import { type KindInfo, Kinds } from '../../../src/sim/apiserver/kinds.js';

const file = new URL('../../conformance/data/selectors/fields.json', import.meta.url);
const { tables } = JSON.parse(readFileSync(file, 'utf8')) as { tables: { var: string; rows: never[] }[] };
const rowsOf = (name: string): readonly string[] => tables.find((table) => table.var === name)?.rows ?? [];

const kinds = new Kinds();
const pods = kinds.find('', 'v1', 'pods') as KindInfo;
const configMaps = kinds.find('', 'v1', 'configmaps') as KindInfo;

describe('reading field selectors', () => {
  it.each(rowsOf('testGoodStrings'))('reads %j', (text) => expect(() => parseFieldSelector(text)).not.toThrow());
  it.each(rowsOf('testBadStrings'))('refuses %j', (text) => expect(() => parseFieldSelector(text)).toThrow());

  it('takes escapes out of values and keeps blanks', () => {
    expect(parseFieldSelector('a=x\\,y\\=z\\\\ ')).toEqual([{ field: 'a', equal: true, value: 'x,y=z\\ ' }]);
  });

  it('refuses a field that the kind has not, in the words for that kind (LW-10)', () => {
    expect(() => checkFields(pods, parseFieldSelector('status.hostIP=x'))).toThrow('field label not supported: status.hostIP');
    expect(() => checkFields(configMaps, parseFieldSelector('data.k=x'))).toThrow(
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });
});

describe('matching fields', () => {
  const pod = { kind: 'Pod', metadata: { name: 'p', namespace: 'n' }, spec: {}, status: { phase: 'Running', podIPs: [{ ip: '1.2.3.4' }] } };
  const matches = (selector: string) => matchesFields(pods, parseFieldSelector(selector), pod);

  it('takes an absent field for an empty one', () => {
    expect(matches('spec.nodeName=')).toBe(true);
    expect(matches('spec.nodeName!=')).toBe(false);
  });

  it('wants all of its conditions', () => {
    expect(matches('status.phase=Running,metadata.name=p')).toBe(true);
    expect(matches('status.phase=Running,metadata.name=q')).toBe(false);
    expect(matches('metadata.name=p,metadata.name=q')).toBe(false);
  });

  it('never matches an address in podIPs', () => {
    expect(matches('status.podIPs=1.2.3.4')).toBe(false);
  });
});
