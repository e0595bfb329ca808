import axe, { type Result, type RunOnly, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The violations that axe finds on the page, which has no frames. A document loads axe once for all visits to it, and of
 * what passed nothing is described: both would cost more than the rules.
 */
export async function findViolations(page: Page, runOnly: RunOnly): Promise<Result[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  return await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
}
