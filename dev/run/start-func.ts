// npm run start:func: the built app under Azure's own host, Core Tools (`func start`), where those are installed.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buildApp } from './build.ts';
import { readLocalValues } from './local-settings.ts';
import { hostSettings } from './settings.ts';

const root = join(import.meta.dirname, '..', '..');

const MISSING = `Azure Functions Core Tools are not installed, so there is no \`func\` to start. Install them with
    npm install --global azure-functions-core-tools@4
or as https://learn.microsoft.com/azure/azure-functions/functions-run-local says.
They are not needed for development: \`npm start\` runs the same app on dev/packages/functions-host.`;

const NO_SETTINGS = `local.settings.json names no DATABASE_URL. Run \`npm run services\` in another terminal, which starts what the app
needs, migrates the database and writes its address there.`;

/** First `name` on the PATH that can be run; dev/run/run.mjs has put node_modules/.bin before all others. */
function find(name: string): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

const func = find('func') ?? refuse(MISSING);
const databaseUrl =
  process.env['DATABASE_URL'] || readLocalValues(join(root, 'local.settings.json'))['DATABASE_URL'];
if (databaseUrl === undefined || databaseUrl === '') refuse(NO_SETTINGS);
await buildApp(join(root, 'dist'));
const args = ['start', '--port', process.env['PORT'] ?? '7071', ...process.argv.slice(2)];
const child = spawn(func, args, {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...hostSettings, ...process.env, FUNCTIONS_CORE_TOOLS_TELEMETRY_OPTOUT: '1' },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A terminal's Ctrl-C has reached Core Tools already; it stops the app in order.
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
}
child.on('error', (error) => refuse(`${func}: ${error.message}`));
child.on('exit', (code) => process.exit(code ?? 1));
