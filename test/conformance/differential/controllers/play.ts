import type { Transport } from '../../golden/runner.mjs';
import type { JsonObject } from '../kinds.js';
import { type Act, collections, type Edit, type EditScript, type Listed, nameOf, type Plural, type PodTurn } from './script.js';
import { inOrder, type Settled, settledForm } from './settled.js';

/** The nodes of both clusters, all alike. */
export const nodeNames = ['n1', 'n2', 'n3'] as const;

const userAgent = 'differential/1.0';

/** What came of one step: the codes of the answers, and the namespace when the controllers were at rest. */
export interface Outcome {
  readonly codes: readonly number[];
  readonly settled: Settled;
}

/** How one side is played: what is waited for before a step, and until its controllers are at rest. */
export interface Pace {
  before(step: number): Promise<void>;
  rest(step: number, list: () => Promise<Listed>): Promise<Listed>;
}

/** One server, and a namespace of its own for a script. */
export class Player {
  constructor(
    private readonly server: Transport,
    private readonly namespace: string,
  ) {}

  async play(script: EditScript, pace: Pace): Promise<readonly Outcome[]> {
    await this.#send('POST', '/api/v1/namespaces', { metadata: { name: this.namespace } });
    const outcomes: Outcome[] = [];
    let listed = await this.#list();
    for (const [step, edit] of script.entries()) {
      await pace.before(step);
      const codes = await this.#edit(edit, listed);
      listed = await pace.rest(step, () => this.#list());
      outcomes.push({ codes, settled: settledForm(listed, this.namespace) });
    }
    return outcomes;
  }

  /** Leaves nothing behind. The namespace controller runs; nobody but us lets bound pods go. */
  async cleanUp(): Promise<void> {
    for (const plural of ['deployments', 'statefulsets', 'daemonsets', 'replicasets', 'jobs', 'pods'] as const)
      await this.#send('DELETE', this.#path(plural), { propagationPolicy: 'Background', gracePeriodSeconds: 0 });
    await this.#send('DELETE', `/api/v1/namespaces/${this.namespace}`);
  }

  async #edit(edit: Edit, listed: Listed): Promise<readonly number[]> {
    if ('create' in edit) return [await this.#send('POST', this.#path(edit.create), edit.body)];
    if ('waitMs' in edit) {
      await this.server.sleep(edit.waitMs);
      return [];
    }
    const named = inOrder(listed, this.namespace)[edit.each].filter(({ object }) => nameOf(object).startsWith(edit.of));
    const taken = edit.from === 'first' ? named.slice(0, edit.count) : named.slice(-edit.count);
    const codes: number[] = [];
    for (const { object } of taken) codes.push(await this.#act(edit.each, object, edit.act));
    return codes;
  }

  #act(plural: Plural, object: JsonObject, act: Act): Promise<number> {
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
      (Object.keys(collections) as Plural[]).map(async (plural) => {
        const { body } = await this.server.request({
          method: 'GET',
          path: this.#path(plural),
          headers: { accept: 'application/json', 'user-agent': userAgent },
        });
        return [plural, (JSON.parse(body) as { readonly items?: readonly JsonObject[] }).items ?? []] as const;
      }),
    );
    return Object.fromEntries(lists) as unknown as Listed;
  }

  async #send(method: string, path: string, body?: JsonObject): Promise<number> {
    return send(this.server, method, path, body);
  }
}

async function send(server: Transport, method: string, path: string, body?: JsonObject): Promise<number> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { accept: 'application/json', 'user-agent': userAgent, ...(body !== undefined && { 'content-type': type }) };
  const { status } = await server.request({ method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return status;
}

/** Nodes that take pods; in a cluster with all its controllers another one takes the first taint off. */
export async function makeNodes(server: Transport): Promise<void> {
  for (const name of nodeNames) {
    await send(server, 'POST', '/api/v1/nodes', { metadata: { name } });
    await send(server, 'PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } });
  }
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
