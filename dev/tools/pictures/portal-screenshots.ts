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

interface Place {
  name: string;
  device: 'phone' | 'desktop';
  language: Language;
  user: { email: string; password: string };
  /** From the first page after the sign-in to the screen to show. */
  open: (page: Page) => Promise<void>;
}

/** What `npm start` has made for its demo users. */
const places: readonly Place[] = [
  {
    name: 'folder',
    device: 'phone',
    language: 'he',
    user: demoPatient,
    open: (page) => page.locator('main a[href^="/cases/"]').first().waitFor(),
  },
  {
    name: 'desk',
    device: 'desktop',
    language: 'en',
    user: { email: 'physician@dermagate.example', password: 'demo-physician-pass' },
    open: (page) => page.locator('.next-case').first().waitFor(),
  },
  {
    name: 'case',
    device: 'desktop',
    language: 'en',
    user: { email: 'physician@dermagate.example', password: 'demo-physician-pass' },
    async open(page) {
      await page.goto(new URL('/search', page.url()).href);
      await page.locator('a.case-row').first().click();
      await page.locator('.photo-strip img').first().click();
      await page.locator('dialog canvas').first().waitFor();
    },
  },
  {
    name: 'office',
    device: 'desktop',
    language: 'en',
    user: { email: 'admin@dermagate.example', password: 'demo-admin-pass' },
    open: (page) => page.locator('main h2').first().waitFor(),
  },
];

/** Nothing is loading any more; pages of staff always wait for news, so the network never rests. */
async function isDrawn(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(1500);
}

/** Screenshots of a patient’s folder, a physician’s desk and an admin’s office. @returns as {@link takeScreenshots}. */
export async function takePlaces(browser: Browser, portalUrl: string, folder: string): Promise<string[]> {
  const written: string[] = [];
  for (const { name, device, language, user, open } of places) {
    const options = devices.find((each) => each.name === device);
    const page = await browser.newPage({ ...options, locale: language, reducedMotion: 'reduce' });
    await page.goto(`${portalUrl}/?lang=${language}`);
    await page.fill('input[type=email]', user.email);
    await page.fill('input[type=password]', user.password);
    await page.click('form button[type=submit]');
    await page.locator('input[type=password]').waitFor({ state: 'detached' });
    await page.locator('h1').first().waitFor();
    await open(page);
    await isDrawn(page);
    const file = `portal-${name}-${device}-${language}.webp`;
    writeFileSync(join(folder, file), await screenshot(page));
    written.push(file);
    await page.close();
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
  await page.evaluate('scrollTo(0, 0)');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  return Buffer.from(data, 'base64');
}
