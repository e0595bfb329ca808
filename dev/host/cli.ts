// `npm run host -- --app DIR --port N`: any function app folder on this host, from the command line.
import { parseArgs } from 'node:util';
import { startHost } from './host.ts';
import type { FunctionInfo, Host } from './host.ts';

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

/** The list as Core Tools prints it. */
export function functionList(functions: FunctionInfo[], url: string): string {
  const lines = functions.map((info) => {
    const what =
      info.route === undefined
        ? info.trigger
        : `${info.methods!.length > 0 ? `[${info.methods!.join(',')}] ` : ''}${url}/${info.route}`;
    return `\t${info.name}: ${what}${info.error ? ` (not served: ${info.error})` : ''}\n`;
  });
  return `\nFunctions:\n\n${lines.join('\n')}`;
}

const args = readArguments();
if (args.help) {
  console.log(USAGE);
  process.exit(0);
}
if (args.app === undefined) usageError('--app is missing');
const port = args.port === undefined ? undefined : Number(args.port);
if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
  usageError(`--port ${args.port} is not a port number`);
}

let host: Host;
try {
  host = await startHost({
    app: args.app,
    ...(port !== undefined && { port }),
    ...(args.main !== undefined && { main: args.main }),
    enableAuth: args['enable-auth'],
    strict: !args.lenient,
  });
} catch (error) {
  console.error(`The app did not start: ${(error as Error).message}`);
  process.exit(1);
}
console.log(functionList(host.functions, `http://localhost:${host.port}`));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void host.stop().then(() => process.exit(0)));
}
