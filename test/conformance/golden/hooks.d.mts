export interface HookAnswer {
  delayMs: number;
  /** The connection ends without an answer. */
  close?: boolean;
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function answerHook(hook: unknown, review: unknown): HookAnswer;
