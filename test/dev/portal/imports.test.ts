import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const PORTAL = join(import.meta.dirname, '..', '..', '..', 'dev', 'portal');

test('the portal knows the gateway by its client alone, as every other portal would', () => {
  const { dependencies } = JSON.parse(readFileSync(join(PORTAL, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const files = globSync('src/**/*.{ts,tsx}', { cwd: PORTAL });
  expect(files.length).toBeGreaterThan(40);
  const foreign = files.flatMap((file) =>
    [...readFileSync(join(PORTAL, file), 'utf8').matchAll(/\b(?:from|import) '([^']+)'/g)]
      .map(([, specifier = '']) => specifier)
      .filter((specifier) =>
        specifier.startsWith('.')
          ? !posix.join(posix.dirname(file), specifier).startsWith('src/')
          : !Object.keys(dependencies).some((name) => specifier === name || specifier.startsWith(`${name}/`)),
      )
      .map((specifier) => `${file} imports ${specifier}`),
  );
  expect(foreign).toEqual([]);
});
