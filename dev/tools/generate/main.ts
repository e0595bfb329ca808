// npm run generate [-- --check | --record [operation …]]: writes everything that is generated, or reports what is stale.
// The examples of the OpenAPI document stay; with --record a running gateway answers those of the named operations anew,
// or all, and the transcripts of the intake.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeClientTypes } from '../../packages/client/generate.ts';
import { scriptArguments } from '../../services/script-arguments.ts';
import { endpointList } from './endpoint-list.ts';
import type { Output } from './outputs.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const usage = 'usage: npm run generate [-- --check | --record [operation …]]';
const { values, positionals } = scriptArguments(usage, {
  options: { check: { type: 'boolean' }, record: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.record === true ? values.check === true : positionals.length > 0) fail(usage);
const stale: string[] = [];

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

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

/** Runs another writer. Returns whether it succeeded. */
function runs(script: string, ...args: string[]): boolean {
  return (
    spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' }).status === 0
  );
}

// The schema of the database knows by itself whether the migrations have changed; a start of PostgreSQL takes seconds.
const schema = 'dev/tools/schema/write-schema.ts';
if (!runs(schema, '--check') && (values.check === true || !runs(schema))) process.exit(1);
const recordsAll = values.record === true && positionals.length === 0;
if (recordsAll && !runs('dev/tools/intake/record-transcripts.ts')) process.exit(1);
settle({ file: 'src/endpoints.ts', text: endpointList(root) });
try {
  // Only now, because these read the list.
  const { outputs } = await import('./outputs.ts');
  const { readDocumented } = await import('../openapi/documented-examples.ts');
  const { recordExamples } = await import('./record-examples.ts');
  const documented = readDocumented();
  const recorded = values.record === true ? recordExamples(root, positionals) : [];
  const anew = new Set(recorded.map(({ operation }) => operation));
  const examples = [...documented.filter(({ operation }) => !anew.has(operation)), ...recorded];
  for (const output of await outputs(root, examples)) settle(output);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
if (values.check === true && stale.length > 0) fail(`Stale: ${stale.join(', ')}. Run \`npm run generate\`.`);
if (values.check !== true) await makeClientTypes();
if (stale.length === 0) console.log('Everything generated is up to date.');
