// An AI service that finds no red flags, at once, so that what remains of a call's time is the gateway's: a process of its own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const reply = JSON.stringify({ hasRedFlags: false, flags: [], urgency: 'low', modelVersion: 'bench' });

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
  });
});
// Kept connections must not be closed between two rounds.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
