// npm run portal:build: the portal as static files with the headers that they are served with, in dev/apps/portal/dist.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { scriptArguments } from '../../services/script-arguments.ts';
import { sharedOptions } from './serve.ts';
import { type Connections, siteConfiguration } from './site-headers.ts';

/** Azure Static Web Apps reads its configuration from this file, and does not serve it. */
export const CONFIGURATION = 'staticwebapp.config.json';

const USAGE = `usage: GATEWAY_URL=https://… npm run portal:build
  GATEWAY_URL   address of the gateway, https (http only on this machine)
  LIVE_URL      address of Azure Web PubSub, where the gateway has live counts; optional`;

export interface BuiltSite {
  folder: string;
  /** Every script of the site, with what it imports. */
  chunks: readonly Rolldown.OutputChunk[];
}

/** Empties the folder and builds the portal for these addresses into it: minified, without source maps. */
export async function buildPortal(connections: Connections, folder: string): Promise<BuiltSite> {
  const built = await build({
    ...sharedOptions(connections.gatewayUrl),
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      // Inlined as a data URL, an asset would be outside of the policy.
      assetsInlineLimit: 0,
      // What preloads modules in browsers that cannot is fetched, which the policy need not allow.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  const configuration = `${JSON.stringify(siteConfiguration(connections), null, 2)}\n`;
  writeFileSync(join(folder, CONFIGURATION), configuration);
  const { output } = built as Rolldown.RolldownOutput;
  return { folder, chunks: output.filter((file) => file.type === 'chunk') };
}

/**
 * The addresses that a deployed portal connects to.
 *
 * @throws when GATEWAY_URL is missing, or an address is neither https nor on this machine.
 */
export function readConnections(env: Readonly<Record<string, string | undefined>>): Connections {
  const gatewayUrl = env['GATEWAY_URL'] || undefined;
  if (gatewayUrl === undefined) throw new Error(`GATEWAY_URL is not set.\n${USAGE}`);
  const liveUrl = env['LIVE_URL'] || undefined;
  for (const [name, value] of Object.entries({ GATEWAY_URL: gatewayUrl, LIVE_URL: liveUrl })) {
    if (value !== undefined && !isSecure(value))
      throw new Error(`${name}=${value} is not an https address.\n${USAGE}`);
  }
  return { gatewayUrl: gatewayUrl.replace(/\/+$/, ''), liveUrl };
}

function isSecure(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname));
}

if (import.meta.main) {
  scriptArguments('usage: npm run portal:build     (GATEWAY_URL and the like in the environment)', {});
  try {
    const connections = readConnections(process.env);
    const { folder } = await buildPortal(connections, join(import.meta.dirname, 'dist'));
    const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`.padStart(10);
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
      const path = join(folder, file);
      if (statSync(path).isFile())
        console.log(`${kib(gzipSync(readFileSync(path)).length)} compressed  ${file}`);
    }
    console.log(
      `\n${relative(process.cwd(), folder)} is the portal of the gateway ${connections.gatewayUrl}`,
    );
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
