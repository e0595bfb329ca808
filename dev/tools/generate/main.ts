// npm run generate [-- --check | --record]: writes everything that is generated, or reports what is stale. The examples
// of the OpenAPI document are recorded from a running gateway where their inputs have changed; with --record all are,
// and the transcripts of the intake.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptArguments } from '../../services/script-arguments.ts';
import { endpointList } from './endpoint-list.ts';
import type { Output } from './outputs.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const { values } = scriptArguments('usage: npm run generate [-- --check | --record]', {
  options: { check: { type: 'boolean' }, record: { type: 'boolean' }, recorded: { type: 'boolean' } },
});
const stale: string[] = [];

function current(file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return '';
  }
}

/** Writes a file, or with --check only notes that it is stale. */
function settle({ file, text }: Output): void {
  if (current(file) === text) return;
  stale.push(file);
  if (values.check === true) return;
  writeFileSync(join(root, file), text);
  console.log(`${file} written.`);
}

/** Records the examples of these operations: the contract test of the endpoints writes them. */
function record(operations: readonly string[]): void {
  console.log(`Recording ${operations.join(', ')} …`);
  const args = ['run', '--config', 'test/vitest.config.ts', 'test/endpoints/contract.db.test.ts', '--update'];
  const only = values.record === true ? [] : ['-t', `\\b(${operations.join('|')})\\b`];
  const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const { status, stdout } = spawnSync('vitest', [...args, ...only], options);
  if (status === 0) return;
  console.error(`${stdout}\nThe contract test refuses what was recorded.`);
  process.exit(1);
}

/** Runs another writer. Returns whether it succeeded. */
function runs(script: string, ...args: string[]): boolean {
  return (
    spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' }).status === 0
  );
}

// The schema of the database knows by itself whether the migrations have changed; a start of PostgreSQL takes seconds.
const schema = 'dev/tools/schema/write-schema.ts';
if (values.recorded !== true && !runs(schema, '--check')) {
  if (values.check === true || !runs(schema)) process.exit(1);
}
if (values.record === true && !runs('dev/tools/intake/record-transcripts.ts')) process.exit(1);
settle({ file: 'src/endpoints.ts', text: endpointList(root) });
// Only now, because both read the list.
const { outputs } = await import('./outputs.ts');
const { staleRecordings } = await import('./stale-recordings.ts');
for (const output of await outputs(root)) settle(output);
const operations = await staleRecordings();
if (values.check === true) {
  stale.push(...operations.map((name) => `the recorded examples of ${name}`));
  if (stale.length > 0) {
    console.error(`Stale: ${stale.join(', ')}. Run \`npm run generate\`.`);
    process.exit(1);
  }
  console.log('Everything generated is up to date.');
} else if (values.recorded === true && operations.length > 0) {
  throw new Error(`The recordings of ${operations.join(', ')} are stale although they have just been made.`);
} else if (operations.length > 0 || values.record === true) {
  record(operations);
  // In a process that has not read the recordings of before.
  const { status } = spawnSync(process.execPath, [import.meta.filename, '--recorded'], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
} else if (stale.length === 0) console.log('Everything generated is up to date.');
