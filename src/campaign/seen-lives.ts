import { FateNumbers } from '../sim/controllers/fates.js';
import { controllerOf } from '../sim/controllers/references.js';
import type { Commit } from '../sim/etcd/etcd.js';
import type { KubeObject } from '../sim/etcd/object.js';
import type { PodTrouble } from '../sim/plan.js';
import type { Trace } from '../sim/trace.js';
import type { World } from '../sim/world.js';

/** A pod that a run had, by the name and number that a plan knows it by. */
export interface SeenPod {
  readonly pod: string;
  readonly nth: number;
  /** The trouble that it can have and still come to what it comes to on a calm day. */
  readonly lives: readonly PodTrouble['life'][];
  /** Whether it was deleted before the run was over. */
  readonly deleted: boolean;
}

export interface SeenClaim {
  readonly claim: string;
  readonly nth: number;
}

/** Enough to point at. */
const most = 300;
/** As many failures of a Job's pods as a plan may hold must leave the Job unharmed. */
const failuresOfAPlan = 6;
const restartsOfAPod = 4;

/** The pods, claims and nodes that earlier runs have shown. */
export class SeenLives {
  readonly #pods = new Map<string, SeenPod>();
  readonly #claims = new Map<string, SeenClaim>();
  readonly #nodes = new Set<string>();
  readonly #simulated: boolean;
  #allReplaced = true;

  constructor({ controllers }: World) {
    this.#simulated = controllers.includes('kubelet') && controllers.includes('scheduler');
  }

  get pods(): readonly SeenPod[] {
    return [...this.#pods.values()];
  }

  get claims(): readonly SeenClaim[] {
    return [...this.#claims.values()];
  }

  /** Nodes that pods ran on. */
  get nodes(): readonly string[] {
    return [...this.#nodes];
  }

  /** Whether all pods would be replaced by somebody if their node were lost for good. */
  get allReplaced(): boolean {
    return this.#allReplaced;
  }

  /** Takes in the pods and claims of the run's disturbed part, numbered as they came. */
  learn(trace: Trace): void {
    if (!this.#simulated) return;
    const numbers = new FateNumbers();
    const jobs = new Map<string, KubeObject>();
    for (const { phase, event } of trace.entries) {
      if (phase !== 'disturb' || event.kind !== 'handled') continue;
      for (const commit of event.commits) {
        const { key, object, previous } = commit;
        if (key.resource === 'jobs.batch' && object !== undefined) jobs.set(object.metadata.uid ?? '', object);
        else if (key.resource === 'pods') this.#takePod(commit, numbers, jobs);
        else if (key.resource === 'persistentvolumeclaims' && previous === undefined && object !== undefined) {
          const { name, nth } = numbers.of('claim', object);
          this.#claims.set(`${name} #${nth}`, { claim: name, nth });
        }
      }
    }
  }

  #takePod({ object, previous }: Commit, numbers: FateNumbers, jobs: ReadonlyMap<string, KubeObject>): void {
    if (object === undefined) return;
    if (object.spec?.nodeName) this.#nodes.add(object.spec.nodeName);
    const { name: pod, nth } = numbers.of('pod', object);
    const name = `${pod} #${nth}`;
    if (object.metadata.deletionTimestamp !== undefined) {
      const seen = this.#pods.get(name);
      if (seen !== undefined) this.#pods.set(name, { ...seen, deleted: true });
    }
    if (previous !== undefined) return;
    const lives = livesOf(object, jobs);
    if (!lives.includes('evicted')) this.#allReplaced = false;
    if (!this.#pods.has(name) && this.#pods.size < most) this.#pods.set(name, { pod, nth, lives, deleted: false });
  }
}

/** What a pod can go through without a lasting difference: it recovers, or its owner is there to replace it. */
function livesOf(pod: KubeObject, jobs: ReadonlyMap<string, KubeObject>): readonly PodTrouble['life'][] {
  const owner = controllerOf(pod);
  const job = jobs.get(owner?.uid ?? '');
  const { restartPolicy, activeDeadlineSeconds, nodeName, containers = [] } = pod.spec ?? {};
  // Whoever has a deadline may miss it for good.
  if (activeDeadlineSeconds !== undefined || job?.spec?.activeDeadlineSeconds !== undefined) return [];
  const lives: PodTrouble['life'][] = ['image-pull', 'slow-start', 'slow-stop'];
  if (!nodeName) lives.push('unschedulable');
  const server = restartPolicy === 'Always';
  const probed = (containers as readonly { readonly readinessProbe?: unknown }[]).some(
    ({ readinessProbe }) => readinessProbe !== undefined,
  );
  if (server && probed) lives.push('flap');
  if (server || mayFail(job, restartPolicy)) lives.push('crash-loop');
  if ((server && owner !== undefined) || mayFail(job, 'Never')) lives.push('evicted');
  return lives;
}

/** Whether a Job bears the failures of its pods that one plan can bring about. */
function mayFail(job: KubeObject | undefined, restartPolicy: unknown): boolean {
  if (job === undefined) return false;
  const { backoffLimit = failuresOfAPlan, podFailurePolicy, backoffLimitPerIndex, parallelism = 1 } = job.spec ?? {};
  if (podFailurePolicy !== undefined || backoffLimitPerIndex !== undefined) return false;
  // With OnFailure the restarts of all running pods must stay below the limit (WL-95).
  return restartPolicy === 'Never' ? backoffLimit >= failuresOfAPlan : backoffLimit > restartsOfAPod * parallelism;
}
