import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { pack } from 'tar-fs';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { disabledFeatures, hasChromium } from './chromium.ts';
import { isChromiumPackaged, unpack } from './packaged-chromium.ts';

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

test('a CHROMIUM that is no file is an error, not a missing browser', () => {
  expect(() => hasChromium({ CHROMIUM: '/nowhere/chromium' })).toThrow(
    'CHROMIUM=/nowhere/chromium is no file',
  );
});

test.runIf(isChromiumPackaged)('on Linux x64 there is a Chromium on a machine that has none', () => {
  expect(hasChromium({})).toBe(true);
});

test('two that unpack it at once end with one, which replaces the version before', async () => {
  const packages = tempFolder();
  mkdirSync(join(packages, 'tree', 'lib'), { recursive: true });
  writeFileSync(join(packages, 'tree', 'lib', 'libnss3.so'), 'library');
  writeFileSync(join(packages, 'chromium.br'), brotliCompressSync('browser'));
  const tar = await buffer(pack(join(packages, 'tree')));
  writeFileSync(join(packages, 'al2023.tar.br'), brotliCompressSync(tar));
  const into = tempFolder();
  mkdirSync(join(into, 'chromium-1.0.0'));

  const folder = join(into, 'chromium-2.0.0');
  await Promise.all([unpack(packages, folder), unpack(packages, folder)]);

  expect(readdirSync(into)).toEqual(['chromium-2.0.0']);
  expect(readFileSync(join(folder, 'chromium'), 'utf8')).toBe('browser');
  expect(statSync(join(folder, 'chromium')).mode & 0o700).toBe(0o700);
  expect(readFileSync(join(folder, 'lib', 'libnss3.so'), 'utf8')).toBe('library');
});
