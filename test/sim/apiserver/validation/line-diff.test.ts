import { describe, expect, it } from 'vitest';
import { lineDiff } from '../../../../src/sim/apiserver/validation/line-diff.js';

const lines = (...texts: readonly string[]) => texts.join('\n');

describe('the difference of two texts, as the server prints it (TK-10)', () => {
  it('is empty for equal texts', () => {
    expect(lineDiff(lines('a', 'b'), lines('a', 'b'))).toBe('');
  });

  it('shows three equal lines on each side of a change, and none of the rest', () => {
    const before = lines('1', '2', '3', '4', '5', '6', '7', '8', '9');
    const after = lines('1', '2', '3', '4', 'five', '6', '7', '8', '9');
    expect(lineDiff(before, after)).toBe('@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n');
  });

  it('is in parts when changes are far from each other', () => {
    const before = lines('a', '2', '3', '4', '5', '6', '7', '8', '9', 'b');
    const after = lines('A', '2', '3', '4', '5', '6', '7', '8', '9', 'B');
    expect(lineDiff(before, after)).toBe('@@ -1,4 +1,4 @@\n-a\n+A\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-b\n+B\n');
  });

  it('names a place before which lines are put, and lines that are gone', () => {
    expect(lineDiff(lines('a', 'b'), lines('a', 'x', 'b'))).toBe('@@ -1,2 +1,3 @@\n a\n+x\n b\n');
    expect(lineDiff(lines('a', 'x'), lines('a'))).toBe('@@ -1,2 +1 @@\n a\n-x\n');
  });
});
