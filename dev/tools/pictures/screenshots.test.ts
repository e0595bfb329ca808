import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '.');
const screenshots = globSync('portal-*', { cwd: folder }).filter((file) => !file.endsWith('.ts'));

test('the portal is shown on a phone and at a desk, in English and from right to left', () => {
  for (const device of ['phone', 'desktop']) {
    for (const language of ['en', 'he']) {
      expect(screenshots).toContain(`portal-result-${device}-${language}.webp`);
    }
  }
});

test('the folder of a patient, the desk and a case of a physician, and the office are shown', () => {
  for (const place of ['folder-phone-he', 'desk-desktop-en', 'case-desktop-en', 'office-desktop-en'])
    expect(screenshots).toContain(`portal-${place}.webp`);
});

test('screenshots are small: 120 kB each, 900 kB together', () => {
  const sizes = screenshots.map((file) => readFileSync(join(folder, file)).length);
  expect(Math.max(...sizes)).toBeLessThan(120_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(900_000);
});

test.each(screenshots)('%s is a WebP', (file) => {
  const bytes = readFileSync(join(folder, file)).toString('latin1');
  expect([bytes.slice(0, 4), bytes.slice(8, 12)]).toEqual(['RIFF', 'WEBP']);
});
