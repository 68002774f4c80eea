import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { trial } from '../../src/vitest/index.js';
import { sound } from '../campaign/web.js';

const root = join(import.meta.dirname, '../..');
/** Inside the repository, so that vitest finds its configuration and the package. */
const folder = mkdtempSync(join(import.meta.dirname, 'trial-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('trial', () => {
  // Registers a test of its own here, which passes.
  trial(sound, { runs: 20, corpus: folder });

  it('fails with the text of the failure and nothing of seatrial’s own stack, and keeps the plan', () => {
    const file = join(folder, 'twice.test.ts');
    writeFileSync(
      file,
      `import { trial } from 'seatrial/vitest';\nimport { twice } from '../../campaign/web.js';\ntrial(twice, { runs: 150 });\n`,
    );
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    const output = stdout + stderr;
    expect(output).toContain('twice-web keeps its properties whatever happens');
    expect(output).toContain('noDuplicateCreates is broken');
    expect(output).toContain('This looks like: created again from a stale cache');
    expect(output).not.toContain('src/campaign');
    expect(status).toBe(1);
    const kept = readdirSync(join(folder, 'corpus/twice-web'));
    const commands = kept.map((plan) => `npx seatrial replay ${relative(root, join(folder, 'corpus/twice-web', plan))}`);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(output).toContain(command);
    const [plan] = kept.map((name) => JSON.parse(readFileSync(join(folder, 'corpus/twice-web', name), 'utf8')));
    expect(plan.scenarioFile).toBe('../../twice.test.ts');
  });
});
