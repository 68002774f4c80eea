import type { Counterexample, FoundBy } from '../campaign/counterexample.js';
import { entryCount } from '../campaign/plan-entries.js';
import { kindsSeen } from './decision-names.js';
import { type Ink, noInk } from './ink.js';
import { counted } from './numbers.js';
import { patternOf } from './patterns.js';
import { timeline, timelineText } from './timeline.js';
import { planWords } from './words.js';

/** How a failure is shown. */
export interface FailureOptions {
  /** The command that plays this run again. */
  readonly replay?: string;
  readonly ink?: Ink;
}

const width = 110;

/** What broke, what it takes, what happened, what it usually means, and how to see it again. */
export function failureText(counterexample: Counterexample, { replay, ink = noInk }: FailureOptions = {}): string {
  const { scenario, property, finding, plan, trace, calm, also } = counterexample;
  const kindOf = kindsSeen(trace, calm);
  const words = planWords(plan, kindOf);
  const pattern = patternOf(counterexample);
  const section = (title: string, lines: readonly string[]): readonly string[] => ['', `  ${ink.strong(title)}`, ...lines];
  return [
    `${ink.bad('✗')} ${ink.strong(`${scenario}: ${property} is broken`)}`,
    '',
    ...wrapped(capital(finding.message), 2),
    ...section(
      takes(counterexample),
      words.length === 0 ? [] : words.flatMap((sentence, index) => wrapped(sentence, 7, `    ${index + 1}. `)),
    ),
    ...section(
      'What happened (virtual time; ► is the evidence)',
      timelineText(timeline(counterexample, kindOf)).map((line) => (line.startsWith('►') ? `  ${ink.bad(line)}` : `  ${line}`)),
    ),
    ...(pattern === undefined
      ? []
      : section(`This looks like: ${pattern.name}`, [...wrapped(pattern.why, 4), ...wrapped(`Usual remedy: ${pattern.remedy}`, 4)])),
    ...(also.length === 0
      ? []
      : section(
          'Also broken in the same run',
          also.map((signature) => `    ${signature}`),
        )),
    ...(replay === undefined ? [] : section('Play it again', [`    ${ink.good(replay)}`])),
    '',
    `  ${ink.faint(provenance(counterexample))}`,
  ].join('\n');
}

function takes({ plan, minimal, foundBy }: Counterexample): string {
  const entries = entryCount(plan);
  if (entries === 0) return 'What it takes: nothing. It happens on a calm day.';
  if (foundBy.kind === 'replay') return 'What the plan says';
  const needed = entries === 1 ? 'without it all is well' : 'without any one of them all is well';
  return `What it takes (${minimal ? needed : 'perhaps not all of it'})`;
}

function provenance({ foundBy, foundEntries, executions, plan }: Counterexample): string {
  if (foundBy.kind === 'replay') return 'Replayed.';
  const entries = entryCount(plan);
  if (foundEntries === 0) return `Found by ${foundByText(foundBy)}.`;
  const size = counted(foundEntries, 'entry', 'entries');
  const shrunk =
    foundEntries === entries ? `its plan of ${size} could not be made smaller` : `its plan of ${size} was shrunk to ${entries}`;
  return `Found by ${foundByText(foundBy)}; ${shrunk} (${counted(executions, 'run')}).`;
}

/** How a failing plan was come by, in words that follow "found by". */
export function foundByText(foundBy: FoundBy): string {
  switch (foundBy.kind) {
    case 'calm day':
      return 'the calm run';
    case 'corpus':
      return `the corpus (${foundBy.file})`;
    case 'single fault':
      return `a single fault (${foundBy.placement})`;
    case 'random':
      return `random plan ${foundBy.run}`;
    case 'replay':
      return 'replay';
  }
}

/** Breaks a text into lines. @param first what the first line begins with instead of blanks */
export function wrapped(text: string, indent: number, first = ' '.repeat(indent)): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    } else line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line];
}

function capital(text: string): string {
  // A sentence may begin with a process or an object, whose names stay as they are.
  return /^(the|a|an|all) /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
