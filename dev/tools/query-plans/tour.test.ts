import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refuseMisspelt } from '../bench/rig.ts';
import { tour } from './tour.ts';
import type { Host } from '../../packages/functions-host/host.ts';
import { afterwards } from '../../../test/support/cleanup.ts';

const openapi = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json'), 'utf8');
const uuid = '0193a8f0-0000-7000-8000-000000000000';

/** A gateway that takes whatever comes, as ours ignores a query parameter that it does not know. */
async function lenientGateway(document: string) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    seen.push(request.url ?? '');
    const body = { images: [{ url: `/api/common/images/${uuid}` }] };
    response.statusCode = request.url === '/api/common/store_images' ? 201 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(request.url === '/api/openapi.json' ? document : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const steps = tour({ url: `http://127.0.0.1:${port}` } as Host, [], new Uint8Array(1));
  const run = async (name: string) => await steps.find(({ functions }) => functions[0] === name)?.run();
  return { run, seen };
}

test('the tour asks for the thumbnail by the name that the parameter has', async () => {
  const { run, seen } = await lenientGateway(openapi);
  await run('storeImages');
  await run('getImage');
  expect(seen.slice(-2)).toEqual([
    `/api/common/images/${uuid}`,
    `/api/common/images/${uuid}?variant=thumbnail`,
  ]);
});

test('a step that sends a parameter that the app does not publish fails, although the app answers', async () => {
  const { run } = await lenientGateway(openapi.replace('"name": "variant"', '"name": "size"'));
  await run('storeImages');
  await expect(run('getImage')).rejects.toThrow('getImage has no query parameter variant, only size');
});

test.each([
  ['/api/auth/me?fast=true', /has no query parameter fast/],
  ['/api/auth/mee', /has no GET/],
])('a benchmark of %s is refused', (path, fault) => {
  const load = { kind: 'http', origin: 'http://x', method: 'GET', path, status: 200 } as const;
  expect(() => refuseMisspelt(load)).toThrow(fault);
  expect(() => refuseMisspelt({ ...load, path: '/bare?anything=goes' })).not.toThrow();
  expect(() => refuseMisspelt({ ...load, path: '/api/auth/me' })).not.toThrow();
});
