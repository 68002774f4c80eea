import type { ApiRequest } from '../apiserver/request.js';
import type { KubeObject } from '../etcd/object.js';
import type { Cancel, Outcome } from '../host.js';
import { ConnectionLost, errorOf, isResourceExpired } from './api-errors.js';
import type { RestClient } from './rest.js';

export interface ListResult {
  /** All pages together, in the server's order. */
  readonly items: readonly KubeObject[];
  /** That of the first page (A10). */
  readonly resourceVersion: string;
  /** The first page said that there are more. */
  readonly paginated: boolean;
}

export interface ListPages {
  /** Without resourceVersion, limit and continue. */
  readonly request: ApiRequest;
  /** Empty: most recent. */
  readonly resourceVersion: string;
  /** 0: no limit (A9). A continue token that comes unasked is followed all the same. */
  readonly limit: number;
}

type Answer = { readonly list: KubeObject } | { readonly error: Error };

/** client-go's pager: lists page by page, and as a whole when a later page has expired (A9 to A11). */
export function listPages(
  rest: RestClient,
  { request, resourceVersion, limit }: ListPages,
  done: (result: ListResult | Error) => void,
): Cancel {
  const items: KubeObject[] = [];
  let firstVersion: string | undefined;
  let cancel = page(first(resourceVersion, limit), undefined);
  return () => cancel();

  function page(query: Record<string, string>, token: string | undefined): Cancel {
    return send(query, (answer) => {
      if ('error' in answer) {
        if (token !== undefined && isResourceExpired(answer.error)) whole();
        else done(answer.error);
        return;
      }
      const { metadata } = answer.list;
      firstVersion ??= metadata.resourceVersion ?? '';
      items.push(...itemsOf(answer.list));
      const next = (metadata as { continue?: string }).continue;
      if (next) cancel = page({ continue: next, ...(limit > 0 ? { limit: String(limit) } : {}) }, next);
      else done({ items, resourceVersion: firstVersion, paginated: token !== undefined });
    });
  }

  // A11: the version first asked for, no limit; it replaces what came so far.
  function whole(): void {
    cancel = send(first(resourceVersion, 0), (answer) => {
      if ('error' in answer) done(answer.error);
      else done({ items: itemsOf(answer.list), resourceVersion: answer.list.metadata.resourceVersion ?? '', paginated: true });
    });
  }

  function send(query: Record<string, string>, answered: (answer: Answer) => void): Cancel {
    const asked = { ...request, query: { ...request.query, ...query } };
    return rest.send(asked, (outcome) => answered(answerOf(asked, outcome)));
  }
}

function first(resourceVersion: string, limit: number): Record<string, string> {
  return { ...(limit > 0 ? { limit: String(limit) } : {}), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}

function answerOf(request: ApiRequest, outcome: Outcome): Answer {
  if ('lost' in outcome) return { error: new ConnectionLost(outcome.lost, request) };
  const { code, body } = outcome.response;
  if (code >= 400) return { error: errorOf(request, outcome.response) };
  if (typeof body !== 'object' || body === null || !Array.isArray((body as KubeObject).items)) {
    return { error: new Error("couldn't get version/kind; json parse error: unexpected end of JSON input") }; // A38
  }
  return { list: body as KubeObject };
}

function itemsOf(list: KubeObject): readonly KubeObject[] {
  return list.items as readonly KubeObject[];
}
