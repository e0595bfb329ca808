import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = ['/usr/bin', '/Applications/Google Chrome.app/Contents/MacOS'];

/** The Chromium or Chrome that CHROMIUM names, or that is on the PATH; undefined where there is none. */
export function chromiumPath(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...elsewhere];
  const places = folders.flatMap((folder) => [...names, 'Google Chrome'].map((name) => join(folder, name)));
  return [process.env['CHROMIUM'] ?? '', ...places].find((path) => path !== '' && existsSync(path));
}

/** In its sandbox, unless as root or where the machine allows none: it sees nothing but our own pages. */
export async function openChromium(executablePath: string, args: string[] = []): Promise<Browser> {
  if (process.getuid?.() === 0) return await chromium.launch({ executablePath, args });
  try {
    return await chromium.launch({ executablePath, args, chromiumSandbox: true });
  } catch (error) {
    if (!(error instanceof Error && /sandbox/i.test(error.message))) throw error;
    return await chromium.launch({ executablePath, args });
  }
}
