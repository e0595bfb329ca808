import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, onTestFinished, test } from 'vitest';
import { hasChromium, openChromium } from '../../dev/tools/pictures/chromium.ts';
import { sharedOnce } from './cleanup.ts';
import { skinPhoto } from './images.ts';
import { tempFolder } from './temp-folder.ts';

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
  if (!hasChromium()) test.skip(name, { meta: { missing } });
  else describe(name, { timeout: 240_000 }, body);
}

/** The headless Chromium of this worker process, whose camera shows skin. Whoever opens a page or a context closes it. */
export const testBrowser: () => Promise<Browser> = sharedOnce(async () =>
  openChromium([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${await cameraFile()}`,
  ]),
);

/** A film of one frame, as Chromium's pretended camera plays it again and again. */
async function cameraFile(): Promise<string> {
  const file = join(tempFolder(), 'camera.mjpeg');
  writeFileSync(file, await skinPhoto({ width: 640, height: 480, format: 'jpeg' }));
  return file;
}

const unused = new Map<string, Page[]>();
const events = ['console', 'pageerror', 'request', 'requestfailed', 'response'] as const;

/**
 * For the calling test a page at `emptyPage` in a browser that has nothing stored of its origin, the only one that the
 * test opens. A new page costs Chromium half a second of CPU time, a new context a second, so that one with the same
 * options is taken again and cleared; the HTTP cache stays.
 */
export async function testPage(emptyPage: string, options: BrowserContextOptions): Promise<Page> {
  const key = JSON.stringify([new URL(emptyPage).origin, options]);
  const waiting = unused.get(key) ?? [];
  unused.set(key, waiting);
  const page = waiting.pop() ?? (await openPage(emptyPage, options));
  onTestFinished(async () => {
    if (await clear(page, emptyPage).catch(() => false)) waiting.push(page);
    else
      await page
        .context()
        .close()
        .catch(() => undefined);
  });
  return page;
}

async function openPage(emptyPage: string, options: BrowserContextOptions): Promise<Page> {
  const context = await (await testBrowser()).newContext(options);
  const page = await context.newPage();
  await page.goto(emptyPage);
  return page;
}

/** @returns whether the page is as a new one. */
async function clear(page: Page, emptyPage: string): Promise<boolean> {
  const context = page.context();
  for (const event of events) page.removeAllListeners(event);
  const others = context.pages().filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await page.emulateMedia({ colorScheme: null });
  await page.goto(emptyPage);
  await page.evaluate('sessionStorage.clear()');
  await context.clearCookies();
  const session = await context.newCDPSession(page);
  const { origin } = new URL(emptyPage);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.send('Page.resetNavigationHistory');
  await session.detach();
  return true;
}
