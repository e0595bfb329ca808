import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveUrlOf, openPortal, type Portal, portalSettings } from '../serve.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..', '..');
const GATEWAY = 'http://127.0.0.1:7071';

let portal: Portal;
beforeAll(async () => {
  portal = await openPortal('0');
  portal.serve({ gatewayUrl: GATEWAY });
});
afterAll(() => portal.stop());

test.each(['/', '/intake', '/reset-password', '/accept-invitation', '/verify-email'])(
  '%s is a page of the portal',
  async (path) => {
    const reply = await fetch(new URL(path, portal.url));
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain('<div id="app">');
  },
);

test('its pages may connect only to the portal and the gateway', async () => {
  const { headers } = await fetch(portal.url);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`default-src 'none'`);
  expect(policy).toContain(`connect-src 'self' ${GATEWAY};`);
  expect(policy).not.toContain('*');
});

test('the components are served compiled', async () => {
  const reply = await fetch(new URL('/src/app.tsx', portal.url));
  expect(reply.headers.get('content-type')).toContain('javascript');
  expect(await reply.text()).toContain('jsxDEV');
});

test('no other file of the project is served, least of all secrets', async () => {
  const secret = join(PROJECT, '.local', `portal-test-${process.pid}`);
  mkdirSync(dirname(secret), { recursive: true });
  writeFileSync(secret, 'secret');
  try {
    for (const file of [secret, join(PROJECT, 'package.json'), join(PROJECT, 'src', 'main.ts')]) {
      const reply = await fetch(`${portal.url}/@fs${file}`);
      expect([file, reply.status]).toEqual([file, 403]);
    }
  } finally {
    rmSync(secret);
  }
});

test('a request under a foreign host name gets nothing', async () => {
  const status = await new Promise((resolve, reject) => {
    request(portal.url, { headers: { host: 'evil.example' } }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

test.each([
  [{}, undefined],
  [{ WEBPUBSUB_ENDPOINT: 'https://live.example' }, 'https://live.example'],
  [
    { WEBPUBSUB_CONNECTION_STRING: 'Endpoint=http://127.0.0.1;Port=8080;AccessKey=a=b;Version=1.0;' },
    'http://127.0.0.1:8080',
  ],
  [{ WEBPUBSUB_CONNECTION_STRING: 'Endpoint=https://live.example;AccessKey=ab' }, 'https://live.example'],
])('live counts come from the service in the settings: %o', (settings, url) => {
  expect(liveUrlOf(settings)).toBe(url);
});

test('an invalid port and one in use are refused with a reason', async () => {
  await expect(openPortal('many')).rejects.toThrow('PORTAL_PORT=many is not a port number');
  const { port } = new URL(portal.url);
  await expect(openPortal(port)).rejects.toThrow(`Port ${port} on 127.0.0.1`);
  await expect(openPortal('5199', 5199)).rejects.toThrow('PORT and PORTAL_PORT are both 5199');
});

describe('links in mails', () => {
  const here = { url: 'http://127.0.0.1:5175' };
  const usual = { PORTAL_URL: 'http://localhost:5173' };

  test('open this portal, unless another is set', () => {
    expect(portalSettings(here, {}, usual)).toEqual({ PORTAL_URL: here.url });
    expect(portalSettings(here, usual, usual)).toEqual({ PORTAL_URL: here.url });
    expect(portalSettings(here, { PORTAL_URL: 'http://portal.example' }, usual)).toEqual({});
  });
});
