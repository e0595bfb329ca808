import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { buildPortal, CONFIGURATION } from '../../dev/apps/portal/build.ts';
import {
  type Connections,
  fallsBack,
  headersOf,
  type SiteConfiguration,
} from '../../dev/apps/portal/site-headers.ts';
import { afterwards } from './cleanup.ts';
import { tempFolder } from './temp-folder.ts';

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** An empty page of the portal's origin: a place to fill or empty what the browser stores of it. */
export const EMPTY_PAGE = '/empty-page';

export interface BuiltPortal {
  url: string;
  origins: readonly string[];
  /** Builds it for this gateway; requests wait until then. */
  serve: (connections: Connections) => void;
}

/**
 * The static site as it deploys, served as Azure Static Web Apps would by the configuration in it, gone with the file: a
 * visit loads few files, where the sources that `npm start` serves are hundreds.
 */
export async function openBuiltPortal(): Promise<BuiltPortal> {
  const built = Promise.withResolvers<{ folder: string; configuration: SiteConfiguration }>();
  async function answer(path: string, response: ServerResponse): Promise<void> {
    if (path === EMPTY_PAGE) {
      // With another opener policy than the portal's, the history of the page would end here.
      response.setHeader('cross-origin-opener-policy', 'same-origin');
      response.setHeader('content-type', 'text/html').end('<!doctype html><link rel=icon href=data:,>');
      return;
    }
    const { folder, configuration } = await built.promise;
    const isFile = extname(path) !== '' && path !== `/${CONFIGURATION}` && existsSync(join(folder, path));
    const headers = headersOf(configuration, path);
    if (!isFile && !fallsBack(configuration, path)) {
      response.writeHead(404, headers).end();
      return;
    }
    const file = isFile ? path : configuration.navigationFallback.rewrite;
    response.writeHead(200, {
      ...headers,
      'content-type': types[extname(file)] ?? 'application/octet-stream',
    });
    response.end(readFileSync(join(folder, file)));
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    answer(pathname, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    origins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
    serve(connections) {
      built.resolve(
        buildPortal(connections, join(tempFolder(), 'portal')).then(({ folder }) => ({
          folder,
          configuration: JSON.parse(readFileSync(join(folder, CONFIGURATION), 'utf8')) as SiteConfiguration,
        })),
      );
    },
  };
}
