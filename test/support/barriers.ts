import type { Page } from 'playwright-core';
import { findViolations, wcag, wcagOfColours } from './axe.ts';

/** What axe finds in light and dark; also whether the page is wider than the screen. */
export async function barriers(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const { id, nodes } of await findViolations(page, colorScheme === 'light' ? wcag : wcagOfColours))
      found.push(`${colorScheme}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return wider > 0 ? [...found, `wider by ${wider}`] : found;
}
