import type { Transport } from '../../golden/runner.mjs';
import type { JsonObject } from '../kinds.js';
import {
  type Act,
  collections,
  type EditScript,
  type Listed,
  memberOf,
  nameOf,
  type PlainEdit,
  type Plural,
  type PodTurn,
} from './script.js';
import { inOrder, type Settled, settledForm } from './settled.js';

/** The nodes of both clusters, all alike. */
const nodeNames = ['n1', 'n2', 'n3'] as const;

const userAgent = 'differential/1.0';

/** How one side is played: what is waited for before each part of a step, and until its controllers are at rest. */
export interface Pace {
  before(step: number, part: number): Promise<void>;
  rest(step: number, list: () => Promise<Listed>): Promise<Listed>;
}

/** One server, and a namespace of its own for a script. */
export class Player {
  constructor(
    private readonly server: Transport,
    private readonly namespace: string,
    private readonly plurals: readonly Plural[],
  ) {}

  /** @returns the namespace after each step, when the controllers were at rest */
  async play(script: EditScript, pace: Pace): Promise<readonly Settled[]> {
    await this.#send('POST', '/api/v1/namespaces', { metadata: { name: this.namespace } });
    const settled: Settled[] = [];
    let listed = await this.#list();
    for (const [step, edit] of script.entries()) {
      for (const [part, each] of ('atOnce' in edit ? edit.atOnce : [edit]).entries()) {
        await pace.before(step, part);
        await this.#edit(each, listed);
      }
      listed = await pace.rest(step, () => this.#list());
      settled.push(settledForm(listed, this.namespace));
    }
    return settled;
  }

  /** Leaves nothing behind. The namespace controller runs; nobody but us lets bound pods go. */
  async cleanUp(): Promise<void> {
    for (const plural of ['deployments', 'statefulsets', 'daemonsets', 'replicasets', 'jobs', 'pods'] as const)
      await this.#send('DELETE', this.#path(plural), { propagationPolicy: 'Background', gracePeriodSeconds: 0 });
    await this.#send('DELETE', `/api/v1/namespaces/${this.namespace}`);
  }

  async #edit(edit: PlainEdit, listed: Listed): Promise<void> {
    if ('create' in edit) return this.#send('POST', this.#path(edit.create), edit.body);
    if ('waitMs' in edit) return this.server.sleep(edit.waitMs);
    // No kubelet gives a pod that has ended another turn.
    const isMeant = (object: JsonObject) => nameOf(object).startsWith(edit.of) && !('turn' in edit.act && hasEnded(object));
    const named = (inOrder(listed, this.namespace)[edit.each] ?? []).filter(({ object }) => isMeant(object));
    const taken = edit.from === 'first' ? named.slice(0, edit.count) : named.slice(-edit.count);
    for (const { object } of taken) await this.#act(edit.each, object, edit.act);
  }

  #act(plural: Plural, object: JsonObject, act: Act): Promise<void> {
    const path = `${this.#path(plural)}/${nameOf(object)}`;
    if ('patch' in act) return this.#send('PATCH', act.subresource === undefined ? path : `${path}/${act.subresource}`, act.patch);
    if ('delete' in act) return this.#send('DELETE', path, act.delete);
    if ('bind' in act)
      return this.#send('POST', `${path}/binding`, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: nameOf(object) },
        target: { kind: 'Node', name: /"values":\["(n\d)"\]/.exec(JSON.stringify(object))?.[1] ?? act.bind },
      });
    const now = new Date(this.server.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    return this.#send('PATCH', `${path}/status`, { status: statusAfter(act.turn, act.exitCode ?? 1, now) });
  }

  #path(plural: Plural): string {
    return `${collections[plural]}/namespaces/${this.namespace}/${plural}`;
  }

  async #list(): Promise<Listed> {
    const lists = await Promise.all(
      this.plurals.map(async (plural) => {
        const { body } = await this.server.request({
          method: 'GET',
          path: this.#path(plural),
          headers: { accept: 'application/json', 'user-agent': userAgent },
        });
        return [plural, (JSON.parse(body) as { readonly items?: readonly JsonObject[] }).items ?? []] as const;
      }),
    );
    return Object.fromEntries(lists);
  }

  #send(method: string, path: string, body?: JsonObject): Promise<void> {
    return send(this.server, method, path, body);
  }
}

/** What is refused leaves no trace in the namespace: that is compared. */
async function send(server: Transport, method: string, path: string, body?: JsonObject): Promise<void> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { accept: 'application/json', 'user-agent': userAgent, ...(body !== undefined && { 'content-type': type }) };
  await server.request({ method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Nodes that take pods; in a cluster with all its controllers another one takes the first taint off. */
export async function makeNodes(server: Transport): Promise<void> {
  for (const name of nodeNames) {
    await send(server, 'POST', '/api/v1/nodes', { metadata: { name } });
    await send(server, 'PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } });
  }
}

function hasEnded(object: JsonObject): boolean {
  return ['Failed', 'Succeeded'].includes(String(memberOf(object, 'status').phase));
}

/** As a kubelet would write it. */
function statusAfter(turn: PodTurn, exitCode: number, now: string): JsonObject {
  const ready = turn === 'ready';
  const finished = turn === 'failed' || turn === 'succeeded';
  const state: JsonObject = finished
    ? { terminated: { exitCode: turn === 'failed' ? exitCode : 0, startedAt: now, finishedAt: now } }
    : { running: { startedAt: now } };
  const phase = {
    failed: 'Failed',
    succeeded: 'Succeeded',
    pending: 'Pending',
    ready: 'Running',
    unready: 'Running',
    restarted: 'Running',
  };
  const container = { name: 'c', image: 'img', imageID: '', ready, restartCount: turn === 'restarted' ? 2 : 0, state };
  return {
    phase: phase[turn],
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: now }],
    ...(turn !== 'pending' && { containerStatuses: [container] }),
  };
}
