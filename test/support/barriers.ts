import type { RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';
import { findViolations } from './axe.ts';

const wcag: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
};
/** Those of them whose outcome depends on colours: the others find in dark what they have found in light. */
const wcagOfColours: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * What axe finds in light and, unless `dark` is false, in dark; also whether the page is wider than the screen. A page
 * that is shown again in another language or width has the colours that it had before.
 */
export async function barriers(page: Page, { dark = true } = {}): Promise<string[]> {
  const found: string[] = [];
  await holdBars(page, 'static');
  for (const colorScheme of dark ? (['light', 'dark'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme });
    for (const { id, nodes } of await findViolations(page, colorScheme === 'light' ? wcag : wcagOfColours))
      found.push(`${colorScheme}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }
  if (dark) await page.emulateMedia({ colorScheme: 'light' });
  await holdBars(page, '');
  const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return wider > 0 ? [...found, `wider by ${wider}`] : found;
}

/**
 * A bar at the end of the screen covers a part of some option wherever a list is scrolled to, for axe too small a target.
 * So it is judged in its place below the list.
 */
async function holdBars(page: Page, position: 'static' | ''): Promise<void> {
  await page.evaluate(
    `for (const bar of document.querySelectorAll('.sticky')) bar.style.position = '${position}'`,
  );
}
