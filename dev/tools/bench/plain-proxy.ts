// The yardstick of a gateway that does nothing but pass on: Fastify with its own proxy plugin, as its documentation
// has it; no token, no check, no record. Takes the address to pass on to; a process of its own.
import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

const [upstream = ''] = process.argv.slice(2);
const proxy = fastify();
await proxy.register(httpProxy, { upstream });
const address = await proxy.listen({ host: '127.0.0.1', port: 0 });
process.send?.(Number(new URL(address).port));
process.on('disconnect', () => process.exit());
