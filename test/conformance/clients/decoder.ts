import type { Status, WatchEvent } from '../../../src/sim/apiserver/request.js';
import { deepFreeze } from '../../../src/sim/etcd/object.js';
import { statusOf } from './answers.js';
import { scriptKinds } from './script.js';

const eventTypes = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'];
const knownKinds = new Set([
  ...Object.values(scriptKinds).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
  'meta.k8s.io/v1 PartialObjectMetadata',
  'v1 Status',
]);

/**
 * The end of a watch's stream in the client, below what the simulator models: it turns text into events, and what it cannot
 * decode into an ERROR (A24, A35).
 */
export class WatchDecoder {
  private text = '';

  decode(event: WatchEvent): WatchEvent {
    if (!eventTypes.includes(event.type)) return undecodable(`unable to decode watch event: got invalid watch event type: ${event.type}`);
    const { apiVersion = '', kind = '' } = event.object as Partial<Status>;
    if (!knownKinds.has(`${apiVersion} ${kind}`)) return undecodable(`no kind "${kind}" is registered for version "${apiVersion}"`);
    return event;
  }

  /** Takes the next piece of text; what is no whole event yet is kept. */
  feed(piece: string): WatchEvent[] {
    this.text += piece;
    const events: WatchEvent[] = [];
    for (;;) {
      const end = this.text.indexOf('\n');
      const line = end < 0 ? this.text : this.text.slice(0, end);
      if (line.trim() === '' && end < 0) return events;
      const event = parse(line);
      // Without a line's end the text may be the beginning of an event.
      if (event === undefined && end < 0) return events;
      this.text = end < 0 ? '' : this.text.slice(end + 1);
      if (line.trim() !== '')
        events.push(event === undefined ? undecodable("couldn't get version/kind; json parse error") : this.decode(event));
    }
  }
}

function parse(line: string): WatchEvent | undefined {
  try {
    return deepFreeze(JSON.parse(line) as WatchEvent);
  } catch {
    return undefined;
  }
}

export function undecodable(why: string): WatchEvent {
  const message = `unable to decode an event from the watch stream: ${why}`;
  return { type: 'ERROR', object: statusOf({ code: 500, reason: 'InternalError', message }) };
}
