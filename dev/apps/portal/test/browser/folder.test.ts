import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { enterAnswer, goOn, startIntake } from '../../../../tools/pictures/drive-portal.ts';
import { type Account, claimsOf, logIn, register, tenantRows } from '../../../../../test/support/accounts.ts';
import { annotate, saveAnnotation } from '../../../../../test/support/answers.ts';
import { barriers } from '../../../../../test/support/barriers.ts';
import { beginIntake, storeIntake } from '../../../../../test/support/begun-intake.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { handle } from '../../../../../test/support/case-work.ts';
import { caseAnswers, createCase, getCase } from '../../../../../test/support/cases.ts';
import { skinPhoto } from '../../../../../test/support/images.ts';
import { testPortal, type VisitOptions } from '../../../../../test/support/portal.ts';
import { newPhysician } from '../../../../../test/support/queue-stage.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { storePhoto } from '../../../../../test/support/stored-images.ts';
import { storeTokens } from '../../../../../test/support/stored-tokens.ts';
import { patientWith } from '../../../../../test/support/willing-patient.ts';

const photo = await skinPhoto({ format: 'jpeg', width: 1024, height: 768 });
const answerTo = patientWith({ q_reporter: 'self', q_age: 40 });
const noPhoto = { name: 'none.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) };
const small = { width: 320, height: 640 };

describeInBrowser('the patient’s folder', async () => {
  const portal = await testPortal({ ai: 'real' });
  const { app } = portal;

  /** A device of this account with a session of its own. */
  async function device(account: Account, options: VisitOptions = {}) {
    const tokens = (await (await logIn(app, account)).json()) as Account;
    return await portal.visit({
      ...options,
      stored: async (page) => {
        await storeTokens(page, tokens);
        await options.stored?.(page);
      },
    });
  }

  const draftsOf = async ({ access_token: token }: Account) => {
    const reply = await app.request('/api/v1/mobile/cases', { token });
    const { items } = (await reply.json()) as { items: { patient_status: string; anamnesis: object }[] };
    return items.filter(({ patient_status: status }) => status === 'draft');
  };

  test('an intake goes on on another device, and of two devices neither loses an answer', async () => {
    const account = await register(app);
    const { sub } = claimsOf(account.access_token);
    const until = ({ questionId }: { questionId: string }) => questionId === 'q_duration';
    const begun = await beginIntake(app.url, account, 'he', { answerTo, photo, until });
    const phone = await device(account, {
      language: 'he',
      viewport: small,
      path: '/intake',
      stored: (page) => storeIntake(page, sub, begun.intake),
    });
    const { folder, cases } = phone.words;
    await phone.page.getByText(folder.saved).waitFor();
    expect(await barriers(phone.page)).toEqual([]);

    const desktop = await device(account, { language: 'en' });
    await desktop.page.locator('section[aria-labelledby=drafts] a').click();
    await desktop.button(desktop.words.cases.goOn).click();
    const heading = desktop.page.getByRole('heading', { level: 1 });
    const asked = { ...begun.next, questionText: 'How long have you had it?' };
    await heading.filter({ hasText: asked.questionText }).waitFor({ timeout: 30_000 });
    await desktop.page.getByText(desktop.words.folder.saved).waitFor();
    // Back leads to the answers given on the phone.
    await desktop.button(desktop.words.common.back).click();
    await desktop.page.locator('main input:checked').first().waitFor();
    await desktop.page.locator('main button[type=submit]').click();
    await heading.filter({ hasText: asked.questionText }).waitFor();

    const [one, other] = (begun.next.optionValues ?? []) as [string, string];
    await enterAnswer(desktop.page, asked, one, noPhoto);
    await goOn(desktop.page, asked, one);
    await desktop.page.getByText(desktop.words.folder.saved).waitFor();
    await enterAnswer(phone.page, begun.next, other, noPhoto);
    await goOn(phone.page, begun.next, other);
    await phone.page.getByText(folder.conflictTitle).waitFor();
    expect(await barriers(phone.page)).toEqual([]);
    await saveScreenshot(phone.page, 'draft-conflict');
    expect(phone.takeTrouble().length).toBeGreaterThan(0);
    await phone.button(folder.conflictKeep).click();
    await phone.page.getByText(folder.saved).waitFor();
    const durations = (await draftsOf(account)).map(({ anamnesis }) => JSON.stringify(anamnesis));
    expect(durations).toHaveLength(2);
    for (const value of [one, other]) expect(durations.join()).toContain(value);

    // Offline the answer stays here, and is stored when the network is back.
    await phone.page.context().setOffline(true);
    await phone.page.locator('main button:not([type=submit])').last().click();
    await phone.page.getByText(phone.words.intake.answersSafe).first().waitFor();
    await phone.page.context().setOffline(false);
    phone.takeTrouble();
    await phone.page.getByRole('button', { name: phone.words.common.tryAgain }).first().click();
    await phone.page.getByText(folder.saved).waitFor();

    // Nothing of it is left in the browser; the draft is.
    await phone.button(phone.words.account.signOut).click();
    await phone.page.locator('input[type=password]').waitFor();
    expect(await phone.page.evaluate('Object.keys(sessionStorage).length')).toBe(0);
    await expect.poll(() => draftsOf(account)).toHaveLength(2);
    await desktop.page.goto(portal.url);
    await desktop.page.locator('section[aria-labelledby=drafts] a').first().click();
    await desktop.button(desktop.words.cases.cancelCase).click();
    await desktop.button(desktop.words.cases.cancelYes).click();
    await desktop.page.getByText(desktop.words.cases.status.cancelled, { exact: true }).waitFor();
    expect(cases.title).not.toBe('');
  });

  test.each(['en', 'he'] as const)(
    'a name that is one long word moves no page out of sight: %s',
    async (language) => {
      const account = await register(app);
      const { uuid } = await createCase(app, account.access_token);
      const name = 'Wolfeschlegelsteinhausenbergerdorff-Kowalewska-Świętokrzyska';
      const { page } = await device(account, {
        language,
        viewport: small,
        async stored(blank) {
          await blank.route('**/mobile/cases**', async (route) => {
            const reply = await route.fetch();
            const text = (await reply.text()).replaceAll(
              /"patient":\{"uuid"[^}]*\}/g,
              `"patient":{"uuid":"p","display_name":"${name}","relation":"child","age_years":8,"gender":null,"language":"en"}`,
            );
            await route.fulfill({ response: reply, body: text });
          });
        },
      });
      for (const path of ['/', '/cases', `/cases/${uuid}`]) {
        await page.goto(portal.url + path);
        await page.getByText(name).first().waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(small.width);
      }
    },
  );

  test('answers that the clinic does not store are replaced by an older draft only when the patient agrees', async () => {
    const account = await register(app);
    const old = await createCase(app, account.access_token, {
      anamnesis: { complaint: { category: 'rash' } },
    });
    const { page, words, button, takeTrouble } = await device(account);
    await page.route('**/mobile/cases/create*', (route) =>
      route.fulfill({
        status: 409,
        headers: { 'access-control-allow-origin': '*', 'content-type': 'application/problem+json' },
        json: { type: 'about:blank', title: 'draft_limit', status: 409, code: 'draft_limit', requestId: 'r' },
      }),
    );
    await startIntake(page);
    await page.locator('main :is(input[type=radio], input[type=checkbox])').last().check();
    await button(words.intake.next).click();
    await page.getByText(words.folder.unsaved).waitFor();
    await page.locator('nav a[href="/cases"]').click();
    await page.locator(`a[href="/cases/${old.uuid}"]`).first().click();
    await button(words.cases.goOn).click();
    await page.getByRole('alert').filter({ hasText: words.problems.draft_limit }).waitFor();
    expect(page.url()).toContain(old.uuid);
    await button(words.folder.replaceHere).click();
    await page.waitForURL('**/intake');
    expect(takeTrouble().length).toBeGreaterThan(0);
  });

  /** A case that a physician holds, with a question to the patient. */
  async function askedCase(account: Account) {
    const doctor = await newPhysician(app);
    const token = account.access_token;
    const stored = await storePhoto(app, token, photo);
    const { uuid, version } = await createCase(app, token, {
      anamnesis: caseAnswers,
      images: [{ name: stored.uuid }],
      consent: { version: '1', accepted: true },
      submit: true,
    });
    expect(await handle(app, doctor, uuid, { action: 'claim', version })).toMatchObject({ status: 200 });
    return { uuid, doctor };
  }

  test('a photo that was asked for takes two taps, and an answer is new until it was read', async () => {
    const account = await register(app);
    const { uuid, doctor } = await askedCase(account);
    const version = async () => (await getCase(app, account.access_token, uuid)).version;
    const act = async (body: object) =>
      expect((await handle(app, doctor, uuid, { ...body, version: await version() })).status).toBe(200);
    await act({ action: 'hold', pending_status: 'awaiting_patient', message: 'One more, from nearer.' });

    const { page, words, button } = await device(account, { language: 'ar', viewport: small });
    const { cases, folder } = words;
    await page.locator('.places .count').filter({ hasText: '1' }).waitFor();
    await page.locator('section[aria-labelledby=attention] a').click();
    await page.getByText('One more, from nearer.').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    const network = await page.context().newCDPSession(page);
    const upTo = async (uploadThroughput: number) =>
      await network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await network.send('Network.enable');
    await upTo(20_000); // bytes in a second
    await page.locator('.reply input[capture]').setInputFiles({
      name: 'near.jpg',
      mimeType: 'image/jpeg',
      buffer: await skinPhoto({ format: 'jpeg', width: 900, height: 700, seed: 7 }),
    });
    const sent = () => page.evaluate<number>(`document.querySelector('.reply progress')?.value ?? 0`);
    await expect.poll(sent, { interval: 20 }).toSatisfy((share: number) => share > 0 && share < 1);
    await upTo(-1);
    await network.detach();
    await button(cases.reply).click();
    await page.getByText(cases.status.waiting, { exact: true }).waitFor();
    await expect.poll(() => page.locator('.photos .thumbnail').count()).toBe(2);
    await page.locator('.places .count').waitFor({ state: 'detached' });

    // A photo opens in full, and Escape closes it.
    await page.locator('.thumbnail').first().click();
    await page.locator('.photo-dialog img').waitFor();
    expect(await barriers(page)).toEqual([]);
    await button(folder.fullSize).click();
    await expect.poll(() => page.locator('.stage.full img').getAttribute('width')).toBe('1024');
    await page.keyboard.press('Escape');
    await page.locator('.photo-dialog').waitFor({ state: 'detached' });

    await act({ action: 'claim' });
    const signed = await annotate(app, doctor, uuid, { sign: true });
    expect(signed).toMatchObject({ status: 'final' });
    const early = `UPDATE request_records SET publish_at = publish_at - interval '1 hour' WHERE uuid = $1`;
    await tenantRows(app, early, [uuid]);
    await app.runTimer('publishAnswers');
    await page.goto(portal.url);
    await page.locator('.tag.new').filter({ hasText: folder.newAnswer }).waitFor();
    await page.locator('section[aria-labelledby=attention] a').click();
    await page.locator('.doctors-answer').filter({ hasText: 'This looks like eczema.' }).waitFor();
    await page.locator('.places .count').waitFor({ state: 'detached' });
    await expect
      .poll(() => getCase(app, account.access_token, uuid))
      .toMatchObject({ answer_read_at: expect.any(String) as string });
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'case-answered');

    // Its doctor has thought better of it: red everywhere, and what was said before is no advice any more.
    const advised = `UPDATE request_records SET urgency = 'high', has_red_flags = true, red_flags = '{eye_involvement}',
      urgent_flags = '{eye_involvement}' WHERE uuid = $1`;
    await tenantRows(app, advised, [uuid]);
    const amendment = { amend_reason: 'Seen again.', acknowledged_flags: ['eye_involvement'], sign: true };
    const action = { recommended_action: 'call_emergency_services' };
    expect(
      await saveAnnotation(app, doctor, uuid, signed.version + 1, { ...amendment, ...action }),
    ).toMatchObject({
      status: 'final',
    });
    await page.goto(portal.url);
    await page.locator('section[aria-labelledby=attention] .tag.emergency').waitFor();
    await saveScreenshot(page, 'folder-answer-urgent');
    await page.locator('section[aria-labelledby=attention] a').click();
    await page.locator('.red-flags.emergency').getByText(cases.answerUrgent).waitFor();
    expect(await page.locator('.red-flags').count()).toBe(1);
    await page.getByText(cases.adviceBefore).waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'case-answer-urgent');

    await page.getByText(folder.askTitle).click();
    await button(folder.askSend).click();
    await page.getByRole('alert').filter({ hasText: folder.askMissing }).waitFor();
    await page.locator('textarea[name=question]').fill('For how long?');
    await button(folder.askSend).click();
    await page.getByText(cases.status.waiting, { exact: true }).waitFor();
    await page.getByText('For how long?').waitFor();
  });

  const pagesOf = async (page: Page) =>
    (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

  test('the page for a doctor is one sheet of A4, in the language of the page and in another one', async () => {
    const account = await register(app);
    const { page, words } = await device(account, {
      language: 'he',
      path: '/intake',
      stored: async (page) => {
        const begun = await beginIntake(app.url, account, 'he', { answerTo, photo });
        await storeIntake(page, claimsOf(account.access_token).sub, begun.intake);
      },
    });
    const { doctor } = words.folder;
    await page.getByRole('heading', { level: 1, name: words.review.title }).waitFor();
    await page.goto(`${portal.url}/result/for-my-doctor`);
    await page.locator('.sheet dd').first().waitFor();
    await page.locator('.sheet img').first().waitFor();
    await page.locator('.flags-box p, .flags-box li').filter({ hasNotText: '…' }).first().waitFor();
    await expect.poll(() => page.locator('.sheet').getAttribute('dir')).toBe('rtl');
    await expect.poll(() => pagesOf(page)).toBe(1);
    expect(await barriers(page)).toEqual([]);
    await page.locator('select[name=sheet-language]').selectOption('en');
    await page.locator('.sheet[dir=ltr]').getByText('Warning signs').waitFor();
    expect(await page.locator('.sheet').innerText()).not.toMatch(/[\u0590-\u05ff]/);
    await expect.poll(() => pagesOf(page)).toBe(1);
    await saveScreenshot(page, 'for-my-doctor');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(doctor.title);
    await page.goBack();
  });
});
