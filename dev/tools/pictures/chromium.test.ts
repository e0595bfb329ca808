import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { disabledFeatures } from './chromium.ts';

test('every feature that Playwright disables stays disabled', async () => {
  // Node refuses the options of a browser; the error quotes them.
  const launched = chromium.launch({ executablePath: process.execPath });
  const { message } = await launched.then(
    () => Promise.reject(new Error('Node is no browser.')),
    (error: Error) => error,
  );
  const [, list = ''] = /--disable-features=(\S+)/.exec(message) ?? [];
  const byPlaywright = list.split(',');
  expect(byPlaywright.length).toBeGreaterThan(5);
  expect(disabledFeatures).toEqual(expect.arrayContaining(byPlaywright));
});
