import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BlobServiceClient } from '@azure/storage-blob';
import { type Child, inheritedEnvironment, startChild, waitUntilReady } from './child.ts';
import { createPortAllocator, type PortAllocator } from './free-port.ts';
import type { LockedFolder } from './folder-lock.ts';

export type AzuriteOptions = {
  port?: number | undefined;
  /** Where the port comes from. By default any free one. */
  ports?: PortAllocator;
  /** Base64 of 64 bytes, as an account key is. */
  accountKey: string;
  logFile: string;
  /** Stores nothing on disk. */
  inMemory?: boolean;
};

export type Azurite = { child: Child; port: number; connectionString: string };

const ACCOUNT = 'dermagate';

/**
 * Starts Azurite's blob service on 127.0.0.1 with its data in `folder/azurite` and an account of our own: with the
 * documented default key every other user of this machine could open it.
 */
export async function startAzurite(folder: LockedFolder, options: AzuriteOptions): Promise<Azurite> {
  const data = join(folder.path, 'azurite');
  const packageFile = createRequire(import.meta.url).resolve('azurite/package.json');
  const script = join(dirname(packageFile), 'dist/src/blob/main.js');
  const store = options.inMemory === true ? ['--inMemoryPersistence'] : ['--location', data];
  const { ports = createPortAllocator() } = options;
  return ports.onFreePort(options.port, async (port) => {
    const address = ['--blobHost', '127.0.0.1', '--blobPort', String(port)];
    // Telemetry is on by default; the client library knows newer API versions than the emulator.
    const modes = ['--silent', '--disableTelemetry', '--disableProductStyleUrl', '--skipApiVersionCheck'];
    const child = await startChild({
      name: 'Azurite',
      command: process.execPath,
      args: [script, ...address, ...store, ...modes],
      env: {
        ...inheritedEnvironment(),
        AZURITE_ACCOUNTS: `${ACCOUNT}:${options.accountKey}`,
      },
      cwd: folder.path,
      logFile: options.logFile,
      stopSignal: 'SIGTERM',
      graceMs: 5000,
    });
    folder.note(child, [script, ...address].join(' '));
    const endpoint = `http://127.0.0.1:${port}/${ACCOUNT}`;
    // A refusal suffices, but Azurite's own: another server may have taken the port meanwhile.
    const ready = async () => {
      const reply = await fetch(endpoint, { signal: AbortSignal.timeout(2000) });
      return reply.headers.get('server')?.startsWith('Azurite') === true;
    };
    await waitUntilReady(child, ready, 60_000);
    const connectionString =
      `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${options.accountKey};` +
      `BlobEndpoint=${endpoint};`;
    return { child, port, connectionString };
  });
}

/**
 * Creates the container, private, where it is missing. The app never does: in Azure the deployment creates it.
 * @returns whether it was missing.
 */
export async function ensureContainer(connectionString: string, container: string): Promise<boolean> {
  // A short timeout: the developer at the terminal should see an unreachable address soon.
  const settings = { retryOptions: { maxTries: 2, tryTimeoutInMs: 5000, retryDelayInMs: 200 } };
  const { succeeded } = await BlobServiceClient.fromConnectionString(connectionString, settings)
    .getContainerClient(container)
    .createIfNotExists();
  return succeeded;
}
