/** Something is wrong with an expression before it is evaluated. */
export class CelIssue extends Error {
  /** @param at the offset in the source that it is about. */
  constructor(
    readonly text: string,
    readonly at: number,
  ) {
    super(text);
  }
}

/** Issues as cel-go prints them: each with its line, and a mark under the place. */
export function issuesText(source: string, issues: readonly CelIssue[]): string {
  return issues
    .map(({ text, at }) => {
      const before = source.slice(0, at);
      const line = before.split('\n').length;
      const column = [...before.slice(before.lastIndexOf('\n') + 1)].length;
      const snippet = (source.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
      return `ERROR: <input>:${line}:${column + 1}: ${text}\n | ${snippet}\n | ${'.'.repeat(column)}^`;
    })
    .join('\n');
}
