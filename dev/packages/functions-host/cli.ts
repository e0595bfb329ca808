// `npm run host -- --app DIR --port N`: runs any function app folder on this host.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { functionList } from './function-list.ts';
import { startHost } from './host.ts';
import type { Host } from './host.ts';
import { readAppFiles } from './settings.ts';

const DEFAULT_PORT = 7071;
const USAGE = 'usage: npm run host -- --app DIR [--port N] [--main FILE] [--enable-auth] [--lenient]';

function usageError(problem: string): never {
  console.error(`${problem}\n${USAGE}`);
  process.exit(2);
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        app: { type: 'string' },
        port: { type: 'string' },
        main: { type: 'string' },
        'enable-auth': { type: 'boolean', default: false },
        lenient: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return usageError((error as Error).message);
  }
}

async function start(): Promise<Host> {
  const args = readArguments();
  if (args.help) {
    console.log(USAGE);
    process.exit(0);
  }
  if (args.app === undefined) return usageError('--app is missing');
  const port = Number(args.port);
  if (args.port !== undefined && !(/^\d+$/.test(args.port) && port <= 65_535)) {
    return usageError(`--port ${args.port} is not a port number`);
  }
  // npm runs scripts in the package's folder; a relative path is relative to the folder where npm was called.
  const app = resolve(process.env.INIT_CWD ?? '.', args.app);
  try {
    const host = await startHost({
      app,
      port: args.port === undefined ? (readAppFiles(app).localPort ?? DEFAULT_PORT) : port,
      ...(args.main !== undefined && { main: args.main }),
      enableAuth: args['enable-auth'],
      strict: !args.lenient,
    });
    const keyed = args['enable-auth'] ? 'each request' : 'requests to /admin';
    console.log(`\nSend the key with ${keyed}:\n\n\tx-functions-key: ${host.hostKey}`);
    return host;
  } catch (error) {
    console.error(`The app did not start: ${(error as Error).message}`);
    return process.exit(1);
  }
}

const host = await start();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void host.stop().then(() => process.exit(0)));
}
void host.ended.then((reason) => {
  console.error(`The host ended. ${reason}`);
  process.exit(1);
});
console.log(functionList(host.functions, `http://localhost:${host.port}`));
