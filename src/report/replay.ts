import { relative } from 'node:path';
import { match } from 'ts-pattern';
import type { PlanFile } from '../campaign/counterexample.js';
import type { Replay } from '../campaign/replay.js';
import { failureText } from './failure.js';
import { type Ink, noInk } from './ink.js';
import { divergenceLines } from './summary.js';

/** What a replayed plan came to. @param where the plan's file */
export function replayText(result: Replay, file: PlanFile, where: string, ink: Ink = noInk): string {
  const name = `${file.plan.scenario} under ${where}`;
  const expected = file.property === undefined ? [] : [`  It was kept because it broke ${file.property}: ${file.message ?? ''}`];
  const other =
    result.sameAsRecorded === false
      ? ['  The run is not the one that the file was written about: the operator or seatrial has changed.']
      : [];
  return [
    ...match(result)
      .returnType<readonly string[]>()
      .with({ outcome: 'violated' }, ({ counterexamples }) => counterexamples.map((each) => `${failureText(each, { ink })}\n`))
      .with({ outcome: 'held' }, () => [`${ink.good('✓')} ${ink.strong(name)}: every property held`, ...expected])
      .with({ outcome: 'inconclusive' }, ({ why }) => [`${ink.doubtful('?')} ${ink.strong(name)}: not decided: ${why}`, ...expected])
      .with({ outcome: 'stale' }, ({ unused }) => [
        `${ink.doubtful('?')} ${ink.strong(name)}: every property held, but the plan is out of date`,
        '  Never came into play:',
        ...unused.map((entry) => `    - ${entry}`),
        ...expected,
        '  If the operator is right now, delete the file; otherwise run seatrial fuzz to find the failure’s new shape.',
      ])
      .with({ outcome: 'not-deterministic' }, ({ divergence }) => [
        `${ink.bad('✗')} ${ink.strong(name)}: the same plan gave two different runs`,
        ...divergenceLines(divergence),
      ])
      .exhaustive(),
    ...other,
  ].join('\n');
}

/** The command that plays a plan again, for a shell in the folder where we are. */
export function replayCommand(planFile: string): string {
  return `npx seatrial replay ${shellWord(relative('.', planFile))}`;
}

function shellWord(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
