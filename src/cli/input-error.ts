/** Something that the user gave cannot be used. The message says what was expected, where, and what to do. */
export class InputError extends Error {}

/** Errors of the user's making, by their names: their messages are complete, and nobody needs to see a stack. */
const userErrors: ReadonlySet<string> = new Set(['ScenarioError', 'PlanError', 'WorldError', 'OperatorError', 'ActError', 'WebhookError']);

/** The message for a user's error; undefined for an error of seatrial's own. */
export function userMessage(error: unknown): string | undefined {
  if (error instanceof InputError) return error.message;
  if (!(error instanceof Error)) return undefined;
  return userErrors.has(error.name) ? error.message : fileMessage(error);
}

/** The file system's own words say what and where: `EACCES: permission denied, mkdir 'corpus'`. */
function fileMessage({ message, ...error }: NodeJS.ErrnoException): string | undefined {
  return error.syscall === undefined || error.path === undefined ? undefined : `a file or folder cannot be used: ${message}`;
}

/** An error that came out of somebody's file: what it says, and the line of that file it came from. */
export function innermost(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error);
  const message = (error.message.split('\n')[0] ?? '').trim();
  const [, line] = new RegExp(`${escaped(file)}:(\\d+)`).exec(error.stack ?? '') ?? [];
  return line === undefined || message.includes(file) ? message : `${message} (line ${line})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
