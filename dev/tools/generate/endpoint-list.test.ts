import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { endpointList } from './endpoint-list.ts';

const root = join(import.meta.dirname, '..', '..', '..');

function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

test('src/endpoints.ts lists the files below src/functions', () => {
  expect(readFileSync(join(root, 'src', 'endpoints.ts'), 'utf8')).toBe(endpointList(root));
});

test('an endpoint that does not compile is listed, in the order of the paths', () => {
  const folder = projectWith({
    'src/functions/b/do-it.ts': `import { gone } from './gone.ts';\nexport const doIt = endpoint({`,
    'src/functions/a/see-it.ts': 'export const seeIt = endpoint({ name: 1 });',
  });
  const list = endpointList(folder);
  expect(list).toContain(
    `import { seeIt } from './functions/a/see-it.ts';\nimport { doIt } from './functions/b/do-it.ts';`,
  );
  expect(list).toContain('[\n  seeIt,\n  doIt,\n]');
});

test('a file below src/functions that exports no endpoint, or two, is refused', () => {
  const two = 'export const one = endpoint({});\nexport const two = endpoint({});';
  expect(() => endpointList(projectWith({ 'src/functions/a/b.ts': 'export const x = 1;' }))).toThrow(
    'src/functions/a/b.ts exports 0 endpoints, not one.',
  );
  expect(() => endpointList(projectWith({ 'src/functions/a/b.ts': two }))).toThrow('exports 2 endpoints');
});
