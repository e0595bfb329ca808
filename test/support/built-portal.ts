import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { buildPortal } from '../../dev/apps/portal/build.ts';
import { contentSecurityPolicy } from '../../dev/apps/portal/serve.ts';
import { afterwards } from './cleanup.ts';
import { tempFolder } from './temp-folder.ts';

const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };
const html = 'text/html; charset=utf-8';

/** An empty page of the portal's origin: a place to fill or empty what the browser stores of it. */
export const EMPTY_PAGE = '/empty-page';

export interface BuiltPortal {
  url: string;
  origins: readonly string[];
  /** Builds it for the gateway at this address; requests wait until then. */
  serve: (gatewayUrl: string) => void;
}

/**
 * The portal as a static site behind its Content-Security-Policy, gone with the file: a visit loads two files, where the
 * sources that `npm start` serves are a hundred.
 */
export async function openBuiltPortal(): Promise<BuiltPortal> {
  const built = Promise.withResolvers<{ folder: string; policy: string }>();
  async function answer(path: string, response: ServerResponse): Promise<void> {
    if (path === EMPTY_PAGE) {
      response.setHeader('content-type', html).end('<!doctype html><link rel=icon href=data:,>');
      return;
    }
    const { folder, policy } = await built.promise;
    const type = types[extname(path)];
    const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };
    response.writeHead(200, { ...headers, 'content-type': type ?? html });
    response.end(readFileSync(join(folder, type === undefined ? 'index.html' : path)));
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    // A file that is not there ends the connection: the page reports a failed request.
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
    serve(gatewayUrl) {
      const policy = contentSecurityPolicy(gatewayUrl);
      built.resolve(buildPortal(gatewayUrl, tempFolder()).then((folder) => ({ folder, policy })));
    },
  };
}
