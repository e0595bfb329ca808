import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openResult } from '../../../../tools/pictures/drive-portal.ts';
import { claimsOf, register, tenantRows } from '../../../../../test/support/accounts.ts';
import type { IntakeAnswers } from '../../../../../test/support/begun-intake.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { skinPhoto } from '../../../../../test/support/images.ts';
import { testPortal, type Visitor } from '../../../../../test/support/portal.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { storeTokens } from '../../../../../test/support/stored-tokens.ts';
import { webPubSub } from '../../../../../test/support/web-pubsub.ts';
import { patientWith } from '../../../../../test/support/willing-patient.ts';
import { en } from '../../src/desk/i18n/en.ts';
import { he } from '../../src/desk/i18n/he.ts';

const photo = await skinPhoto({ format: 'jpeg', width: 1024, height: 768 });
const sharper = await skinPhoto({ format: 'jpeg', width: 1600, height: 1200 });
const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

describeInBrowser('a patient on a phone and a physician at a desk, at once', async () => {
  const { connectionString } = await webPubSub();
  const portal = await testPortal({ ai: 'real', env: { WEBPUBSUB_CONNECTION_STRING: connectionString } });
  const { app } = portal;

  async function physicianAtDesk(): Promise<Visitor> {
    const account = await register(app, { role: 'physician' });
    const settings = { display_name: 'Dr. Noor Example', review_languages: ['en', 'he', 'ar'] };
    await tenantRows(
      app,
      `UPDATE physicians p SET settings = $2 FROM users u WHERE u.id = p.user_id AND u.uuid = $1`,
      [claimsOf(account.access_token).sub, settings],
    );
    return await portal.visit({ viewport: desktop, stored: (page) => storeTokens(page, account) });
  }

  /** From the end of the questions to the page of the sent case. @returns the path of the case. */
  async function send({ page, words: { cases } }: Visitor): Promise<string> {
    await page.locator('main').getByRole('button', { name: cases.send, exact: true }).click();
    await page.locator('input[name=consent]').check();
    await page.getByRole('button', { name: cases.send, exact: true }).click();
    await page.locator('section[aria-labelledby=status]').waitFor();
    return new URL(page.url()).pathname;
  }

  /** Presses the key of the next case until the analysis has put one into the queue. */
  async function takeNext({ page }: Visitor): Promise<string> {
    await expect
      .poll(
        async () => {
          await page.keyboard.press('n');
          await page.locator('.case, .next-case [role=status]').first().waitFor();
          return new URL(page.url()).pathname;
        },
        { timeout: 30_000 },
      )
      .toMatch(/^\/cases\//);
    await page.locator('.case-answer form').waitFor();
    return new URL(page.url()).pathname;
  }

  /** In pixels of the files; 0 of those that do not show. */
  const widthsOf = async (page: Page, selector: string) =>
    await page.evaluate<number[]>(
      `Promise.all([...document.querySelectorAll('${selector}')].map((image) => image.decode().then(() => image.naturalWidth, () => 0)))`,
    );

  /** How far the layout has moved by itself since the page was opened: https://web.dev/articles/cls */
  const shiftOf = async (page: Page) =>
    await page.evaluate<number>(
      `new Promise((resolve) => {
        const sum = (list) => list.getEntries().reduce((total, { value, hadRecentInput }) => total + (hadRecentInput ? 0 : value), 0);
        new PerformanceObserver((list) => resolve(sum(list))).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(0), 100)));
      })`,
    );

  async function answer(page: Page, { disease, action }: { disease: string; action: string }) {
    await page.keyboard.press('d');
    await page.locator('#answer-diagnosis:focus').waitFor();
    await page.keyboard.type(disease, { delay: 20 });
    await page.keyboard.press('Enter');
    await page.locator('.diagnoses ol li').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('y');
    await page.locator('#answer-action').selectOption(action);
    await page.keyboard.press('Control+Enter');
    await page.locator('.signed').waitFor();
  }

  test('send, take, ask for a better photo, reply, sign, and read once it can no longer be undone', async () => {
    const answers: IntakeAnswers = { answerTo: patientWith({ q_reporter: 'self', q_age: 40 }), photo };
    const [patient, physician] = await Promise.all([
      portal.patientWithin(answers, { language: 'he', viewport: phone }),
      physicianAtDesk(),
    ]);
    const { words } = patient;
    await openResult(patient.page);
    const path = await send(patient);
    await patient.page.getByText(words.cases.status.waiting, { exact: true }).waitFor();

    expect(await takeNext(physician)).toBe(path);
    await physician.page.locator('.case-main img').first().waitFor();
    await saveScreenshot(physician.page, 'journey-case');
    // The physician reads English; the phrase is in the patient's language.
    await physician.page.keyboard.press('h');
    await physician.page.getByRole('button', { name: he.case.holdPhrase.sharper }).click();
    await physician.button(en.case.holdDo).click();
    await physician.page.locator('dialog').waitFor({ state: 'detached' });
    await physician.page
      .getByText(new RegExp(`^${en.status.on_hold}`))
      .first()
      .waitFor();

    await patient.page.reload();
    const asked = patient.page.locator('.notice.warning');
    await asked.filter({ hasText: he.case.holdPhrase.sharper }).waitFor();
    await saveScreenshot(patient.page, 'journey-asked');
    const file = { name: 'sharper.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(sharper) };
    await patient.page.locator('.reply input[type=file]').last().setInputFiles(file);
    await patient.button(words.cases.reply).click();
    await asked.waitFor({ state: 'detached' });

    await physician.page.keyboard.press('g');
    expect(await takeNext(physician)).toBe(path);
    await expect.poll(() => physician.page.locator('.case-main img').count()).toBeGreaterThan(1);
    await answer(physician.page, { disease: 'eczema', action: 'physician_review_within_2_weeks' });
    await physician.button(en.answer.undo).waitFor();
    await saveScreenshot(physician.page, 'journey-signed');

    // Nothing of it before the time is over.
    await patient.page.reload();
    await patient.page.getByText(words.cases.status.in_review, { exact: true }).waitFor();
    expect(await patient.page.locator('.doctors-answer').count()).toBe(0);
    const overdue = `UPDATE request_records SET publish_at = now() - interval '1 second' WHERE uuid = $1`;
    await tenantRows(app, overdue, [path.split('/').at(-1)]);
    await app.runTimer('publishAnswers');

    await patient.page.goto(portal.url);
    await patient.page.locator(`main a[href="${path}"]`).first().click();
    const text = patient.page.locator('.doctors-answer');
    await text.filter({ hasText: 'Dr. Noor Example' }).waitFor();
    await expect.poll(() => text.locator('.message').getAttribute('dir')).toBe('rtl');
    // Chosen by its English name, read in Hebrew.
    expect(await text.innerText()).not.toContain('eczema');
    await expect.poll(() => patient.page.locator('.thumbnail').count()).toBe(2);
    await expect
      .poll(async () => (await widthsOf(patient.page, '.thumbnail img')).filter((width) => width > 0))
      .toHaveLength(2);
    await saveScreenshot(patient.page, 'journey-answer');

    for (const at of ['/', '/cases', path]) {
      await patient.page.goto(portal.url + at);
      await patient.page.locator(`main a[href^="/cases/"], .doctors-answer`).first().waitFor();
      await patient.page.waitForLoadState('networkidle');
      expect([at, await shiftOf(patient.page)]).toEqual([at, expect.closeTo(0, 1)]);
    }
  });

  test('an emergency: advice at once, first in the queue although sent last, and read as soon as it is signed', async () => {
    const usual: IntakeAnswers = { answerTo: patientWith({ q_reporter: 'self', q_age: 30 }), photo };
    const urgent: IntakeAnswers = {
      answerTo: patientWith({ q_reporter: 'self', q_safety: ['tongue_swelling', 'fainting'] }),
      photo,
    };
    const [first, physician] = await Promise.all([
      portal.patientWithin(usual, { language: 'en', viewport: phone }),
      physicianAtDesk(),
    ]);
    await openResult(first.page);
    const waiting = await send(first);
    const ill = await portal.patientWithin(urgent, { language: 'ar', viewport: phone });
    await openResult(ill.page);
    await ill.page.getByRole('heading', { name: ill.words.result.emergencyTitle }).waitFor();
    const path = await send(ill);
    // On the page that follows the sending, above where the case stands.
    await ill.page.getByRole('heading', { name: ill.words.result.emergencyTitle }).waitFor();
    await expect.poll(() => ill.page.locator('main a[href^="tel:"]').count()).toBeGreaterThan(0);
    await saveScreenshot(ill.page, 'journey-emergency');

    expect(await takeNext(physician)).toBe(path);
    await physician.page.locator('.flag.emergency').first().waitFor();
    await saveScreenshot(physician.page, 'journey-emergency-case');
    // Each flag is marked by itself.
    for (const flag of await physician.page.locator('input[name=acknowledged]').all()) await flag.check();
    await answer(physician.page, { disease: 'urticaria', action: 'call_emergency_services' });
    expect(await physician.button(en.answer.undo).count()).toBe(0);

    await ill.page.reload();
    await ill.page.locator('.doctors-answer').waitFor();
    expect(await takeNext(physician)).toBe(waiting);
  });
});
