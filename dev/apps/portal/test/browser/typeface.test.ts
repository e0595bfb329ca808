import { expect, onTestFinished, test } from 'vitest';
import { describeInBrowser, testBrowser } from '../../../../../test/support/browser.ts';
import { phone, testPortal } from '../../../../../test/support/portal.ts';

/** By the first characters that they are loaded for. */
const scripts: Readonly<Record<string, string>> = {
  'U+600-6FF': 'arabic',
  'U+591-5F4': 'hebrew',
  'U+20-7E': 'latin',
};

describeInBrowser('the typeface', async () => {
  const portal = await testPortal({ ai: 'real' });

  test.each([
    ['en', ['latin']],
    ['es', ['latin']],
    ['he', ['hebrew', 'latin']],
    ['ar', ['arabic', 'latin']],
  ] as const)('of a page in %s is loaded for the scripts that it shows: %j', async (language, shown) => {
    // In a page that has shown another language, what is in memory counts as loaded.
    const page = await (await testBrowser()).newPage({ viewport: phone });
    onTestFinished(() => page.close());
    await page.goto(`${portal.url}/?lang=${language}`);
    await page.locator('h1').waitFor();
    const loaded = await page.evaluate<[string, string][]>(
      `document.fonts.ready.then((fonts) => [...fonts]
        .filter(({ status }) => status === 'loaded')
        .map(({ unicodeRange, weight }) => [unicodeRange.split(', ')[0], weight]))`,
    );
    const fonts = loaded.map(([first, weight]) => `${scripts[first]} ${weight}`);
    expect(fonts.toSorted()).toEqual(shown.flatMap((script) => [`${script} 400`, `${script} 700`]));
  });
});
