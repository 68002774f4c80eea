import { type KindInfo, Kinds } from '../../../src/sim/apiserver/kinds.js';
import { labelValueFaults, qualifiedNameFaults } from '../../../src/sim/apiserver/label-syntax.js';
import { inTold, metadataFaultsOnUpdate, metadataSyntaxFaults } from '../../../src/sim/apiserver/metadata-validation.js';
import { dns1035LabelFaults, nameFaults } from '../../../src/sim/apiserver/names.js';
import { dryRunCauses } from '../../../src/sim/apiserver/options.js';
import type { StatusCause } from '../../../src/sim/apiserver/request.js';
import {
  checkIntOrPercent,
  checkPortNumber,
  checkSelector,
  configKeyFaults,
  envNameFaults,
  portNameFaults,
} from '../../../src/sim/apiserver/validation/checks.js';
import { checkProbe } from '../../../src/sim/apiserver/validation/handlers.js';
import { checkIngress, checkIngressClass } from '../../../src/sim/apiserver/validation/networking.js';
import type { ObjectMeta } from '../../../src/sim/etcd/object.js';
import { AServer } from '../../sim/apiserver/a-server.js';
import { file, type Go, rowsOf, type Table } from './data.js';
import { evaluate, withJsonNames } from './go-constants.js';
import { type Row, row } from './row.js';

type Faults = readonly unknown[];

/** What is wrong with a value, by the name of the Go test about it. */
const checks: Readonly<Record<string, (value: never) => Faults>> = {
  TestIsDNS1123Label: (value: string) => nameFaults('label', value),
  TestIsDNS1123Subdomain: (value: string) => nameFaults('subdomain', value),
  TestIsDNS1035Label: dns1035LabelFaults,
  TestIsValidPortNum: (port: number) => found((faults) => checkPortNumber(faults, 'port', port)),
  TestIsValidPortName: portNameFaults,
  TestIsQualifiedName: qualifiedNameFaults,
  TestIsValidLabelValue: labelValueFaults,
  TestIsHTTPHeaderName: (name: string) => found((faults) => checkProbe(faults, '', 'readinessProbe', probe(name), 30)),
  TestIsValidPercent: (value: string) => found((faults) => checkIntOrPercent(faults, 'value', value)),
  TestIsConfigMapKey: configKeyFaults,
  TestIsWildcardDNS1123Subdomain: (host: string) => found((faults) => checkIngress(faults, ingress(host), undefined)),
  TestIsFullyQualifiedName: (name: string) => refusals('validatingwebhookconfigurations', webhooks(name)),
  TestIsDomainPrefixedPath: (controller: string) =>
    found((faults) => checkIngressClass(faults, { metadata: { name: 'a' }, spec: { controller } }, undefined)),
  TestIsRelaxedEnvVarName: envNameFaults,
  TestValidateLabels: (labels: ObjectMeta['labels']) => metadataSyntaxFaults({ labels: labels ?? {} }),
  TestValidateAnnotations: (annotations: ObjectMeta['annotations']) => metadataSyntaxFaults({ annotations: annotations ?? {} }),
  TestValidDryRun: (values: readonly string[]) => dryRunCauses(values),
  TestInvalidDryRun: (values: readonly string[]) => dryRunCauses(values),
  TestValidateFieldManagerValid: (manager: string) => refusals('configmaps', {}, { fieldManager: manager }),
  TestValidateFieldManagerInvalid: (manager: string) => refusals('configmaps', {}, { fieldManager: manager }),
};

function found(check: (faults: StatusCause[]) => void): Faults {
  const faults: StatusCause[] = [];
  check(faults);
  return faults;
}

function probe(name: string): Go {
  return { httpGet: { path: '/', port: 80, scheme: 'HTTP', httpHeaders: [{ name, value: '' }] }, successThreshold: 1 };
}

function ingress(host: string) {
  return { metadata: { name: 'a' }, spec: { rules: [{ host, http: { paths: [path] } }] } };
}

const path = { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } };

function webhooks(name: string): Go {
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] }];
  const clientConfig = { url: 'https://example.com' };
  return { webhooks: [{ name, rules, clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] }] };
}

/** What a server says against an object of a kind; nothing when it takes it. */
function refusals(resource: string, fields: Go, query: Readonly<Record<string, string>> = {}): Faults {
  const global = resource === 'configmaps' ? {} : { group: 'admissionregistration.k8s.io', namespace: undefined };
  const body = { ...fields, metadata: { name: 'a' } };
  const { response } = new AServer().do({ verb: 'create', resource, ...global, body, query });
  return response.code < 300 ? [] : [response.body];
}

const configMaps = new Kinds().find('', 'v1', 'configmaps') as KindInfo;

/** Names, labels, annotations, owners and options: what the server takes and what it refuses. */
export function nameValidationRows(): readonly Row[] {
  return ['validation', 'meta-v1-validation', 'objectmeta'].flatMap((name) =>
    file(`name-validation/${name}.json`).tables.flatMap(tableRows),
  );
}

function tableRows(table: Table): readonly Row[] {
  const func = String(table.func);
  const id = (name: string) => `${func}/${table.var}/${name}`;
  const rows = rowsOf(table);
  switch (func) {
    case 'TestLabelSelectorMatchExpression':
      return rows.map(([name, each]) => row(id(name), () => selectorFault(each)));
    case 'TestValidateObjectMetaOwnerReferences':
      return (table.rows as readonly Go[]).map((each) => row(id(String(each.description)), () => ownerFault(each)));
    case 'TestValidateFinalizersUpdate':
    case 'TestValidateObjectMetaUpdatePreventsDeletionFieldMutation':
      return rows.map(([name, each]) => row(id(name), () => updateFault(each)));
    case 'TestValidPatchOptions':
    case 'TestInvalidPatchOptions':
      return rows
        .filter(([, each]) => !isCbor(each))
        .map(([name, each]) => row(id(name), () => patchFault(each, func === 'TestValidPatchOptions')));
    case 'TestIsDNS1123SubdomainWithUnderscore':
      return rows.map(([name, each]) =>
        row(id(name), () => expected(each.expected === null || each.expected === undefined, searchFaults(String(evaluate(each.value))))),
      );
    default:
      return (table.rows as readonly unknown[]).map((each, index) => row(id(String(index)), () => valueFault(func, table.var, each)));
  }
}

function valueFault(func: string, variable: string, literal: unknown): string | undefined {
  const check = checks[func] as ((value: unknown) => Faults) | undefined;
  if (check === undefined) return `nothing checks ${func}`;
  const value = evaluate(literal) as Go;
  if (variable === 'messageTests') return expectedText(String(value.err), check(value.targetName));
  const inside = value?.labels ?? value?.annotations;
  if (value?.expect !== undefined && inside !== undefined) return expectedText(String(value.expect), check(inside));
  const good = /^(good|success)/.test(variable) || func === 'TestValidDryRun' || func === 'TestValidateFieldManagerValid';
  return expected(good, check(value));
}

function expected(good: boolean, faults: Faults): string | undefined {
  return good === (faults.length === 0) ? undefined : `${good ? 'should be fine' : 'should be refused'}: ${JSON.stringify(faults)}`;
}

function expectedText(text: string, faults: Faults): string | undefined {
  return JSON.stringify(faults).includes(JSON.stringify(text).slice(1, -1)) ? undefined : `should say ${text}: ${JSON.stringify(faults)}`;
}

function selectorFault({ labelSelector, wantErrorNumber }: Go): string | undefined {
  const faults = found((causes) => checkSelector(causes, 'selector', withJsonNames(evaluate(labelSelector)) as never));
  return faults.length === wantErrorNumber ? undefined : JSON.stringify(faults);
}

function ownerFault({ ownerReferences, expectError, expectedErrorMessage }: Go): string | undefined {
  const faults = metadataSyntaxFaults({ ownerReferences: withJsonNames(evaluate(ownerReferences)) as never });
  if (expectError !== true) return expected(true, faults);
  // The server words the faults of versions otherwise than the older check that the table is about.
  const words =
    String(expectedErrorMessage) === 'must be <group>/<version> or <version>' ? 'version must not be empty' : expectedErrorMessage;
  return expectedText(String(words), faults);
}

const times: Go = {
  now: '1970-01-01T00:16:40Z',
  later: '1970-01-01T00:33:20Z',
  gracePeriodShort: 30,
  gracePeriodLong: 40,
};

function updateFault(go: Go): string | undefined {
  const metadata = (side: unknown) => {
    const { deletionTimestamp, ...rest } = withJsonNames(evaluate(side, times)) as ObjectMeta;
    return {
      ...rest,
      ...(deletionTimestamp !== undefined && {
        deletionTimestamp: typeof deletionTimestamp === 'string' ? deletionTimestamp : String(times.now),
      }),
    };
  };
  const faults = inTold(metadataFaultsOnUpdate(configMaps, metadata(go.New), metadata(go.Old)), [], []);
  const texts = (go.ExpectedErrs ?? (go.ExpectedErr === '' ? [] : [go.ExpectedErr])) as readonly string[];
  if (texts.length === 0) return expected(true, faults);
  const shown = faults.map(({ field, message }) => `${field?.replace('metadata.', 'field.')}: ${message}`).join('\n');
  return texts.find((text) => !shown.includes(text));
}

function isCbor({ patchType }: Go): boolean {
  return JSON.stringify(patchType).includes('CBOR');
}

function patchFault({ opts, patchType }: Go, good: boolean): string | undefined {
  const { force, fieldManager } = withJsonNames(evaluate(opts)) as { readonly force?: boolean; readonly fieldManager?: string };
  const apply = JSON.stringify(patchType).includes('Apply');
  const server = new AServer();
  server.create('a');
  const { response } = server.do({
    verb: 'patch',
    name: 'a',
    contentType: apply ? 'application/apply-patch+yaml' : 'application/merge-patch+json',
    body: apply ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } : {},
    query: { ...(force !== undefined && { force: String(force) }), ...(fieldManager !== undefined && { fieldManager }) },
  });
  return expected(good, response.code < 300 ? [] : [response.body]);
}

function searchFaults(search: string): Faults {
  const body = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }], dnsConfig: { searches: [search] } } };
  const { response } = new AServer().do({ verb: 'create', resource: 'pods', body });
  return response.code < 300 ? [] : [response.body];
}
