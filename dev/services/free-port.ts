import { createServer } from 'node:net';

/** `preferred` when nothing listens there on 127.0.0.1, else a free port chosen by the system. */
export async function freePort(preferred?: number): Promise<number> {
  return preferred !== undefined && (await isFree(preferred)) ? preferred : listenBriefly(0);
}

/** Whether 127.0.0.1:`port` is free right now. */
export function isFree(port: number): Promise<boolean> {
  return listenBriefly(port).then(
    () => true,
    () => false,
  );
}

function listenBriefly(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}

/**
 * Runs `start` with a free port, first the preferred one. Another process can take the port before `start` binds it: `start`
 * then fails with an "address in use" message and is repeated with another port.
 */
export async function onFreePort<T>(
  preferred: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(attempt === 1 ? preferred : undefined);
    try {
      return await start(port);
    } catch (error) {
      const taken = error instanceof Error && /address already in use|EADDRINUSE/i.test(error.message);
      if (!taken || attempt === 5) throw error;
    }
  }
}
