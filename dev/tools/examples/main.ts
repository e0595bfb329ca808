// npm run examples: records the examples of the OpenAPI document from the running gateway, and writes the document.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const commands = [
  'vitest run --config test/vitest.config.ts test/openapi/openapi-examples.db.test.ts --update',
  'node src/cli/openapi.ts',
];

for (const command of commands) {
  const [program = '', ...args] = command.split(' ');
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(1);
}
