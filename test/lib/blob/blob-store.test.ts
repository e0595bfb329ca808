import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { BlobUnavailable, createBlobStore } from '../../../src/lib/blob/blob-store.ts';
import { afterwards } from '../../support/cleanup.ts';

// The store alone, over real sockets, to storage that stops in the middle.

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const missing: Behaviour = (_request, response) =>
  void response.writeHead(404, { 'x-ms-error-code': 'BlobNotFound' }).end();
const silent: Behaviour = () => undefined;
const stalled: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000', etag: '"1"' });
  response.write('x');
};

async function storeWith(limitMs: number) {
  const server = createServer((request, response) => {
    storage.urls.push(request.url ?? '');
    storage.behaviour(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => {
    server.close();
    server.closeAllConnections();
  });
  const storage = {
    behaviour: missing,
    urls: [] as string[],
    open: () =>
      new Promise<number>((resolve) => void server.getConnections((_error, count) => resolve(count))),
  };
  const { port } = server.address() as AddressInfo;
  const account = `AccountName=dev;AccountKey=${Buffer.alloc(64).toString('base64')}`;
  const connectionString = `DefaultEndpointsProtocol=http;${account};BlobEndpoint=http://127.0.0.1:${port}/dev;`;
  const timeLimits = { put: limitMs, get: limitMs, remove: limitMs, list: limitMs };
  // Loads the SDK, which would count as time of the first operation.
  const warm = createBlobStore({ connectionString, container: 'images' });
  expect(await warm.get('warm')).toBe(undefined);
  const store = createBlobStore({ connectionString, container: 'images', timeLimits });
  storage.urls.length = 0;
  return { store, storage };
}

type Operation = (store: ReturnType<typeof createBlobStore>) => Promise<unknown>;
const firstPage: Operation = async (store) => await store.list()[Symbol.asyncIterator]().next();

test.each<[string, Behaviour, Operation]>([
  ['a write', silent, (store) => store.put('a', [Buffer.alloc(100_000)], 'image/jpeg')],
  ['a read', silent, (store) => store.get('a')],
  ['a read whose body stalls', stalled, (store) => store.get('a')],
  ['a removal', silent, (store) => store.remove('a')],
  ['a page of the list', silent, firstPage],
  ['a page of the list whose body stalls', stalled, firstPage],
])('%s that storage leaves open ends with its time limit, and so does its connection', async (...given) => {
  const [, behaviour, operation] = given;
  const { store, storage } = await storeWith(300);
  storage.behaviour = behaviour;
  const failure = await operation(store).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(BlobUnavailable);
  expect(failure).toMatchObject({ cause: { name: 'TimeoutError' } });
  expect(storage.urls).toHaveLength(1);
  // One idle connection is left of the request before.
  await vi.waitFor(async () => expect(await storage.open()).toBeLessThanOrEqual(1));
});

test('a read ends when its caller has no more time', async () => {
  const { store, storage } = await storeWith(60_000);
  const ended = new AbortController();
  storage.behaviour = () => ended.abort();
  await expect(store.get('a', undefined, ended.signal)).rejects.toThrow(BlobUnavailable);
  await expect(store.get('a', undefined, ended.signal)).rejects.toThrow(BlobUnavailable);
  expect(storage.urls).toHaveLength(1);
});

test('a list continues after each of its pages', async () => {
  const { store, storage } = await storeWith(60_000);
  const pageOf = (name: string, next: string) =>
    `<?xml version="1.0"?><EnumerationResults ContainerName="images"><Blobs><Blob><Name>${name}</Name><Properties>` +
    '<Creation-Time>Thu, 01 Jan 2026 00:00:00 GMT</Creation-Time><Last-Modified>Thu, 01 Jan 2026 00:00:00 GMT' +
    `</Last-Modified><Etag>1</Etag></Properties></Blob></Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`;
  storage.behaviour = ({ url }, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(url?.includes('marker=second') === true ? pageOf('b', '') : pageOf('a', 'second'));
  const names: string[] = [];
  for await (const page of store.list()) names.push(...page.map(({ name }) => name));
  expect(names).toEqual(['a', 'b']);
  expect(storage.urls).toHaveLength(2);
});
