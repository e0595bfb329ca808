import { describe, test } from 'vitest';
import { chromiumPath, openChromium } from '../../dev/tools/pictures/chromium.ts';
import { afterwards } from './cleanup.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a skipped test: what it would take to run it. The closing line of the run says so. */
    missing?: string;
  }
}

const missing =
  'tests in a browser, for want of Chromium (Debian: apt install chromium; elsewhere CHROMIUM=path names one)';

/** A `describe` for what a browser shows; where there is no browser, one skipped test stands for it. */
export function describeInBrowser(name: string, body: () => void | Promise<void>): void {
  if (chromiumPath() === undefined) test.skip(name, { meta: { missing } });
  else describe(name, { timeout: 240_000 }, body);
}

/** A headless Chromium, gone with the calling file or test. */
export async function testBrowser(args: string[] = []) {
  const browser = await openChromium(chromiumPath() ?? '', args);
  afterwards(() => browser.close());
  return browser;
}
