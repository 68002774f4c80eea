import { compare, type Difference, type Normal, type Transport } from '../../golden/runner.mjs';
import { GoldenWorld } from '../../golden-world.js';
import { makeNodes, type Pace, Player } from './play.js';
import { type EditScript, type Listed, type Plural, withoutEvents } from './script.js';
import { type Settled, settledForm } from './settled.js';

/** How long nothing may change for a cluster to be at rest, in milliseconds: the Job controller takes a second at a time (WL-84). */
const quietMs = { jobs: 2_600, others: 1_100 };
const pollMs = 250;
/** A real timer goes off later than a simulated one: what the simulated cluster was like so long ago will do as well. */
const latenessMs = [1_200, 600];
/** A rest that never comes is given up then. */
const mostMs = 60_000;

export interface Both {
  readonly real: readonly Settled[];
  readonly simulated: readonly Settled[];
  readonly differences: readonly Difference[];
}

/**
 * Plays a script in a namespace of the real cluster, and then in a simulated one whose clock follows what the real one showed,
 * as ages and delays decide what controllers do.
 */
export async function playBoth(
  script: EditScript,
  server: Transport,
  namespace: string,
  plurals: readonly Plural[] = withoutEvents,
): Promise<Both> {
  const startedMs = server.now();
  const marks: Mark[] = [];
  const player = new Player(server, namespace, plurals);
  const real = await player.play(script, restful(server, marks, usesJobs(script) ? quietMs.jobs : quietMs.others));
  await player.cleanUp();

  const world = new GoldenWorld({ workloads: true });
  const beganMs = world.now() + (startedMs % 1000);
  const follow = async (realMs: number) => {
    const wanted = beganMs + realMs - startedMs;
    if (wanted > world.now()) await world.sleep(wanted - world.now());
  };
  await world.sleep(startedMs % 1000);
  await makeNodes(world);
  const shortlyBefore: Settled[][] = [];
  const played = await new Player(world, namespace, plurals).play(script, {
    before: (step, part) => follow(marks[step]?.beforeMs[part] ?? 0),
    rest: async (step, list) => {
      const afterMs = marks[step]?.afterMs ?? 0;
      const earlier: Settled[] = [];
      for (const lateMs of latenessMs) {
        await follow(afterMs - lateMs);
        earlier.push(settledForm(await list(), namespace));
      }
      shortlyBefore.push(earlier);
      await follow(afterMs);
      return list();
    },
  });
  const simulated = played.map((settled, step) => {
    const wanted = JSON.stringify(real[step]);
    return shortlyBefore[step]?.find((each) => JSON.stringify(each) === wanted) ?? settled;
  });
  return { real, simulated, differences: compare(normalOf(real), normalOf(simulated)) };
}

/** When the parts of a step began, and when it had come to rest, in milliseconds since 1970. */
interface Mark {
  readonly beforeMs: number[];
  afterMs: number;
}

/** Waits until the resourceVersions stand still, and notes when each step began and ended. */
function restful(server: Transport, marks: Mark[], quiet: number): Pace {
  return {
    before: async (step, part) => {
      if (part === 0) marks.push({ beforeMs: [], afterMs: 0 });
      marks[step]?.beforeMs.push(server.now());
    },
    rest: async (step, list) => {
      const began = server.now();
      let since = began;
      let listed = await list();
      for (let askedMs = began; askedMs - since < quiet && askedMs - began < mostMs; ) {
        await server.sleep(pollMs);
        // What counts is when it was asked: this process may have been busy with a simulation since.
        askedMs = server.now();
        const later = await list();
        if (versionsOf(later) !== versionsOf(listed)) since = server.now();
        listed = later;
      }
      (marks[step] as Mark).afterMs = server.now();
      return listed;
    },
  };
}

function versionsOf(listed: Listed): string {
  return JSON.stringify(
    Object.values(listed)
      .flat()
      .map(({ metadata }) => [
        (metadata as { readonly uid: string }).uid,
        (metadata as { readonly resourceVersion: string }).resourceVersion,
      ]),
  );
}

function usesJobs(script: EditScript): boolean {
  return script.some((edit) => 'create' in edit && edit.create === 'jobs');
}

/** Each step as one exchange, so that it is compared as all others are. */
function normalOf(settled: readonly Settled[]): Normal {
  const exchanges = settled.map((each, step) => ({ id: String(step), ...each }));
  return { name: '', exchanges, watches: [], calls: [] } as unknown as Normal;
}

/** The step of the first difference. */
export function stepOf({ at }: Difference): number {
  return Number(at.split('/')[1]);
}

/** What two differences have in common when they have the same cause, as far as can be told: the place and what stands there. */
export function signatureOf({ at, kind, expected, actual }: Difference): string {
  const [, , plural = '', ...where] = at.split('/');
  const place = where.slice(1).map((key) => (/^\d+$/.test(key) ? '*' : key));
  return `${plural} ${kind} /${place.join('/')}: ${short(expected)} | ${short(actual)}`;
}

function short(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'something';
  return (JSON.stringify(value) ?? 'nothing').replace(/-[bcdfghjklmnpqrstvwxz2456789]{6,10}\b/g, '-hash').slice(0, 120);
}
