// npm run portal: serves the reference portal for a running gateway. `npm start` serves it as well.
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ViteDevServer } from 'vite';
import portal from './package.json' with { type: 'json' };
import { scriptArguments } from '../../services/script-arguments.ts';
import { run } from '../../services/lifecycle.ts';
import { DEFAULT_PORTAL_PORT } from '../../services/start-services.ts';
import { type Connections, contentSecurityPolicy } from './site-headers.ts';

const HOST = '127.0.0.1';
const PORTS_TRIED = 20;

const portalFolder = import.meta.dirname;
const project = join(portalFolder, '..', '..', '..');

export interface Portal {
  /** Address to open in a browser, such as `http://127.0.0.1:5173`. */
  url: string;
  /** The origins that a gateway in production must list in CORS_ORIGINS: both names of this machine. */
  origins: readonly string[];
  /** Starts serving pages for this gateway; until then requests wait. */
  serve: (connections: Connections) => void;
  stop: () => Promise<void>;
}

/**
 * Binds a loopback port immediately and loads Vite on the first request.
 *
 * @param wanted PORTAL_PORT; by default 5173 or the next free port.
 * @param reserved a port that another server is about to bind.
 * @throws when `wanted` is not a port number or is in use.
 */
export async function openPortal(wanted?: string, reserved?: number): Promise<Portal> {
  const gateway = Promise.withResolvers<Connections>();
  let isServing = false;
  const server = createServer();
  await listen(server, wanted, reserved);
  const { port } = server.address() as AddressInfo;

  let vite: Promise<ViteDevServer> | undefined;
  const pages = () => (vite ??= gateway.promise.then((connections) => startVite(server, connections)));
  server.on('request', (request, response) => {
    pages().then(
      ({ middlewares }) => middlewares(request, response),
      (error: unknown) => {
        console.error(error);
        response.writeHead(500).end('The portal did not start; see the console.');
      },
    );
  });

  return {
    url: `http://${HOST}:${port}`,
    origins: [`http://${HOST}:${port}`, `http://localhost:${port}`],
    serve(connections) {
      isServing = true;
      gateway.resolve(connections);
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      if (isServing) await (await vite)?.close();
    },
  };
}

async function listen(
  server: Server,
  wanted: string | undefined,
  reserved: number | undefined,
): Promise<void> {
  if (wanted === undefined) return await listenFrom(server, DEFAULT_PORTAL_PORT, reserved);
  const port = Number(wanted);
  if (!/^\d+$/.test(wanted) || port > 65_535) {
    throw new Error(`PORTAL_PORT=${wanted} is not a port number (0 to 65535).`);
  }
  if (port === reserved && port !== 0) {
    throw new Error(`PORT and PORTAL_PORT are both ${port}. Choose another: PORTAL_PORT=5200 npm start`);
  }
  if (!(await tryToListen(server, port))) {
    throw new Error(`Port ${port} on ${HOST} (PORTAL_PORT) is in use.`);
  }
  if ((server.address() as AddressInfo).port !== reserved) return;
  // Only where the system has chosen it.
  server.close();
  await once(server, 'close');
  await listen(server, wanted, reserved);
}

async function listenFrom(server: Server, first: number, reserved: number | undefined): Promise<void> {
  for (let port = first; port < first + PORTS_TRIED; port++) {
    if (port !== reserved && (await tryToListen(server, port))) return;
  }
  throw new Error(
    `No free port for the portal from ${first} to ${first + PORTS_TRIED - 1}. Choose one: PORTAL_PORT=5200 npm start`,
  );
}

async function tryToListen(server: Server, port: number): Promise<boolean> {
  server.listen({ port, host: HOST, exclusive: true });
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** What serving and building have in common; nothing is read from files of Vite's own. */
export function sharedOptions(gatewayUrl: string) {
  return {
    root: portalFolder,
    configFile: false as const,
    envDir: false as const,
    publicDir: join(portalFolder, 'public'),
    define: { __GATEWAY_URL__: JSON.stringify(gatewayUrl), __VERSION__: JSON.stringify(portal.version) },
  };
}

/** Loads Vite here rather than at the top, so that a start without a portal visitor does not pay for it. */
async function startVite(server: Server, connections: Connections): Promise<ViteDevServer> {
  const cacheDir = join(project, '.local', 'vite');
  const { createServer: createVite } = await import('vite');
  const client = realpathSync(fileURLToPath(new URL('..', import.meta.resolve('dermagate-client'))));
  return await createVite({
    ...sharedOptions(connections.gatewayUrl),
    cacheDir,
    logLevel: 'warn',
    clearScreen: false,
    server: {
      middlewareMode: { server },
      ws: { server },
      headers: {
        'content-security-policy': contentSecurityPolicy(connections, [`'unsafe-inline'`]),
        'referrer-policy': 'no-referrer',
      },
      // Not the project's folder, which is Vite's default: `.local` contains secrets.
      fs: { allow: [portalFolder, client, join(project, 'node_modules'), cacheDir] },
    },
  });
}

/**
 * The setting that makes links in mails open this portal. A PORTAL_URL other than the one in `usual`, the example
 * settings, takes precedence.
 */
export function portalSettings(
  { url }: Pick<Portal, 'url'>,
  given: Readonly<Record<string, string | undefined>>,
  usual: Readonly<Record<string, string>>,
): Record<string, string> {
  const key = 'PORTAL_URL';
  return given[key] === undefined || given[key] === usual[key] ? { [key]: url } : {};
}

/**
 * Where the live counts of a gateway with these settings come from; undefined without any. A connection string is
 * `Endpoint=http://127.0.0.1;AccessKey=…;Port=…;Version=1.0;`.
 */
export function liveUrlOf(settings: Readonly<Record<string, string | undefined>>): string | undefined {
  const connection = settings['WEBPUBSUB_CONNECTION_STRING'];
  if (connection === undefined) return settings['WEBPUBSUB_ENDPOINT'];
  const member = (name: string) => new RegExp(`(?:^|;)${name}=([^;]+)`).exec(connection)?.[1];
  const [endpoint, port] = [member('Endpoint'), member('Port')];
  if (endpoint === undefined || !URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  if (port !== undefined) url.port = port;
  return url.origin;
}

/** What stops the gateway from answering the portal, and the remedy; undefined when it answers. */
async function obstacle(gatewayUrl: string, { url, origins }: Portal): Promise<string | undefined> {
  try {
    const { headers } = await fetch(new URL('/healthy', gatewayUrl), { headers: { origin: url } });
    if (headers.get('access-control-allow-origin') === url) return undefined;
    return `The gateway refuses calls from this origin. Start it with CORS_ORIGINS=${origins.join(',')}`;
  } catch {
    return 'The gateway does not answer. Start one with `npm start`, or name one: GATEWAY_URL=http://… npm run portal';
  }
}

if (import.meta.main) {
  scriptArguments('usage: npm run portal     (GATEWAY_URL, LIVE_URL and PORTAL_PORT in the environment)', {});
  await run(async (life) => {
    const gatewayUrl = process.env['GATEWAY_URL'] || 'http://127.0.0.1:7071';
    if (!URL.canParse(gatewayUrl)) throw new Error(`GATEWAY_URL=${gatewayUrl} is not an address.`);
    const portal = await openPortal(process.env['PORTAL_PORT'] || undefined);
    life.undo(portal.stop);
    const liveUrl = process.env['LIVE_URL'] || undefined;
    if (liveUrl !== undefined && !URL.canParse(liveUrl))
      throw new Error(`LIVE_URL=${liveUrl} is not an address.`);
    portal.serve({ gatewayUrl, liveUrl });
    console.log(`\n  Portal   ${portal.url}\n  Gateway  ${gatewayUrl}\n`);
    const problem = await obstacle(gatewayUrl, portal);
    if (problem !== undefined) console.log(`  ${problem}\n`);
  });
}
