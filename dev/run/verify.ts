// npm run verify: everything that can be known without a database, in seconds. With `-- --before-tests` it leaves out the
// tests, for a script that runs `npm test` next.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { scriptArguments } from '../services/script-arguments.ts';

/** `command` has no argument with a space in it. */
type Step = {
  name: string;
  command: string;
  /** Whether `npm test` runs the same. */
  isTest?: boolean;
};
type Result = { name: string; passed: boolean; output: string };

const root = join(import.meta.dirname, '..', '..');

const { values: options } = scriptArguments('usage: npm run verify [-- --before-tests]', {
  options: { 'before-tests': { type: 'boolean', default: false } },
});

/** The longest first, so that none of them is left to run alone at the end. */
const allSteps: Step[] = [
  { name: 'types', command: 'tsc --noEmit' },
  { name: 'types of the portal', command: 'tsc --noEmit -p dev/apps/portal' },
  { name: 'lint', command: 'oxlint --type-aware' },
  {
    name: 'architecture, contract, infra',
    command:
      'vitest run --config test/vitest.config.ts --project unit test/architecture test/contract test/infra/bicep test/infra/watching dev/tools/pictures/diagrams dev/tools/openapi/document',
    isTest: true,
  },
  { name: 'types of the client', command: 'tsc --noEmit -p dev/packages/client' },
  { name: 'generated files are fresh', command: 'node dev/tools/generate/main.ts --check' },
  {
    name: 'openapi.json is valid',
    command: 'redocly lint dermagate --config dev/tools/openapi/redocly.yaml',
  },
  { name: 'format', command: 'oxfmt --check' },
  { name: 'templates', command: 'node dev/tools/infra/check-infra.ts' },
];

/**
 * Packages for other platforms that package-lock.json does not list although a package in it may need them:
 * `npm ci` refuses such a file on a fresh clone, or installs nothing on those platforms. npm leaves them out when
 * its registry does not have them.
 */
function missingFromLock(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      )
      .map((name) => `${name}, which ${path === '' ? 'package.json' : path} names, is missing`),
  );
}

function run({ name, command }: Step): Promise<Result> {
  const [program = '', ...args] = command.split(' ');
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const stop = () => child.kill();
  process.on('exit', stop);
  return new Promise((resolve) => {
    const end = (passed: boolean) => {
      process.off('exit', stop);
      resolve({ name, passed, output });
    };
    child.on('error', (error) => {
      output += error.message;
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

function report({ name, passed }: Result, startedAt: number) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(32)} ${seconds.padStart(5)} s`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

const results: Result[] = [];
const waiting = allSteps.filter(({ isTest }) => !(isTest === true && options['before-tests']));
async function work() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const startedAt = performance.now();
    const result = await run(step);
    report(result, startedAt);
    results.push(result);
  }
}
const lockCheckedAt = performance.now();
const missing = missingFromLock();
const lock = { name: 'package-lock.json', passed: missing.length === 0, output: missing.join('\n') };
report(lock, lockCheckedAt);
results.push(lock);
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));

const failed = results.filter(({ passed }) => !passed);
for (const { name, output } of failed) console.log(`\n--- ${name}\n${output.trim()}`);
console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
