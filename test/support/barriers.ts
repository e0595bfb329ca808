import type { RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';
import { findViolations } from './axe.ts';

const wcag: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
};
/** Those of them whose outcome depends on colours: the others find in dark what they have found in light. */
const wcagOfColours: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

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
