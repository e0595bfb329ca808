import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { register } from '../../../support/accounts.ts';
import { testApp } from '../../../support/app.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

// Web PubSub as it is on Azure: over TLS, without keys. The platform gives the app a token of its managed identity, and the
// service makes the token for a client.

const entraToken = 'token-of-the-identity';
const clientToken = 'token-of-the-client';

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A key and a certificate for 127.0.0.1 that is its own authority. */
function certificate() {
  const folder = tempFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=live', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['req', '-x509', '-nodes', ...kind, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  return { file: cert, key: readFileSync(key), cert: readFileSync(cert) };
}

const askedFor: URL[] = [];
/** App Service's token endpoint: https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference */
const identity = createServer(({ url, headers }, response) => {
  askedFor.push(new URL(url ?? '', 'http://identity'));
  const isOurs = headers['x-identity-header'] === 'header-of-the-platform';
  const expiry = { expires_on: `${Math.floor(Date.now() / 1000) + 3600}`, token_type: 'Bearer' };
  response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ access_token: entraToken, resource: 'x', client_id: 'x', ...expiry }));
});

let mode: 'works' | 'refuses' | 'hangs' = 'works';
const asked: { method: string | undefined; url: URL }[] = [];
const service: RequestListener = ({ method, url, headers }, response) => {
  const isAllowed = headers.authorization === `Bearer ${entraToken}` && mode === 'works';
  asked.push({ method, url: new URL(url ?? '', 'https://live') });
  if (mode === 'hangs') return;
  if (!isAllowed) return void response.writeHead(403).end();
  if (method === 'HEAD') return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ token: clientToken }));
};

const { file, ...pair } = certificate();
const [identityPort, port] = await Promise.all([
  listening(identity),
  listening(createTlsServer(pair, service) as unknown as Server),
]);
const app = await testApp({
  // The certificates that Node trusts, and where the identity is, are settings of a process.
  process: true,
  env: {
    WEBPUBSUB_ENDPOINT: `https://127.0.0.1:${port}`,
    NODE_EXTRA_CA_CERTS: file,
    IDENTITY_ENDPOINT: `http://127.0.0.1:${identityPort}/token`,
    IDENTITY_HEADER: 'header-of-the-platform',
    AZURE_CLIENT_ID: '11111111-2222-3333-4444-555555555555',
  },
});
const admin = await register(app, { role: 'admin' });
const negotiate = () => app.request('/api/v1/backoffice/subscribe-analytics', { token: admin.access_token });

test('the managed identity asks the service for a token that can receive from one group, and nothing else', async () => {
  const reply = await negotiate();
  expect([reply.status, await reply.json()]).toEqual([
    200,
    {
      url: `wss://127.0.0.1:${port}/client/hubs/analytics?access_token=${clientToken}`,
      protocol: 'json.webpubsub.azure.v1',
      hub: 'analytics',
      group: expect.stringMatching(/^tenant-1-\d+$/),
      expires_at: expect.any(String),
    },
  ]);
  expect(askedFor.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    expect.objectContaining({
      resource: 'https://webpubsub.azure.com',
      client_id: '11111111-2222-3333-4444-555555555555',
    }),
  ]);
  const [first] = asked;
  expect([first?.method, first?.url.pathname]).toEqual(['POST', '/api/hubs/analytics/:generateToken']);
  const { 'api-version': _, userId, ...query } = Object.fromEntries(first?.url.searchParams ?? []);
  expect(userId).toMatch(/^[0-9a-f-]{36}$/);
  expect(query).toEqual({ group: expect.stringMatching(/^tenant-1-\d+$/), minutesToExpire: '60' });
});

test.each(['refuses', 'hangs'] as const)(
  'a service that %s is 503, with how often to poll; no token is in the log',
  async (how) => {
    mode = how;
    let isNegotiated = false;
    const negotiated = negotiate().finally(() => (isNegotiated = true));
    // Other requests do not wait for it.
    expect((await app.request('/api/auth/me', { token: admin.access_token })).status).toBe(200);
    if (how === 'hangs') expect(isNegotiated).toBe(false);
    const reply = await negotiated;
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('30');
    expect(await reply.json()).toMatchObject({ code: 'live_unavailable', poll_after_seconds: 30 });
    const output = app.output.join('\n');
    expect(output).toContain('"event":"live_unavailable"');
    for (const token of [entraToken, clientToken]) expect(output).not.toContain(token);
  },
);
