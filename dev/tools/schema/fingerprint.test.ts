import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { fingerprint } from './fingerprint.ts';

const root = join(import.meta.dirname, '..', '..', '..');

function copy(): string {
  const folder = tempFolder();
  for (const part of ['migrations', 'dev/tools/schema']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  mkdirSync(join(folder, 'src', 'lib', 'db'), { recursive: true });
  cpSync(join(root, 'src/lib/db/tables.ts'), join(folder, 'src/lib/db/tables.ts'));
  return folder;
}

test('the fingerprint depends on texts and names, not on the place', () => {
  expect(fingerprint('schema', copy())).toBe(fingerprint('schema'));
});

describe('the fingerprint changes with', () => {
  test.each<[string, (folder: string) => void]>([
    ['a function', (folder) => appendFileSync(join(folder, 'migrations/functions/find_login.sql'), '-- x')],
    ['a new migration', (folder) => writeFileSync(join(folder, 'migrations/99-create-visits.ts'), '')],
    ['a function that is gone', (folder) => rmSync(join(folder, 'migrations/functions/find_login.sql'))],
    ['the rights', (folder) => appendFileSync(join(folder, 'migrations/rights/table-rights.ts'), '//')],
    ['the reader', (folder) => appendFileSync(join(folder, 'dev/tools/schema/read-catalogue.ts'), '//')],
    ['the types of tables', (folder) => appendFileSync(join(folder, 'src/lib/db/tables.ts'), '//')],
  ])('%s', (_what, change) => {
    const folder = copy();
    change(folder);
    expect(fingerprint('schema', folder)).not.toBe(fingerprint('schema'));
  });

  test('the schema itself', () => {
    expect(fingerprint('another schema')).not.toBe(fingerprint('schema'));
  });
});
