import type { JsonObject } from '../kinds.js';
import { type Listed, memberOf, nameOf, type Plural } from './script.js';

/** What the server adds to a name that it draws. */
const drawnEnd = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/** The same at the ends of names in texts, whose objects may be gone. */
const drawnEnds = /-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;

/** A namespace in a form in which two servers can be compared: by plural, then by name and rank among those of that name. */
export type Settled = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/**
 * Names and uids that were drawn become what they are of, times become `time`, and the nodes, which are all alike, become one.
 * Left out are resourceVersions and managedFields, and which of two reasons for progress is told, as it is chance (WL-36).
 */
export function settledForm(listed: Listed, namespace: string): Settled {
  const settled: Record<string, Record<string, JsonObject>> = {};
  for (const [plural, objects] of Object.entries(inOrder(listed, namespace))) {
    const named: Record<string, JsonObject> = {};
    const ranks = new Map<string, number>();
    for (const { form } of objects) {
      const name = plural === 'events' ? `${form.reason}` : nameOf(form);
      const rank = (ranks.get(name) ?? 0) + 1;
      ranks.set(name, rank);
      named[`${name} ${rank}`] = form;
    }
    settled[plural] = named;
  }
  return settled;
}

/** The objects in an order in which what was drawn has no say: by their normal form, then by age. */
export function inOrder(
  listed: Listed,
  namespace: string,
): Readonly<Partial<Record<Plural, readonly { readonly object: JsonObject; readonly form: JsonObject }[]>>> {
  const replace = replacer(listed, namespace);
  const ordered = Object.entries(listed).map(([plural, objects]) => {
    const form =
      plural === 'events'
        ? (event: JsonObject) =>
            replace(told(event))
              .replace(drawnEnds, '-*')
              .replace(/\bnode n\d\b/g, 'node')
        : replace;
    const formed = objects.map((object) => ({
      object,
      text: form(object),
      age: String(memberOf(object, 'metadata').creationTimestamp),
    }));
    formed.sort((a, b) => compareTexts(a.text, b.text) || compareTexts(a.age, b.age));
    return [plural, formed.map(({ object, text }) => ({ object, form: JSON.parse(text) as JsonObject }))];
  });
  return Object.fromEntries(ordered);
}

/** What an event tells, but not how often: that depends on how many syncs there were. */
function told({ involvedObject, type, reason, message, source }: JsonObject): JsonObject {
  const { kind, name } = involvedObject as JsonObject;
  return { kind, name, type, reason, message, source } as JsonObject;
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function replacer(listed: Listed, namespace: string): (object: JsonObject) => string {
  const names = new Map<string, string>();
  const uids = new Map<string, string>();
  for (const [plural, objects] of Object.entries(listed)) {
    for (const object of objects) {
      const { generateName = '', uid } = memberOf(object, 'metadata');
      const name = nameOf(object);
      const begin = String(generateName);
      if (begin !== '' && name.startsWith(begin) && drawnEnd.test(name.slice(begin.length))) names.set(name, `${begin}*`);
      uids.set(String(uid), `uid of ${plural} ${names.get(name) ?? name}`);
    }
  }
  return (object) => {
    const { managedFields: _, resourceVersion: __, ...metadata } = memberOf(object, 'metadata');
    let text = sortedText(object.metadata === undefined ? object : { ...object, metadata });
    for (const [name, instead] of names) text = text.replaceAll(name, instead);
    return text
      .replace(/Created new replica set (\\"[^"]*\\")/g, 'ReplicaSet $1 is progressing.')
      .replaceAll('"NewReplicaSetCreated"', '"ReplicaSetUpdated"')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uid) => uids.get(uid) ?? 'uid of something gone')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replace(/"n[1-9]"/g, '"node"')
      .replaceAll(namespace, 'ns');
  };
}

function sortedText(value: JsonObject): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each as JsonObject).sort(([a], [b]) => compareTexts(a, b)))
      : each,
  );
}
