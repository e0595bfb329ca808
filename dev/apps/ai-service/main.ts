// Runs the reference AI service in its own process: `main.ts --port N`. Not for clinical use.
import { parseArgs } from 'node:util';
import { startAiService } from './server.ts';

function readPort(): number {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port ${values.port} is not a port number.`);
  return port;
}

try {
  const key = process.env.AI_SERVICE_KEY;
  const service = await startAiService({ port: readPort(), ...(key ? { key } : {}) });
  console.log(`Reference AI service (not for clinical use) listening on ${service.url}`);
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void service.stop().then(() => process.exit(0));
    });
  }
} catch (error) {
  console.error(`The AI service did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
