// npm run db:schema [-- --check]: writes migrations/schema.sql and src/lib/db/tables.ts from a database of its own, to
// which every migration was applied. `--check` needs none: it compares what they were made of (fingerprint.ts).
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateToLatest } from '../../../src/cli/migrate.ts';
import { removeWhenKilled } from '../../services/child.ts';
import { lockFolder } from '../../services/folder-lock.ts';
import { run } from '../../services/lifecycle.ts';
import { ensureDatabase, startPostgres } from '../../services/postgres.ts';
import { scriptArguments } from '../../services/script-arguments.ts';
import { fingerprint } from './fingerprint.ts';
import { readSchema, schemaFile } from './schema-file.ts';
import { generateTableTypes } from './table-types.ts';

const STALE = 'migrations/schema.sql or src/lib/db/tables.ts is not fresh: run `npm run db:schema`.';
const secret = () => randomBytes(18).toString('base64url');

const { values: options } = scriptArguments('usage: npm run db:schema [-- --check]', {
  options: { check: { type: 'boolean', default: false } },
});

function check(): void {
  const [first = '', ...rest] = readFileSync(schemaFile, 'utf8').replaceAll('\r\n', '\n').split('\n');
  if (first.includes(fingerprint(rest.join('\n')))) return;
  console.error(STALE);
  process.exitCode = 1;
}

if (options.check) check();
else {
  await run(async (life) => {
    const path = mkdtempSync(join(tmpdir(), 'dermagate-schema-'));
    const removed = removeWhenKilled(path);
    life.undo(() => {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
      removed();
    });
    const folder = await lockFolder(path, 'npm run db:schema');
    life.undo(folder.release);
    const logFile = join(path, 'postgres.log');
    const postgres = await startPostgres(folder, { superuserPassword: secret(), logFile, throwAway: true });
    life.undo(postgres.child.stop);
    const owner = { role: 'dermagate', password: secret(), database: 'schema' };
    const databaseUrl = await ensureDatabase(postgres, owner);
    await migrateToLatest(databaseUrl);
    await generateTableTypes(databaseUrl);
    const schema = await readSchema(databaseUrl);
    writeFileSync(schemaFile, `-- Inputs: sha256 ${fingerprint(schema)}\n${schema}`);
    console.log('migrations/schema.sql and src/lib/db/tables.ts written');
    await life.end(0);
  });
}
