import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { describe, onTestFinished, test } from 'vitest';
import { chromiumPath, openChromium } from '../../dev/tools/pictures/chromium.ts';
import { shared } from './cleanup.ts';
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
  if (chromiumPath() === undefined) test.skip(name, { meta: { missing } });
  else describe(name, { timeout: 240_000 }, body);
}

let browser: Promise<Browser> | undefined;

/** The headless Chromium of this worker process, whose camera shows skin. Whoever opens a page or a context closes it. */
export function testBrowser(): Promise<Browser> {
  return (browser ??= shared(async () =>
    openChromium(chromiumPath() ?? '', [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${await cameraFile()}`,
    ]),
  ));
}

/** A film of one frame, as Chromium's pretended camera plays it again and again. */
async function cameraFile(): Promise<string> {
  const file = join(tempFolder(), 'camera.mjpeg');
  writeFileSync(file, await skinPhoto({ width: 640, height: 480, format: 'jpeg' }));
  return file;
}

const unused = new Map<string, BrowserContext[]>();

/**
 * For the calling test a browser that has nothing stored of `origin`, the only one that it opens. A new context costs
 * Chromium a second, so that one with the same options is taken again and cleared; the HTTP cache stays.
 */
export async function testContext(origin: string, options: BrowserContextOptions): Promise<BrowserContext> {
  const key = JSON.stringify(options);
  const waiting = unused.get(key) ?? [];
  unused.set(key, waiting);
  const context = waiting.pop() ?? (await openContext(options));
  onTestFinished(async () => {
    if (await clear(context, origin).catch(() => false)) waiting.push(context);
    else await context.close().catch(() => undefined);
  });
  return context;
}

/** With a page that stays: the last one to close would take the window with it. */
async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await testBrowser()).newContext(options);
  await context.newPage();
  return context;
}

async function clear(context: BrowserContext, origin: string): Promise<boolean> {
  const [first, ...pages] = context.pages();
  if (first === undefined || first.url() !== 'about:blank') return false;
  await Promise.all(pages.map((page) => page.close()));
  await context.setOffline(false);
  await context.clearCookies();
  const session = await context.newCDPSession(first);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  return true;
}
