import * as fc from 'fast-check';
import type { Fault, FaultKind, PodTrouble } from '../sim/plan.js';
import type { SeenLives, SeenPod } from './seen-lives.js';

/** Long enough for others to notice, and to act on it. */
const waitsMs = 60_000;
/** A node that comes back before its pods are evicted, and one that comes back after. */
const briefSilenceMs = 80_000;
const longSilenceMs = 420_000;

/** Every trouble that the pods, claims and nodes of earlier runs can have, one of each kind. @param moments when a node may fall silent */
export function singleLives(lives: SeenLives, moments: readonly number[]): readonly (readonly [about: string, fault: Fault])[] {
  const silences = lives.allReplaced ? [briefSilenceMs, longSilenceMs] : [briefSilenceMs];
  return [
    ...lives.pods.flatMap((seen) => troubles(seen).map((trouble) => placed(seen, trouble))),
    ...lives.claims.map(({ claim, nth }) => ['claim bound late', { kind: 'claim', claim, nth, forMs: waitsMs }] as const),
    ...lives.nodes.flatMap((node) =>
      moments.flatMap((atMs) => silences.map((forMs) => ['lost node', { kind: 'node', node, atMs, forMs }] as const)),
    ),
  ];
}

function placed({ pod, nth }: SeenPod, trouble: PodTrouble): readonly [string, Fault] {
  return [`pod with ${inWords[trouble.life]}`, { kind: 'pod', pod, nth, ...trouble }];
}

const inWords: Readonly<Record<PodTrouble['life'], string>> = {
  unschedulable: 'no node to fit on',
  'image-pull': 'an image that cannot be pulled',
  'slow-start': 'a slow start',
  'crash-loop': 'a container that crashes',
  flap: 'a probe that fails at times',
  evicted: 'a node that evicts it',
  'slow-stop': 'a slow stop',
};

/** A pod that is not deleted anyway has no stop that could be slow. */
function troubles({ lives, deleted }: SeenPod): readonly PodTrouble[] {
  return lives.flatMap((life) => (life === 'slow-stop' && !deleted ? [] : typical[life]));
}

const typical: Readonly<Record<PodTrouble['life'], readonly PodTrouble[]>> = {
  unschedulable: [{ life: 'unschedulable', forMs: waitsMs }],
  'image-pull': [{ life: 'image-pull', times: 2 }],
  'slow-start': [{ life: 'slow-start', forMs: waitsMs }],
  'crash-loop': [
    { life: 'crash-loop', times: 1 },
    { life: 'crash-loop', times: 4 },
  ],
  flap: [{ life: 'flap', times: 2, forMs: 20_000 }],
  evicted: [
    { life: 'evicted', afterMs: 500 },
    { life: 'evicted', afterMs: 5_000 },
  ],
  'slow-stop': [{ life: 'slow-stop' }],
};

/** Arbitraries of trouble for the pods, claims and nodes that there are; none without pods. @param moments when a node may fall silent */
export function lifeArbitraries(lives: SeenLives, moments: readonly number[]): readonly (readonly [FaultKind, fc.Arbitrary<Fault>])[] {
  const { pods, claims, nodes, allReplaced } = lives;
  const podFaults = Object.entries(troubleArbitraries).flatMap(([life, trouble]) => {
    const places = pods.filter((seen) => seen.lives.includes(life as PodTrouble['life']));
    if (places.length === 0) return [];
    return [fc.tuple(fc.constantFrom(...places), trouble).map(([{ pod, nth }, drawn]): Fault => ({ kind: 'pod', pod, nth, ...drawn }))];
  });
  const silence = fc.constantFrom(...(allReplaced ? [briefSilenceMs, longSilenceMs] : [briefSilenceMs]));
  return [
    ...(podFaults.length === 0 ? [] : [['pod', fc.oneof(...podFaults)] as const]),
    ...(claims.length === 0
      ? []
      : [
          ['claim', fc.tuple(fc.constantFrom(...claims), wait).map(([seen, forMs]): Fault => ({ kind: 'claim', ...seen, forMs }))] as const,
        ]),
    ...(nodes.length === 0 || moments.length === 0
      ? []
      : [
          [
            'node',
            fc
              .tuple(fc.constantFrom(...nodes), fc.constantFrom(...moments), silence)
              .map(([node, atMs, forMs]): Fault => ({ kind: 'node', node, atMs, forMs })),
          ] as const,
        ]),
  ];
}

const wait = fc.constantFrom(1_000, 10_000, 60_000, 300_000);
const times = fc.constantFrom(1, 2, 4);

const troubleArbitraries: Readonly<Record<PodTrouble['life'], fc.Arbitrary<PodTrouble>>> = {
  unschedulable: wait.map((forMs) => ({ life: 'unschedulable', forMs })),
  'image-pull': times.map((often) => ({ life: 'image-pull', times: often })),
  'slow-start': wait.map((forMs) => ({ life: 'slow-start', forMs })),
  'crash-loop': times.map((often) => ({ life: 'crash-loop', times: often })),
  flap: fc.tuple(times, fc.constantFrom(1_000, 10_000, 60_000)).map(([often, forMs]) => ({ life: 'flap', times: often, forMs })),
  evicted: fc.constantFrom(100, 1_000, 5_000, 30_000).map((afterMs) => ({ life: 'evicted', afterMs })),
  'slow-stop': fc.constant({ life: 'slow-stop' }),
};
