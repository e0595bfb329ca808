// An AI service in its own process that immediately finds nothing, so that the rest of a call's time is the gateway's. It
// answers each route in its own shape: to call something else a failure costs the gateway more than the call.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const redFlags = JSON.stringify({ hasRedFlags: false, flags: [], urgency: 'low', modelVersion: 'bench' });
const triage = JSON.stringify({
  priority: 'self_care',
  urgencyScore: 0,
  recommendedAction: 'self_care_advice',
  reasons: [],
  modelVersion: 'bench',
});

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const reply = request.url === '/triage' ? triage : redFlags;
    response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
  });
});
// Keep-alive connections must stay open between two rounds.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
