import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterwards } from './cleanup.ts';

/** What stands in for Application Insights; gone with the calling file (or test). */
export async function insightsSink() {
  const items: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const lines = gunzipSync(Buffer.concat(chunks)).toString().split('\n');
      items.push(...lines);
      const counts = { itemsReceived: lines.length, itemsAccepted: lines.length, errors: [] };
      response.end(JSON.stringify(counts));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const key = '11111111-2222-3333-4444-555555555555';
  return {
    connectionString: `InstrumentationKey=${key};IngestionEndpoint=http://127.0.0.1:${port}`,
    /** Metrics and spans received so far, one JSON text each. An app sends the last of them when it stops. */
    items,
  };
}
