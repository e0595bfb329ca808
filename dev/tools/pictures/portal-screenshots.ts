import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Language } from '../../packages/client/src/index.ts';
import { answerOf, personas } from '../intake/personas.ts';
import { answerAll, openResult, signIn, startIntake } from './drive-portal.ts';

interface Device {
  name: string;
  viewport: { width: number; height: number };
  deviceScaleFactor: number;
  /** Questions to show, with the names of their pictures; the result is always shown. */
  shown: Readonly<Record<string, string>>;
}

const devices: readonly Device[] = [
  {
    name: 'phone',
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 1.5,
    shown: { q_safety: 'question', q_photo_close: 'verdict' },
  },
  { name: 'desktop', viewport: { width: 1000, height: 1280 }, deviceScaleFactor: 1, shown: {} },
];
const languages: readonly Language[] = ['en', 'he'];

/** The demo user that `npm start` creates and prints. */
const demoPatient = { email: 'patient@dermagate.example', password: 'demo-patient-pass' };

/**
 * Takes screenshots of the portal at `portalUrl`: the intake of a made-up patient with a mole, for each device and language.
 *
 * @param photo path of the photo that the patient takes.
 * @returns the names of the files written to `folder`.
 */
export async function takeScreenshots(
  browser: Browser,
  portalUrl: string,
  photo: string,
  folder: string,
): Promise<string[]> {
  const written: string[] = [];
  for (const device of devices) {
    for (const language of languages) {
      const page = await browser.newPage({ ...device, locale: language, reducedMotion: 'reduce' });
      await page.goto(`${portalUrl}/?lang=${language}`);
      await tourIntake(page, device.shown, { language, photo }, async (what) => {
        const file = `portal-${what}-${device.name}-${language}.webp`;
        writeFileSync(join(folder, file), await screenshot(page));
        written.push(file);
      });
      await page.close();
    }
  }
  return written;
}

/** A complete intake, which pauses at the screens to show. */
async function tourIntake(
  page: Page,
  shown: Device['shown'],
  { language, photo }: { language: Language; photo: string },
  show: (what: string) => Promise<void>,
): Promise<void> {
  const patient = personas.find(({ title }) => title === 'A mole that changes');
  if (patient === undefined) throw new Error('dev/tools/intake has no persona with a mole.');
  await signIn(page, demoPatient);
  const missing = new Set(Object.keys(shown));
  await answerAll(page, await startIntake(page), {
    answerTo: ({ questionId }) => answerOf(patient, questionId, language),
    photo,
    async onQuestion({ questionId }) {
      const what = shown[questionId];
      missing.delete(questionId);
      if (what !== undefined) await show(what);
    },
  });
  if (missing.size > 0)
    throw new Error(`No longer asked, so without a screenshot: ${[...missing].join(', ')}`);
  await openResult(page);
  await show('result');
}

/** The visible page as WebP, a fifth of the size of PNG. */
async function screenshot(page: Page): Promise<Buffer> {
  await page.locator('header').scrollIntoViewIfNeeded();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  return Buffer.from(data, 'base64');
}
