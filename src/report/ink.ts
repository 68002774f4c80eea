/** How a text is coloured; a terminal's ink is made by whoever prints. */
export interface Ink {
  strong(text: string): string;
  bad(text: string): string;
  good(text: string): string;
  doubtful(text: string): string;
  faint(text: string): string;
}

const asItIs = (text: string): string => text;

/** Text without colours. */
export const noInk: Ink = { strong: asItIs, bad: asItIs, good: asItIs, doubtful: asItIs, faint: asItIs };
