import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MobileCase } from '../../../../packages/client/src/index.ts';
import { register } from '../../../../../test/support/accounts.ts';
import { barriers } from '../../../../../test/support/barriers.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { sendCase } from '../../../../../test/support/desk-stage.ts';
import { emergencyAnamnesis } from '../../../../../test/support/diagnosis.ts';
import { skinPhoto } from '../../../../../test/support/images.ts';
import { phone, testPortal, withoutCases } from '../../../../../test/support/portal.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { storeTokens } from '../../../../../test/support/stored-tokens.ts';
import { patientWith } from '../../../../../test/support/willing-patient.ts';

const photo = await skinPhoto({ format: 'jpeg', width: 1024, height: 768 });
const patient = { answerTo: patientWith({ q_reporter: 'self', q_age: 40 }), photo };
describeInBrowser('cases in the reference portal', async () => {
  const portal = await testPortal({ ai: 'real' });

  test('a case is sent once although replies are lost, and is followed, answered and cancelled', async () => {
    const visitor = await portal.patientWithin(patient, { language: 'he', viewport: phone });
    const { page, words, button, takeTrouble } = visitor;
    const { cases } = words;
    await page.goto(`${portal.url}/send`);
    await page.locator('input[name=person]').waitFor();
    await expect.poll(() => page.locator('input[name=person]').count()).toBe(1);
    await expect.poll(async () => (await page.locator('.legal').innerText()).length).toBeGreaterThan(100);

    await button(cases.send).click();
    await page.locator('#consent-error').filter({ hasText: cases.consentMissing }).waitFor();
    await expect.poll(() => page.locator('input[name=consent]:focus').count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'case-send');

    // The gateway has sent the case, but its reply is lost.
    const sent: string[] = [];
    await page.route('**/cases/update?*', async (route) => {
      const body = route.request().postData() ?? '';
      if (!body.includes('"submit":true')) return await route.continue();
      sent.push(body);
      if (sent.length > 1) return await route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.locator('input[name=consent]').check();
    await button(cases.send).click();
    await page.getByRole('alert').filter({ hasText: words.problems.offline }).waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);
    await button(cases.send).dblclick();
    await page.locator('section[aria-labelledby=status]').waitFor();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
    // The second attempt finds the case sent already.
    expect(takeTrouble().every((trouble) => /40[49]|412|cases\/update/.test(trouble))).toBe(true);
    await page.getByText(cases.status.waiting, { exact: true }).waitFor();
    await page.locator('.photos img').waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'case-waiting');

    await page.locator('main a[href="/cases"]').click();
    await page.locator('.case-list a').waitFor();
    await expect.poll(() => page.locator('.case-list a').count()).toBe(1);
    expect(await barriers(page)).toEqual([]);

    // The service asks for better photos.
    await page.route('**/mobile/cases/*-*?*', async (route) => {
      const reply = await route.fetch();
      const asked = { ...((await reply.json()) as MobileCase), patient_status: 'action_needed' };
      const message = { uuid: asked.uuid, direction: 'to_patient', codes: ['retake_photos:blurry'] };
      const messages = [{ ...message, text: null, created_at: asked.created_at, read_at: null }];
      await route.fulfill({ response: reply, json: { ...asked, messages } });
    });
    await page.locator('.case-list a').click();
    await page.reload();
    await page.locator('.notice.warning').filter({ hasText: cases.asked.retake_photos }).waitFor();
    await button(cases.reply).click();
    await page.getByRole('alert').filter({ hasText: cases.replyNeedsPhoto }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'case-asked');
    await page.unroute('**/mobile/cases/*-*?*');

    await button(cases.cancelCase).click();
    await button(cases.cancelYes).click();
    await page.getByText(cases.status.cancelled, { exact: true }).waitFor();
    expect(await button(cases.cancelCase).count()).toBe(0);
  });

  test('the advice of a case that is opened by its link has the number to call', async () => {
    const account = await register(portal.app);
    const { uuid } = await sendCase(portal.app, { anamnesis: emergencyAnamnesis, by: account.access_token });
    const stored = async (visited: Page) => await storeTokens(visited, account);
    const { page } = await portal.visit({ stored, path: `/cases/${uuid}` });
    const call = page.locator('.red-flags.emergency a');
    await expect.poll(() => call.getAttribute('href')).toBe('tel:112');
    // Home has it too, before any question was asked in this tab.
    const asked = Promise.withResolvers<void>();
    await page.route('**/check-connectivity*', async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.goto(portal.url);
    await page.locator('main a[href^="/cases/"]').first().waitFor();
    const start = page.locator('main button.large');
    const before = await start.boundingBox();
    asked.resolve();
    await page.locator('.notice.urgent a[href="tel:112"]').waitFor();
    // It has its room before it is known.
    expect((await start.boundingBox())?.y).toBe(before?.y);
  });

  test('a minor’s case is sent again by a guardian, in the child’s name, and the held one is cancelled', async () => {
    const young = { answerTo: patientWith({ q_reporter: 'self', q_age: 12 }), photo };
    const viewport = { width: 390, height: 844 };
    const { page, words, button } = await portal.patientWithin(young, { language: 'ar', viewport });
    const { cases } = words;
    await page.goto(`${portal.url}/send`);
    await page.locator('input[name=consent]').check();
    await button(cases.send).click();
    await page.locator('.notice.warning').filter({ hasText: cases.asked.guardian_required }).waitFor();
    const held = page.url();

    await button(cases.guardianSend).click();
    await page.getByRole('alert').filter({ hasText: words.fields.required }).waitFor();
    await expect.poll(() => page.locator('.add-person summary:focus').count()).toBe(1);
    await page.locator('#consent-error').filter({ hasText: cases.consentMissing }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'case-guardian');

    await page.locator('.add-person summary').click();
    const year = new Date().getUTCFullYear() - 12;
    await page.locator('input[name=birth_date]').fill(`${year}-01-01`);
    await page.locator('input[name=guardian]').check();
    await page.locator('input[name=consent]').check();
    // Enter adds the person; it does not send the form around the fields, for another person.
    await page.locator('input[name=given_name]').press('Enter');
    await page.locator('input[name=person]:checked').waitFor();
    // The empty fields do not stay: they would look as if the person had not been added.
    await expect.poll(() => page.locator('.add-person:not([open]) summary:focus').count()).toBe(1);
    expect(page.url()).toBe(held);
    const cancelled = page.waitForResponse(/\/cases\/[\w-]+\/status/);
    await button(cases.guardianSend).click();
    await page.getByText(cases.status.waiting, { exact: true }).waitFor();
    expect(page.url()).not.toBe(held);
    expect((await cancelled).status()).toBe(200);
    await page.goto(held);
    await page.getByText(cases.status.cancelled, { exact: true }).waitFor();
  });

  test('a new consent text is accepted, and missing answers are given, on the page of the case', async () => {
    const viewport = { width: 390, height: 844 };
    const { page, words, button, takeTrouble } = await portal.patientWithin(patient, { viewport });
    const { cases } = words;
    await page.goto(`${portal.url}/send`);
    await page.locator('input[name=consent]').check();
    await button(cases.send).click();
    await page.getByText(cases.status.waiting, { exact: true }).waitFor();

    let codes = ['consent_outdated'];
    await page.route('**/mobile/cases/*-*?*', async (route) => {
      const reply = await route.fetch();
      const asked = { ...((await reply.json()) as MobileCase), patient_status: 'action_needed' };
      const message = { uuid: asked.uuid, direction: 'to_patient', codes };
      const messages = [{ ...message, text: null, created_at: asked.created_at, read_at: null }];
      await route.fulfill({ response: reply, json: { ...asked, messages } });
    });
    await page.reload();
    await page.locator('.notice.warning').filter({ hasText: cases.asked.consent_outdated }).waitFor();
    await page.locator('input[name=consent]').waitFor();
    await button(cases.reply).click();
    await page.locator('#consent-error').filter({ hasText: cases.consentMissing }).waitFor();
    await expect.poll(() => page.locator('input[name=consent]:focus').count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'case-consent');
    await page.locator('input[name=consent]').check();
    const request = page.waitForRequest('**/cases/update?*');
    await page.route('**/cases/update?*', (route) => route.fulfill({ status: 503, body: '' }));
    await button(cases.reply).click();
    const body = (await request).postDataJSON() as { consent?: object; submit?: boolean };
    expect(body).toMatchObject({ consent: { version: '1', accepted: true }, submit: true });
    await page.getByRole('alert').first().waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);

    codes = ['answers_missing'];
    await page.reload();
    await button(cases.answerMissing).waitFor();
    expect(await button(cases.reply).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'case-answers-missing');
    await button(cases.answerMissing).click();
    await page.waitForURL('**/intake*');
  });

  test('nothing of cases is offered where the clinic does not take them', async () => {
    const { page } = await portal.patient({ stored: withoutCases });
    await page.goto(`${portal.url}/send`);
    await page.locator('main button.large').waitFor();
    expect(await page.locator('a[href="/cases"]').count()).toBe(0);
  });
});
