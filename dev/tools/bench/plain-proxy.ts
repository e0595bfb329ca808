// The yardstick of a gateway that only forwards: Fastify with its own proxy plugin, as documented; no token, no validation, no
// record. Takes the address to forward to; runs in its own process.
import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

const [upstream = ''] = process.argv.slice(2);
const proxy = fastify();
await proxy.register(httpProxy, { upstream });
const address = await proxy.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));
process.on('disconnect', () => process.exit());
