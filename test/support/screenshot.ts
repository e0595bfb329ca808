import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '..', '..', '.local', 'screenshots');

/** Keeps what a page looks like, as `.local/screenshots/<name>-<language>-<width>x<height>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const language = await page.locator('html').getAttribute('lang');
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.screenshot({ path: join(folder, `${name}-${language}-${width}x${height}.png`), fullPage: true });
}
