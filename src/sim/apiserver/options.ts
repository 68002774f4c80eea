import { forbiddenValue, invalidValue, requiredValue, tooLong, unsupportedValue } from './field-errors.js';
import { parameter, parameters } from './query.js';
import type { ApiRequest, StatusCause } from './request.js';
import { invalid } from './status.js';

/** What the query of a create, update or patch asks for. */
export interface WriteOptions {
  /** ST-17 */
  readonly dryRun: boolean;
  /** CR-14 */
  readonly fieldValidation: 'Ignore' | 'Strict' | 'Warn';
  /** Empty: the user agent tells (PA-50). */
  readonly fieldManager: string;
  /** PA-19; PA-12: anything but `false` and `0` is true. */
  readonly force: boolean;
}

const plain: WriteOptions = { dryRun: false, fieldValidation: 'Warn', fieldManager: '', force: false };

/** @throws ApiStatusError 422 on the options' own kind, with every fault in it (PA-12). */
export function writeOptions(
  request: ApiRequest,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  patchType?: string,
): WriteOptions {
  const { query } = request;
  const apply = patchType === 'application/apply-patch+yaml';
  if (query === undefined && !apply) return plain;
  const causes: StatusCause[] = [];
  if (kind === 'PatchOptions' && !apply && parameter(query, 'force') !== undefined) {
    causes.push(forbiddenValue('force', 'may not be specified for non-apply patch'));
  }
  const fieldManager = parameter(query, 'fieldManager') ?? '';
  if (apply && fieldManager === '') causes.push(requiredValue('fieldManager', 'is required for apply patch'));
  causes.push(...fieldManagerCauses(fieldManager), ...dryRunCauses(parameters(query, 'dryRun')));
  const fieldValidation = parameter(query, 'fieldValidation') || 'Warn';
  if (fieldValidation !== 'Warn' && fieldValidation !== 'Ignore' && fieldValidation !== 'Strict') {
    causes.push(unsupportedValue('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
    throw invalid({ kind, group: 'meta.k8s.io' }, '', causes);
  }
  if (causes.length > 0) throw invalid({ kind, group: 'meta.k8s.io' }, '', causes);
  const force = parameter(query, 'force');
  return {
    dryRun: parameters(query, 'dryRun').length > 0,
    fieldValidation,
    fieldManager,
    force: force !== undefined && force !== 'false' && force !== '0',
  };
}

/** `All` may be repeated; anything else is refused (ST-17). */
export function dryRunCauses(values: readonly string[]): readonly StatusCause[] {
  return values.every((value) => value === 'All') ? [] : [unsupportedValue('dryRun', values, ['All'])];
}

function fieldManagerCauses(fieldManager: string): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  if (Buffer.byteLength(fieldManager) > 128) causes.push(tooLong('fieldManager', 128));
  let position = 0;
  for (const character of fieldManager) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      causes.push(invalidValue('fieldManager', fieldManager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return causes;
}
