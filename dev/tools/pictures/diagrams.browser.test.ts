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
interface SvgText {
  textContent: string;
  ownerSVGElement: { getBoundingClientRect(): Edges };
  parentElement: { querySelector(selector: string): { getBoundingClientRect(): Edges } | null };
  getBoundingClientRect(): Edges;
}

/** Words that leave their box, or the drawing, by more than a pixel. Runs in the page. */
function clipped(texts: SvgText[]): string[] {
  return texts
    .filter((text) => {
      const words = text.getBoundingClientRect();
      const svg = text.ownerSVGElement;
      const box = text.parentElement.querySelector(':scope > rect, :scope > polygon') ?? svg;
      return [svg, box].some((around) => {
        const { left, right } = around.getBoundingClientRect();
        return words.left < left - 1 || words.right > right + 1;
      });
    })
    .map(({ textContent }) => textContent);
}

describeInBrowser('in a browser', async () => {
  const page = await (await testBrowser()).newPage();
  afterAll(() => page.context().close());

  test.each(globSync('*.svg', { cwd: folder }))('%s asks for nothing and clips no word', async (file) => {
    const requests: string[] = [];
    const note = (request: Request) => requests.push(request.url());
    page.on('request', note);
    await page.setContent(readFileSync(join(folder, file), 'utf8'));
    expect(await page.$$eval('text', clipped)).toEqual([]);
    page.off('request', note);
    expect(requests).toEqual([]);
  });
});
