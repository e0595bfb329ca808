import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium or Chrome of this machine, or the one that CHROMIUM names; undefined where there is none. */
export function chromiumPath(): string | undefined {
  return [process.env['CHROMIUM'], ...places].find((path) => path !== undefined && existsSync(path));
}

export async function openChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath });
}
