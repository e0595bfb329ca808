// An AI service in its own process that immediately finds no red flags, so that the rest of a call's time is the gateway's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const reply = JSON.stringify({ hasRedFlags: false, flags: [], urgency: 'low', modelVersion: 'bench' });

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
  });
});
// Keep-alive connections must stay open between two rounds.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
