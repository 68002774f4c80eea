import type { Counterexample } from '../campaign/counterexample.js';
import { planText } from '../sim/plan-file.js';
import { kindsSeen } from './decision-names.js';
import { patternOf } from './patterns.js';
import { timeline, timelineText } from './timeline.js';
import { planWords } from './words.js';

/** A counterexample as a section of Markdown: for an issue, or for the summary of a build. */
export function failureMarkdown(counterexample: Counterexample, replay?: string): string {
  const { scenario, property, finding, plan, trace, calm, also } = counterexample;
  const kindOf = kindsSeen(trace, calm);
  const words = planWords(plan, kindOf);
  const pattern = patternOf(counterexample);
  return [
    `## ${scenario}: \`${property}\` is broken`,
    '',
    `${escaped(finding.message)}.`,
    '',
    '### What it takes',
    '',
    ...(words.length === 0 ? ['Nothing. It happens on a calm day.'] : words.map((sentence, index) => `${index + 1}. ${escaped(sentence)}`)),
    '',
    '### What happened',
    '',
    '```text',
    ...timelineText(timeline(counterexample, kindOf)),
    '```',
    ...(pattern === undefined
      ? []
      : ['', `### This looks like: ${pattern.name}`, '', pattern.why, '', `**Usual remedy.** ${pattern.remedy}`]),
    ...(also.length === 0 ? [] : ['', '### Also broken in the same run', '', ...also.map((signature) => `- ${escaped(signature)}`)]),
    ...(replay === undefined ? [] : ['', '### Play it again', '', '```sh', replay, '```']),
    '',
    '<details><summary>The plan</summary>',
    '',
    '```json',
    planText(plan),
    '```',
    '',
    '</details>',
    '',
  ].join('\n');
}

/** Names of objects may hold what Markdown takes for markup. */
function escaped(text: string): string {
  return text.replace(/[\\`*_<>[\]|]/g, '\\$&');
}
