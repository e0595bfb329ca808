import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverAddress } from '../../../src/lib/db/server-address.ts';
import { serverTls } from '../../../src/lib/db/server-tls.ts';

// The verdict on an address is compared with what the driver then does on the wire.

let server: Server;
const firstBytes: Buffer[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    // A server without TLS: `N` to a request for it. What expects no answer, such as a ClientHello, ends here as well.
    socket.once('data', (chunk) => {
      firstBytes.push(chunk);
      socket.end('N');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** SSLRequest of the PostgreSQL protocol, or the record of a ClientHello. */
const asksForTls = (bytes: Buffer) =>
  (bytes.length === 8 && bytes.readInt32BE(4) === 80_877_103) || bytes[0] === 0x16;

const queries = [
  '',
  'sslmode=',
  'sslmode=require',
  'sslmode=verify-full',
  'sslmode=no-verify',
  'sslmode=prefer',
  'sslmode=allow',
  'sslmode=disable',
  'sslmode=VERIFY-FULL',
  'sslmode=unheard-of',
  'SSLMODE=require',
  'ssl=true',
  'ssl=1',
  'ssl=0',
  'sslmode=disable&sslmode=verify-full',
  'sslmode=verify-full&sslmode=disable',
  'ssl=0&sslmode=require',
  'ssl=true&sslmode=disable',
  'uselibpqcompat=true&sslmode=prefer',
  'uselibpqcompat=true&sslmode=require',
  'uselibpqcompat=true&sslmode=disable',
  'sslnegotiation=direct',
  'host=127.0.0.1&sslmode=verify-full',
];

test.each(queries)('%j is judged by what the driver does', async (query) => {
  const { port } = server.address() as AddressInfo;
  const url = `postgresql://app:pw@127.0.0.1:${port}/dermagate?${query}`;
  firstBytes.length = 0;
  const client = new pg.Client({ ...serverAddress(url), connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await expect(client.connect()).rejects.toThrow();
  expect(asksForTls(firstBytes[0] ?? Buffer.of())).toBe(serverTls(url) !== 'local');
});

test.each(['ssl=TRUE', 'ssl=yes', 'sslmode=verify-full&sslrootcert=/nowhere/ca.pem'])(
  '%s is nothing that the driver can connect by',
  (query) => {
    expect(() => serverTls(`postgresql://app:pw@db.internal/dermagate?${query}`)).toThrow();
  },
);

test('PGSSLMODE does not stand in for the address', () => {
  const before = process.env['PGSSLMODE'];
  process.env['PGSSLMODE'] = 'require';
  try {
    expect(serverTls('postgresql://app:pw@db.internal/dermagate')).toBe('off');
  } finally {
    if (before === undefined) delete process.env['PGSSLMODE'];
    else process.env['PGSSLMODE'] = before;
  }
});
