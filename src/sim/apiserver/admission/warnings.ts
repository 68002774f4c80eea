/** AD-14: no text twice, and none that a header cannot hold. */
export function addWarnings(warnings: string[], texts: readonly string[]): void {
  for (const text of texts) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be sent.
    if (text !== '' && !/[\u0000-\u001f\u007f]/.test(text) && !warnings.includes(text)) warnings.push(text);
  }
}

const mostCharacters = 4096;
const mostOfLong = 256;

/** AD-14: what is sent of a request's warnings when they are too much. The same list when they are not. */
export function sentWarnings(warnings: readonly string[]): readonly string[] {
  let total = 0;
  for (const text of warnings) total += [...text].length;
  if (total <= mostCharacters) return warnings;
  const sent: string[] = [];
  let written = 0;
  for (const text of warnings) {
    if (written >= mostCharacters) break;
    const cut = [...text].slice(0, mostOfLong);
    sent.push(cut.join(''));
    written += cut.length;
  }
  return sent;
}
