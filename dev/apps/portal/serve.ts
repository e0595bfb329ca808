// npm run portal: the reference portal, in front of a gateway that runs already. `npm start` opens it as well.
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ViteDevServer } from 'vite';
import { run } from '../../services/lifecycle.ts';

const HOST = '127.0.0.1';
const DEFAULT_PORT = 5173;
const PORTS_TRIED = 20;

const portal = import.meta.dirname;
const project = join(portal, '..', '..', '..');

export interface Portal {
  /** Where people open it, such as `http://127.0.0.1:5173`. */
  url: string;
  /** The origins that a gateway in production must list in CORS_ORIGINS: both names of this machine. */
  origins: readonly string[];
  /**
   * From now on pages are served, for a gateway at this address; until then a visitor waits.
   *
   * @param cacheDir where Vite keeps what it makes of the packages; `.local/vite` without it.
   */
  serve: (gatewayUrl: string, cacheDir?: string) => void;
  stop: () => Promise<void>;
}

/**
 * Takes a port on the loopback interface at once, and loads Vite when the first visitor comes.
 *
 * @param wanted PORTAL_PORT; without it 5173, or the next free one.
 * @param reserved a port that somebody else is about to take.
 * @throws when `wanted` is no port, or in use.
 */
export async function openPortal(wanted?: string, reserved?: number): Promise<Portal> {
  const gateway = Promise.withResolvers<Served>();
  let isServing = false;
  const server = createServer();
  await listen(server, wanted, reserved);
  const { port } = server.address() as AddressInfo;

  let vite: Promise<ViteDevServer> | undefined;
  const pages = () => (vite ??= gateway.promise.then((served) => startVite(server, served)));
  server.on('request', (request, response) => {
    pages().then(
      ({ middlewares }) => middlewares(request, response),
      (error: unknown) => {
        console.error(error);
        response.writeHead(500).end('The portal does not start; the console says why.');
      },
    );
  });

  return {
    url: `http://${HOST}:${port}`,
    origins: [`http://${HOST}:${port}`, `http://localhost:${port}`],
    serve(gatewayUrl, cacheDir = join(project, '.local', 'vite')) {
      isServing = true;
      gateway.resolve({ gatewayUrl, cacheDir });
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
  if (wanted === undefined) return await listenFrom(server, DEFAULT_PORT, reserved);
  const port = Number(wanted);
  if (!/^\d+$/.test(wanted) || port > 65_535) {
    throw new Error(`PORTAL_PORT=${wanted} is not a port number (0 to 65535).`);
  }
  if (!(await tryToListen(server, port))) {
    throw new Error(`Port ${port} on ${HOST}, where PORTAL_PORT wants the portal, is in use.`);
  }
}

async function listenFrom(server: Server, first: number, reserved: number | undefined): Promise<void> {
  for (let port = first; port < first + PORTS_TRIED; port++) {
    if (port !== reserved && (await tryToListen(server, port))) return;
  }
  throw new Error(`No port from ${first} on is free for the portal. Choose one: PORTAL_PORT=5200 npm start`);
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

interface Served {
  gatewayUrl: string;
  cacheDir: string;
}

/** Vite is loaded here and not above: whoever does not open the portal does not wait for it. */
async function startVite(server: Server, { gatewayUrl, cacheDir }: Served): Promise<ViteDevServer> {
  const { createServer: createVite } = await import('vite');
  const client = realpathSync(fileURLToPath(new URL('..', import.meta.resolve('dermagate-client'))));
  return await createVite({
    root: portal,
    configFile: false,
    envDir: false,
    publicDir: false,
    cacheDir,
    logLevel: 'warn',
    clearScreen: false,
    define: { __GATEWAY_URL__: JSON.stringify(gatewayUrl) },
    server: {
      middlewareMode: { server },
      ws: { server },
      headers: {
        'content-security-policy': contentSecurityPolicy(gatewayUrl),
        'referrer-policy': 'no-referrer',
      },
      // Not the project's folder, which Vite would take by itself: the secrets of .local are in there.
      fs: { allow: [portal, client, join(project, 'node_modules'), cacheDir] },
    },
  });
}

/** Nothing comes from elsewhere, and nothing goes elsewhere than to the gateway. Vite puts styles inline. */
function contentSecurityPolicy(gatewayUrl: string): string {
  return [
    `default-src 'self'`,
    `connect-src 'self' ${new URL(gatewayUrl).origin}`,
    `img-src 'self' blob: data:`,
    `style-src 'self' 'unsafe-inline'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/**
 * The setting with which links in mails open this portal. A PORTAL_URL that differs from `usual`, the value of a fresh
 * checkout, wins.
 */
export function portalSettings(
  { url }: Pick<Portal, 'url'>,
  given: Readonly<Record<string, string | undefined>>,
  usual: Readonly<Record<string, string>>,
): Record<string, string> {
  const key = 'PORTAL_URL';
  return given[key] === undefined || given[key] === usual[key] ? { [key]: url } : {};
}

/** What to do before the gateway answers the portal; undefined when it does. */
async function obstacle(gatewayUrl: string, { url, origins }: Portal): Promise<string | undefined> {
  try {
    const { headers } = await fetch(new URL('/healthy', gatewayUrl), { headers: { origin: url } });
    if (headers.get('access-control-allow-origin') === url) return undefined;
    return `The gateway refuses calls from here. Start it with CORS_ORIGINS=${origins.join(',')}`;
  } catch {
    return 'No gateway answers there yet: npm start, or GATEWAY_URL=http://… npm run portal';
  }
}

if (import.meta.main) {
  await run(async (life) => {
    const gatewayUrl = process.env['GATEWAY_URL'] || 'http://127.0.0.1:7071';
    if (!URL.canParse(gatewayUrl)) throw new Error(`GATEWAY_URL=${gatewayUrl} is not an address.`);
    const portal = await openPortal(process.env['PORTAL_PORT'] || undefined);
    life.undo(portal.stop);
    portal.serve(gatewayUrl);
    console.log(`\n  Portal   ${portal.url}\n  Gateway  ${gatewayUrl}\n`);
    const problem = await obstacle(gatewayUrl, portal);
    if (problem !== undefined) console.log(`  ${problem}\n`);
  });
}
