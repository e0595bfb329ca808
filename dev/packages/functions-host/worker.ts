// The child process that runs the function app. It communicates with the host through file descriptor 3 only, so that
// standard output belongs to the app. Loading follows Azure's worker (startApp.ts, loadScriptFile.ts).
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { createAppState, installCoreModule } from './core-module.ts';
import type { Level } from './core-module.ts';
import { hookContext, invoke, runHooks } from './invocation.ts';
import { frameReader, writeFrame } from './wire.ts';
import type { FromWorker, ToWorker } from './wire.ts';

const READ_BUFFER_BYTES = 256 * 1024;

const [folder = '.', main = '', packageType = 'commonjs'] = process.argv.slice(2);
const app = createAppState();
const appOnlyHookData = {};

// One buffer for all reads: the frame reader copies from it, so no chunk is allocated.
const readBuffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);
const read = frameReader((message, body) => void handle(message as ToWorker, body));
const host = new Socket({
  fd: 3,
  readable: true,
  writable: true,
  onread: {
    buffer: readBuffer,
    callback: (bytes) => {
      read(readBuffer.subarray(0, bytes));
      return true;
    },
  },
});

function send(message: FromWorker, body?: Uint8Array): void {
  writeFrame(host, message, body && body.byteLength > 0 ? [body] : []);
}

function log(level: Level, category: string, message: string, invocationContext?: unknown): void {
  const entry = hookContext(
    { category, invocationContext, hookData: {}, appHookData: app.hookData },
    { level, message },
  );
  if (category === 'user') for (const hook of app.hooks.log) hook(entry);
  send({ type: 'log', level: entry.level, category, message: entry.message });
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
  if (main === '') throw new Error('package.json names no "main", so there is no app to load');
  await load();
  const context = { functionAppDirectory: folder };
  await runHooks(
    app,
    'appStart',
    hookContext({ hookData: appOnlyHookData, appHookData: app.hookData }, context),
  );
  const capabilities = (await app.model?.getCapabilities?.({})) ?? {};
  if ('HttpUri' in capabilities) {
    const message =
      'The app sets enableHttpStream, but this host runs buffered apps only: remove it from app.setup().';
    send({ type: 'failed', message, unsupported: true });
    return;
  }
  app.started = true;
  send({ type: 'started', functions: [...app.functions.values()].map(({ metadata }) => metadata) });
}

async function handle(message: ToWorker, body: Buffer): Promise<void> {
  if (message.type === 'terminate') {
    await terminate();
    return;
  }
  try {
    const outcome = await invoke(app, message, body, log);
    send(outcome.message, outcome.body);
  } catch (error) {
    send({ type: 'error', id: message.id, message: text(error) });
  }
}

async function terminate(): Promise<void> {
  try {
    await runHooks(
      app,
      'appTerminate',
      hookContext({ hookData: appOnlyHookData, appHookData: app.hookData }, {}),
    );
  } catch (error) {
    console.error(`An appTerminate hook failed: ${text(error)}`);
  }
  setImmediate(() => process.exit(0)); // after the corked frames
}

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : format(error);
}

// Ctrl-C reaches the whole process group; the host decides when this process ends.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('uncaughtException', (error) => {
  console.error(`Worker uncaught exception: ${text(error)}`);
  process.exit(1);
});
for (const event of ['close', 'error']) host.on(event, () => process.exit(0)); // the host is gone
process.chdir(folder);
installCoreModule(() => app, log);
start().catch((error: unknown) => send({ type: 'failed', message: text(error) }));
