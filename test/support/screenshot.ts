import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '..', '..', '.local', 'screenshots');

/** With SCREENSHOTS=1 saves the page as `.local/screenshots/<name>-<language>-<width>x<height>.png`, to look at. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return;
  const language = await page.locator('html').getAttribute('lang');
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.screenshot({ path: join(folder, `${name}-${language}-${width}x${height}.png`), fullPage: true });
}
