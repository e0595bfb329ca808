// Part of npm run verify: checks syntax and names of the templates in infra/. Where the bicep CLI is installed, it also
// compiles and lints them, with warnings as errors.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { lintBicep } from './lint-bicep.ts';

const root = join(import.meta.dirname, '..', '..', '..');

function bicep(...args: string[]): { missing: boolean; problems: string } {
  const run = spawnSync('bicep', args, { cwd: root, encoding: 'utf8' });
  const missing = run.error !== undefined && 'code' in run.error && run.error.code === 'ENOENT';
  const output = `${run.stdout ?? ''}${run.stderr ?? ''}`
    .split('\n')
    .filter((line) => /\b(?:Error|Warning)\b/.test(line));
  return {
    missing,
    problems: run.status === 0 ? output.join('\n') : output.join('\n') || `bicep ${args.join(' ')} failed`,
  };
}

const problems = lintBicep(join(root, 'infra'));
if (bicep('--version').missing) {
  console.log('The bicep CLI is not installed: syntax and names were checked, types were not.');
} else {
  for (const file of globSync('infra/**/*.bicep', { cwd: root })) {
    for (const args of [
      ['lint', file],
      ['build', file, '--stdout'],
    ]) {
      const { problems: output } = bicep(...args);
      if (output !== '') problems.push(output);
    }
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
