import { createServer } from 'node:net';

/** Hands out ports of 127.0.0.1, each once. */
export type PortAllocator = {
  /**
   * Runs `start` with a free port, first the preferred one. Another process can take the port before `start` binds it:
   * `start` then fails with an "address in use" message and is repeated with another port.
   */
  onFreePort<T>(preferred: number | undefined, start: (port: number) => Promise<T>): Promise<T>;
};

/**
 * @param except never handed out: others are asked to listen there, though they do not yet.
 * @param wanted handed out only to who prefers them.
 */
export function createPortAllocator(
  except: readonly number[] = [],
  wanted: readonly number[] = [],
): PortAllocator {
  // A port that was found free stays free until its service binds it: a second search can find it again.
  const gone = new Set(except);
  const preferences = new Set(wanted);

  /** Synchronous, so that of two simultaneous searches only one gets the port. */
  function take(port: number): boolean {
    if (gone.has(port)) return false;
    gone.add(port);
    return true;
  }

  async function freePort(preferred: number | undefined): Promise<number> {
    if (preferred !== undefined && take(preferred) && (await isFree(preferred))) return preferred;
    for (;;) {
      const port = await listenBriefly(0);
      if (!preferences.has(port) && take(port)) return port;
    }
  }

  return {
    async onFreePort(preferred, start) {
      for (let attempt = 1; ; attempt++) {
        const port = await freePort(attempt === 1 ? preferred : undefined);
        try {
          return await start(port);
        } catch (error) {
          const taken = error instanceof Error && /address already in use|EADDRINUSE/i.test(error.message);
          if (!taken || attempt === 5) throw error;
        }
      }
    },
  };
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
