import { celLeftOut, celRows } from './cel-conformance.js';
import { celLibraryRows } from './cel-kubernetes-library.js';
import { celRuleRows } from './cel-rules.js';
import { deleteRows } from './deletes.js';
import { jsonSchemaLeftOut, jsonSchemaRows } from './json-schema-draft4.js';
import { kubectlEditRows } from './kubectl-edit.js';
import { managedFieldsRows } from './managed-fields.js';
import { nameValidationRows } from './name-validation.js';
import { openApiRows } from './openapi-to-smd.js';
import { jsonPatchRows, mergePatchRows, strategicRows } from './patches.js';
import { quantityRows } from './quantity.js';
import { requestRows } from './requests.js';
import type { TablePlayer } from './row.js';
import { scalarRows } from './scalars.js';
import { selectorRows } from './selectors.js';
import { structuralRows } from './structural-schema.js';
import { fieldRows } from './structured-merge-fields.js';
import { typedRows } from './structured-merge-typed.js';
import { updateRows } from './structured-merge-updates.js';

export const players: readonly TablePlayer[] = [
  { name: 'cel-conformance', play: celRows, leftOut: celLeftOut() },
  {
    name: 'cel-kubernetes-library',
    play: celLibraryRows,
    leftOut: [
      { what: 'TestSetsCost', rows: 17, why: 'with lists of several types, which the API server refuses' },
      { what: 'TestAuthzLibrary', rows: 9, why: 'with an authorizer of its own; tested with admission' },
      { what: 'TestSize, TestTypeEquality, TestIPCost, TestCIDRCost', rows: 23, why: 'their expectations are Go code' },
      { what: 'jsonpatch.escapeKey', rows: 1, why: 'of mutating policies only' },
      { what: 'estimated costs', rows: 0, why: 'made with sizes that the Go tests pretend; played by the recordings of definitions' },
    ],
  },
  { name: 'json-schema-draft4', play: jsonSchemaRows, leftOut: jsonSchemaLeftOut() },
  {
    name: 'structural-schema',
    play: () => [...structuralRows(), ...celRuleRows()],
    leftOut: [
      { what: 'x-kubernetes-embedded-resource without a root', rows: 1, why: 'in the server the root is always a resource' },
      { what: 'invalid regex', rows: 1, why: 'a definition with such a pattern is refused' },
      { what: 'objectmeta-coerce, TestValidate', rows: 18, why: 'their objects or schemas are Go code' },
      {
        what: 'cel-compilation: TestCelCompilation',
        rows: 25,
        why: 'about what Go compiles rules to; what it refuses is held by the recordings',
      },
      {
        what: 'cel-compilation: TestCostEstimation, TestMetadataNameCostIsBounded',
        rows: 70,
        why: 'their schemas are built by Go code of its own',
      },
      { what: 'cel-validation: allOf', rows: 6, why: 'rules within allOf are not run here' },
      { what: 'cel-validation: integers', rows: 1, why: 'beyond 2^53' },
      {
        what: 'cel-validation: escaping, listMaps with unsupported …, list access, stdlib regex functions',
        rows: 4,
        why: 'worded otherwise here',
      },
      { what: 'cel-validation: date-time format, conversions', rows: 2, why: 'times do not keep their zone here' },
      {
        what: 'cel-validation: unicode strings',
        rows: 1,
        why: 'the server writes %e with raised digits',
      },
      {
        what: 'cel-validation: embedded object with usage of reserved keywords, preserve unknown fields',
        rows: 2,
        why: 'fields without a type',
      },
      {
        what: 'cel-validation: costs of lists that are constants, a smaller limit for each call',
        rows: 3,
        why: 'not counted, not to be set',
      },
      { what: 'formats', rows: 17, why: 'about versions of the server before the one that is simulated' },
    ],
  },
  {
    name: 'quantity',
    play: quantityRows,
    leftOut: [
      { what: 'TestQuantityParse', rows: 3, why: 'their numbers are too long for JSON in JavaScript, or are Go names' },
      { what: 'the others', rows: 250, why: 'about Go methods, copies, CBOR and rounding that the server does not use' },
    ],
  },
  {
    name: 'managed-fields',
    play: managedFieldsRows,
    leftOut: [
      { what: 'internal-capmanagers', rows: 6, why: 'with a cap of three; that of ten is tested beside the server' },
      { what: 'internal-lastappliedupdater, internal-fields', rows: 4, why: 'their objects are Go code' },
    ],
  },
  {
    name: 'openapi-to-smd-schema',
    play: openApiRows,
    leftOut: [{ what: 'DeclaredAtomicMap', rows: 1, why: 'an object of which nothing is said, in the older description' }],
  },
  {
    name: 'strategic-merge-patch',
    play: strategicRows,
    leftOut: [{ what: 'sorting, TestNumberConversion, TestUnknownField', rows: 30, why: 'about making patches, which clients do' }],
  },
  {
    name: 'json-patch',
    play: jsonPatchRows,
    leftOut: [{ what: 'rows about what is missing, out of bounds or the root', rows: 10, why: 'the server takes them (PA-29 to PA-31)' }],
  },
  { name: 'json-merge-patch', play: mergePatchRows, leftOut: [] },
  {
    name: 'selectors',
    play: selectorRows,
    leftOut: [
      { what: 'TestLexer, TestLexerSequence, TestParserLookahead, TestParseOperator', rows: 45, why: 'steps within the Go parser' },
      { what: 'TestRequirementConstructor', rows: 9, why: 'operators that objects do not have, made by Go code' },
      { what: 'TestToString, TestRequirementSelectorMatching', rows: 5, why: 'the same, or a variable of the Go test' },
      {
        what: 'TestAdd, TestSafeSort, TestRequirementEqual, TestMatchesNothing, TestRequiresExactMatch, TestValidatedSelectorFromSet',
        rows: 47,
        why: 'about Go methods that no answer shows',
      },
      { what: 'TestSplitTerms, TestTransform', rows: 18, why: 'steps within the Go parser; their texts are those of the other rows' },
      { what: 'TestLabelSelectorAsMap, TestSetMetaDataLabel, TestFieldsV1…', rows: 33, why: 'for clients, or about bytes of CBOR' },
      { what: 'selection-predicate', rows: 28, why: 'hints for indexes, and shards, which are switched off' },
    ],
  },
  {
    name: 'http-request-info',
    play: requestRows,
    leftOut: [
      { what: 'TestGetAPIRequestInfo', rows: 4, why: 'HEAD, and the old proxy path: the server serves neither' },
      { what: 'TestSelectorParsing', rows: 12, why: 'what an authorizer is told of selectors; everybody may do everything here' },
      { what: 'TestNegotiate', rows: 4, why: 'with serializers that the server does not have' },
      { what: 'TestValidateListOptions', rows: 4, why: 'with WatchList switched off' },
      { what: 'TestPrepareContinueTokenRemainingItemCount', rows: 4, why: 'with shards, or held by the recordings of lists' },
      { what: 'unsafe deletion, audit, TestDeleteCollection', rows: 41, why: 'alpha features, the audit log, codecs of the Go test' },
      { what: 'other handlers', rows: 22, why: 'about Go errors and metrics, or with hooks that are Go code' },
      { what: 'api-errors', rows: 40, why: 'predicates for clients, tested beside the runtime' },
      { what: 'TestHasInitialEventsEndBookmarkAnnotation', rows: 3, why: 'about a Go function; held by the recordings of watches' },
    ],
  },
  {
    name: 'kubectl-edit',
    play: kubectlEditRows,
    leftOut: [
      { what: 'five more patches', rows: 5, why: 'their recorded answers were edited by hand and hold what the patches do not say' },
      { what: 'patches of a storage.k8s.io/v1beta1 StorageClass', rows: 1, why: 'served no more' },
      {
        what: 'patches without the object before, or that were refused',
        rows: 9,
        why: 'nothing to compare, or the words of a server of 2017',
      },
      { what: 'kubectl-apply', rows: 3, why: 'manifests for pruning, which kubectl does by itself' },
    ],
  },
  {
    name: 'delete',
    play: deleteRows,
    leftOut: [
      { what: 'TestBeforeDelete', rows: 4, why: 'of pods with a negative period, which are never stored' },
      { what: 'hooks, decorators, indexers, key functions, lists and watches of the Go store', rows: 52, why: 'their hooks are Go code' },
    ],
  },
  {
    name: 'scalars',
    play: scalarRows,
    leftOut: [
      { what: 'duration', rows: 22, why: 'no object of the API has such a field' },
      { what: 'CBOR, protobuf', rows: 65, why: 'not spoken' },
      { what: 'TestTimeEqual and the like, TestParse, TestGetIntFromIntOrString', rows: 46, why: 'about Go methods' },
      { what: 'null, and out and in again', rows: 21, why: 'that there is no time is told by the object it stands in' },
    ],
  },
  {
    name: 'name-validation',
    play: nameValidationRows,
    leftOut: [
      { what: 'TestIsInRange, TestIsFullyQualifiedDomainName, TestIsDomainPrefixedKey', rows: 42, why: 'nothing that is simulated asks' },
      { what: 'TestValidPatchOptions, TestInvalidPatchOptions', rows: 3, why: 'about CBOR, which the server has switched off' },
      { what: 'TestValidateDeleteOptionsWithIgnoreStoreReadError', rows: 8, why: 'an alpha feature that is switched off' },
      { what: 'TestValidateManagedFields', rows: 9, why: 'what is wrong there is replaced before it would be validated' },
      { what: 'TestValidateConditions', rows: 5, why: 'their expectations are Go code' },
      { what: 'TestValidateObjectMetaCustomName, …WithOptsName', rows: 10, why: 'with a rule for names that only the Go tests have' },
      { what: 'TestObjectMetaGenerationUpdate', rows: 3, why: 'the server has set the generation before (CR-10)' },
      { what: 'TestValidateObjectMetaDeclaratively', rows: 34, why: 'that two ways to validate agree, one of them alpha' },
    ],
  },
  {
    name: 'structured-merge-diff',
    play: () => [...fieldRows(), ...typedRows(), ...updateRows()],
    leftOut: [
      { what: 'apply_does_not_steal_ignored', rows: 1, why: 'rests on a YAML reader that takes one key twice' },
      { what: 'TestMultipleAppliersReliantFieldsConversions', rows: 1, why: 'its conversion is Go code' },
      { what: 'TestObsoleteVersions, TestApplyObsoleteVersion', rows: 3, why: 'the steps are Go code, the rows name versions only' },
      { what: 'schema-elements', rows: 14, why: 'about Go pointers and copies' },
      { what: 'value-value, TestSetFromJSON', rows: 177, why: 'about one JSON reader of Go; here the JSON has been read before' },
      { what: 'TestManagersEquals, TestManagersDifference', rows: 13, why: 'tools of its own tests' },
      {
        what: 'TestFilterByPattern, TestEnsureNamedFieldsAreMembers',
        rows: 15,
        why: 'patterns that the server does not use; named Go schemas',
      },
      { what: 'fieldpath-fromvalue', rows: 10, why: 'guesses keys without a schema, which the server never does' },
      { what: 'reversibleExtractCases, extractWithKeysCases', rows: 2, why: 'extraction by key is for clients' },
    ],
  },
];
