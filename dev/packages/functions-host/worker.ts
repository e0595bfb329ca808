// The child process that runs the function app. It communicates with the host through file descriptor 3 only, so that
// standard output belongs to the app.
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { createAppState, installCoreModule } from './core-module.ts';
import type { Level } from './core-module.ts';
import { invoke } from './invocation.ts';
import { frameReader, writeFrame } from './wire.ts';
import type { FromWorker, ToWorker } from './wire.ts';

const READ_BUFFER_BYTES = 256 * 1024;

const [folder = '.', main = ''] = process.argv.slice(2);
const app = createAppState();
const log = (level: Level, category: string, message: string, id?: string) =>
  send({ type: 'log', level, category, message, ...(id !== undefined && { id }) });

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

async function start(): Promise<void> {
  if (main === '') throw new Error('package.json names no "main", so there is no app to load');
  const file = join(folder, main);
  if (!existsSync(file))
    throw new Error(`Worker was unable to load entry point "${main}": File does not exist`);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    throw new Error(`Worker was unable to load entry point "${main}": ${text(error)}`, { cause: error });
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
    for (const hook of app.appTerminate) await hook({});
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
