import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('packs what runs, and nothing that only the house needs', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
  const files: readonly string[] = JSON.parse(stdout)[0].files.map(({ path }: { readonly path: string }) => path);
  expect(files).toContain('README.md');
  expect(files.filter((file) => /tsbuildinfo|\/zoo|\.map$/.test(file))).toEqual([]);
});
