import type { JsonValue } from '../../etcd/object.js';
import { isObject } from '../json.js';
import { managedFieldsOf } from './owners.js';

/** An answer with the managedFields of every object in it: of one object, of a list's items, of a Table's rows. */
export function withManagedFields<Body>(body: Body): Body {
  if (!isObject(body)) return body;
  let shown: Record<string, unknown> = body;
  if (isObject(body.metadata)) {
    const managedFields = managedFieldsOf(body as unknown as { readonly metadata: object });
    if (managedFields.length > 0) shown = { ...shown, metadata: { ...body.metadata, managedFields } };
  }
  if (Array.isArray(body.items) && /List$/.test(String(body.kind))) shown = { ...shown, items: body.items.map(withManagedFields) };
  if (Array.isArray(body.rows) && body.kind === 'Table') shown = { ...shown, rows: body.rows.map(withRowsFields) };
  return shown as Body;
}

function withRowsFields(row: JsonValue): JsonValue {
  return isObject(row) && isObject(row.object) ? { ...row, object: withManagedFields(row.object) } : row;
}
