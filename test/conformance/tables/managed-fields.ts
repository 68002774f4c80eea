import { parse } from 'yaml';
import { conflictError } from '../../../src/sim/apiserver/managed-fields/conflict.js';
import { decodeEntries, encodeEntries, identityOf, inOrder, type Managed } from '../../../src/sim/apiserver/managed-fields/entries.js';
import { ownersAfterScale, ownersOfScale, type ReplicasPaths } from '../../../src/sim/apiserver/managed-fields/scale.js';
import { fieldElement, PathElementFault, parseElement } from '../../../src/sim/apiserver/structured-merge/path-element.js';
import { Conflicts } from '../../../src/sim/apiserver/structured-merge/updating.js';
import type { ManagedFieldsEntry } from '../../../src/sim/etcd/object.js';
import { file, type Go, rowsOf, type Table } from './data.js';
import { path } from './go-literals.js';
import { difference, type Row, row } from './row.js';

const folder = 'managed-fields';

export function managedFieldsRows(): readonly Row[] {
  return [...roundTrips(), ...identities(), ...orders(), ...elements(), ...conflicts(), ...scales()];
}

function table(name: string, func: string): Table {
  return file(`${folder}/${name}.json`).tables.find((each) => each.func === func) as Table;
}

function managed(entries: readonly ManagedFieldsEntry[]): Managed {
  const decoded = decodeEntries(entries);
  if (decoded === undefined) throw new Error('the entries are not understood');
  return decoded;
}

function roundTrips(): Row[] {
  return (table('internal-managedfields', 'TestRoundTripManagedFields').rows as readonly string[]).map((text, index) =>
    row(`managedfields/round trip ${index}`, () => {
      const entries = (parse(text) ?? []) as readonly ManagedFieldsEntry[];
      return difference(entries, encodeEntries(managed(entries)));
    }),
  );
}

function identities(): Row[] {
  return rowsOf(table('internal-managedfields', 'TestBuildManagerIdentifier')).map(([name, values]) =>
    row(`managedfields/identity ${name}`, () =>
      difference(values.expected, identityOf(parse(String(values.managedFieldsEntry)) as ManagedFieldsEntry)),
    ),
  );
}

/** The rows name times by calls such as `parseTimeOrPanic("2001-01-01T01:00:00Z")`. */
function written(literal: unknown): ManagedFieldsEntry {
  const { Manager, Operation, APIVersion, Time, FieldsType, FieldsV1, Subresource } = literal as Readonly<Record<string, unknown>>;
  const arg = (value: unknown) => ((value as Go).args as readonly unknown[])[0];
  return {
    ...(Manager !== undefined && { manager: String(Manager) }),
    operation: Operation === undefined ? 'Update' : String((Operation as Go).$ref).replace(/^.*Operation/, ''),
    // The rows about order leave out what they are not about.
    apiVersion: String(APIVersion ?? 'v1'),
    ...(Time !== undefined && Time !== null && { time: String((Time as Go).$call === undefined ? (Time as Go).$ref : arg(Time)) }),
    fieldsType: String(FieldsType ?? 'FieldsV1'),
    fieldsV1: FieldsV1 === undefined ? { 'f:x': {} } : JSON.parse(String(arg(FieldsV1))),
    ...(Subresource !== undefined && { subresource: String(Subresource) }),
  };
}

function orders(): Row[] {
  return rowsOf(table('internal-managedfields', 'TestSortEncodedManagedFields')).map(([name, values]) =>
    row(`managedfields/order ${name}`, () => {
      const entries = (list: unknown) => ((list ?? []) as readonly unknown[]).map(written);
      return difference(entries(values.expected), inOrder(entries(values.managedFields)));
    }),
  );
}

function elements(): Row[] {
  const good = (table('internal-pathelement', 'TestPathElementRoundTrip').rows as readonly string[]).map((text) =>
    row(`pathelement/${text}`, () => difference(text, parseElement(text)?.text)),
  );
  const bad = (table('internal-pathelement', 'TestNewPathElementError').rows as readonly string[]).map((text) =>
    row(`pathelement/error ${text}`, () => {
      try {
        return parseElement(text) === undefined ? undefined : `${text} is read`;
      } catch (error) {
        if (error instanceof PathElementFault) return undefined;
        throw error;
      }
    }),
  );
  return [...good, ...bad];
}

/** Identities never hold a time here: the texts that show one cannot come about. */
function conflicts(): Row[] {
  return rowsOf(table('internal-conflict', 'TestNewConflictError')).map(([name, values]) =>
    row(`conflict/${name}`, () => {
      const withoutTime = (text: string) => text.replaceAll(/ at \d{4}-\S+Z/g, '').replaceAll(/,"time":"[^"]*"/g, '');
      const list = (values.conflict as readonly Go[])
        .map((each) => ({ manager: withoutTime(String(each.Manager)), path: path(each.Path) }))
        .sort((a, b) => (a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0));
      const { ErrStatus } = values.expected as { readonly ErrStatus: Go };
      return difference(withoutTime(String(ErrStatus.Message)), conflictError(new Conflicts(list)).status.message);
    }),
  );
}

function scales(): Row[] {
  const replicas = [fieldElement('spec'), fieldElement('replicas')];
  const apps: ReplicasPaths = new Map([['apps/v1', replicas]]);
  const entries = (list: unknown) => ((list ?? []) as readonly unknown[]).map(written);
  const paths = (mappings: unknown): ReplicasPaths =>
    mappings === undefined
      ? apps
      : new Map(
          Object.entries(mappings as Go)
            .filter(([key]) => key !== '$type')
            .map(([key, value]) => [key, value === null ? undefined : path(value)]),
        );
  const version = (literal: unknown) => (literal === undefined ? 'apps/v1' : `${(literal as Go).Group}/${(literal as Go).Version}`);
  return [
    ...rowsOf(table('scalehandler', 'TestTransformManagedFieldsToSubresource')).map(([name, values]) =>
      row(`scalehandler/to scale: ${name}`, () =>
        difference(entries(values.expected), encodeEntries(ownersOfScale(managed(entries(values.input)), apps))),
      ),
    ),
    ...['TestTransformingManagedFieldsToParent', 'TestTransformingManagedFieldsToParentMultiVersion'].flatMap((func) =>
      rowsOf(table('scalehandler', func)).map(([name, values]) =>
        row(`scalehandler/to parent: ${name}`, () => {
          const owners = ownersAfterScale(
            managed(entries(values.parent)),
            managed(entries(values.subresource)),
            paths(values.mappings),
            version(values.groupVersion),
          );
          return difference(encodeEntries(managed(entries(values.expected))), encodeEntries(owners));
        }),
      ),
    ),
  ];
}
