import { join } from 'node:path';
import { type Child, inheritedEnvironment, startChild, waitUntilReady } from './child.ts';
import { createPortAllocator, type PortAllocator } from './free-port.ts';
import type { LockedFolder } from './folder-lock.ts';

export type AiOptions = {
  port?: number | undefined;
  /** Where the port comes from. By default any free one. */
  ports?: PortAllocator;
  logFile: string;
  /** The bearer token that it requires; none when undefined. */
  key?: string | undefined;
};

export type AiService = { child: Child; port: number; url: string };

/** Starts the reference AI service (dev/apps/ai-service) on 127.0.0.1 and waits until its /healthy answers 200. */
export async function startAiService(folder: LockedFolder, options: AiOptions): Promise<AiService> {
  const script = join(import.meta.dirname, '..', 'apps', 'ai-service', 'main.ts');
  const { ports = createPortAllocator() } = options;
  return ports.onFreePort(options.port, async (port) => {
    const args = [script, '--port', String(port)];
    const child = await startChild({
      name: 'AI service',
      command: process.execPath,
      args,
      env: {
        ...inheritedEnvironment(),
        ...(options.key === undefined ? {} : { AI_SERVICE_KEY: options.key }),
      },
      cwd: folder.path,
      logFile: options.logFile,
      stopSignal: 'SIGTERM',
      graceMs: 5000,
    });
    folder.note(child, args.join(' '));
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await fetch(`${url}/healthy`, { signal: AbortSignal.timeout(2000) })).ok;
    await waitUntilReady(child, ready, 60_000);
    return { child, port, url };
  });
}
