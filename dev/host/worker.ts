// The child process in which the function app runs. It talks to the host through file descriptor 3 only, so
// that the app's own output stays the app's. Loading follows Azure's worker (startApp.ts, loadScriptFile.ts).
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { createAppState, installCoreModule } from './core-module.ts';
import type { Level } from './core-module.ts';
import { readFrames, writeFrame } from './frames.ts';
import { appHookData, hookContext, invoke, runHooks } from './invocation.ts';
import type { FromWorker, ToWorker } from './messages.ts';

const [folder = '.', main = '', packageType = 'commonjs'] = process.argv.slice(2);
const host = new Socket({ fd: 3, readable: true, writable: true });
const app = createAppState();
const appOnlyHookData = {};

function send(message: FromWorker, body?: Uint8Array): void {
  writeFrame(host, message, body && body.byteLength > 0 ? [body] : []);
}

/** The app's own logs, after its log hooks had a chance to rewrite them. */
function log(level: Level, category: string, message: string, invocationContext?: unknown): void {
  if (category !== 'user') {
    send({ type: 'log', level, message });
    return;
  }
  const entry = hookContext({ category, invocationContext, hookData: {}, appHookData }, { level, message });
  for (const hook of app.hooks.log) hook(entry);
  send({ type: 'log', level: entry.level, message: entry.message });
}

async function load(): Promise<void> {
  const files = globSync(main, { cwd: folder }).toSorted();
  if (files.length === 0) {
    const reason = /[*?{[]/.test(main)
      ? 'Found zero files matching the supplied pattern'
      : 'File does not exist';
    throw new Error(`Worker was unable to load entry point "${main}": ${reason}`);
  }
  for (const file of files) {
    const path = join(folder, file);
    const isModule = /\.m[jt]s$/.test(path) || (!/\.c[jt]s$/.test(path) && packageType === 'module');
    try {
      await (isModule ? import(pathToFileURL(path).href) : createRequire(path)(path));
    } catch (error) {
      throw new Error(`Worker was unable to load entry point "${file}": ${text(error)}`, { cause: error });
    }
  }
}

async function start(): Promise<void> {
  await load();
  await runHooks(
    app,
    'appStart',
    hookContext({ hookData: appOnlyHookData, appHookData }, { functionAppDirectory: folder }),
  );
  const capabilities = (await app.model?.getCapabilities?.({})) ?? {};
  if ('HttpUri' in capabilities) {
    throw new Error(
      'The app sets enableHttpStream. This host serves buffered apps only: remove enableHttpStream from app.setup().',
    );
  }
  app.started = true;
  send({ type: 'started', functions: [...app.functions.values()].map(({ metadata }) => metadata) });
}

async function handle(message: ToWorker, body: Buffer): Promise<void> {
  if (message.type === 'terminate') {
    await runHooks(app, 'appTerminate', hookContext({ hookData: appOnlyHookData, appHookData }, {}));
    process.exit(0);
  }
  try {
    const reply = await invoke(app, message, body, log);
    send(reply.message, reply.body);
  } catch (error) {
    send({ type: 'error', id: message.id, message: text(error) });
  }
}

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : format(error);
}

process.on('uncaughtException', (error) => {
  console.error(`Worker uncaught exception: ${text(error)}`);
  process.exit(1);
});
host.on('close', () => process.exit(0));
readFrames<ToWorker>(host, (message, body) => void handle(message, body));
process.chdir(folder);
installCoreModule(app, log);
start().catch((error: unknown) => send({ type: 'failed', message: text(error) }));
