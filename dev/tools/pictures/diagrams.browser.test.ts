import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { describeInBrowser, testBrowser } from '../../../test/support/browser.ts';

const folder = join(import.meta.dirname, '.');

interface Edges {
  left: number;
  right: number;
}
/** What is used here of a browser's element: the project's types know no browser. */
interface Words {
  ownerSVGElement: { getBoundingClientRect(): Edges };
  parentElement: { querySelector(selector: string): { getBoundingClientRect(): Edges } | null };
  getBoundingClientRect(): Edges;
}

/** What leaves its box, or the drawing: where it stands in the list of words. Runs in the page. */
function clipped(texts: Words[]): number[] {
  return texts
    .map((text, index) => {
      const { left, right } = text.getBoundingClientRect();
      const svg = text.ownerSVGElement;
      const box = text.parentElement.querySelector(':scope > rect, :scope > polygon') ?? svg;
      const isClipped = [svg, box].some((around) => {
        const edges = around.getBoundingClientRect();
        return left < edges.left || right > edges.right;
      });
      return isClipped ? index : -1;
    })
    .filter((index) => index >= 0);
}

describeInBrowser('in a browser', async () => {
  const page = await (await testBrowser()).newPage();
  afterAll(() => page.context().close());

  test.each(globSync('*.svg', { cwd: folder }))('%s asks for nothing and clips no word', async (file) => {
    const requests: string[] = [];
    const note = (request: Request) => requests.push(request.url());
    page.on('request', note);
    await page.setContent(readFileSync(join(folder, file), 'utf8'));
    expect(await page.locator('.words').evaluateAll(clipped)).toEqual([]);
    page.off('request', note);
    expect(requests).toEqual([]);
  });
});
