import { decodeJwt, SignJWT } from 'jose';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { questionAfter, startIntake } from '../../../../tools/pictures/drive-portal.ts';
import { freshEmail, goodPassword, register, tenantRows } from '../../../../../test/support/accounts.ts';
import { dictionaries } from '../../src/i18n/texts.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { type Behaviour, cut, fakeAi, hang, json } from '../../../../../test/support/fake-ai.ts';
import { skinPhoto } from '../../../../../test/support/images.ts';
import { mailServer } from '../../../../../test/support/mail-server.ts';
import { testPortal, type Visitor } from '../../../../../test/support/portal.ts';
import { storedTokens, storeTokens } from '../../../../../test/support/stored-tokens.ts';

const question = { isComplete: false, questionType: 'radio', options: ['yes', 'no'] };
const gender = {
  ...question,
  questionId: 'q_gender',
  questionText: 'Who?',
  fieldName: 'patient.gender',
  options: ['female', 'male'],
};
const photo = {
  ...question,
  questionId: 'q_photo',
  questionText: 'Photo?',
  fieldName: 'images',
  questionType: 'camera',
};
const duration = { ...question, questionId: 'q_sun', questionText: 'Sun?', fieldName: 'history.sunExposure' };

/** Asks two questions, the second one for ever. */
const asks: Behaviour = (call, response) => {
  const { patient } = JSON.parse(call.body.toString()) as { patient?: object };
  return json(patient === undefined ? gender : duration)(call, response);
};

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function answerFirst({ page, words, button }: Visitor): Promise<void> {
  await startIntake(page);
  await page.getByLabel('female', { exact: true }).check();
  await button(words.intake.next).click();
}

/** At the second question; "back" shows the first one as it was answered. */
async function expectGoneOn({ page, words, button }: Visitor): Promise<void> {
  await heading(page, duration.questionText);
  await questionAfter(page, () => button(words.common.back).click());
  await heading(page, gender.questionText);
  await expect.poll(() => page.getByLabel('female', { exact: true }).isChecked()).toBe(true);
}

describeInBrowser('interruptions in the reference portal', async () => {
  const [mails, ai] = await Promise.all([mailServer({ verifications: true }), fakeAi()]);
  const portal = await testPortal({ ai, env: { ...mails.settings, AI_TIMEOUT_MS: '1000' } });
  beforeEach(() => ai.on('next_question', asks));

  /** The link of a mail, which leads to a page of the portal. */
  async function linkFor(email: string, path: string): Promise<string> {
    const toPage = new RegExp(`${portal.url}/${path}#token=\\S+`);
    const find = () =>
      mails.mails
        .filter(({ recipients }) => recipients.includes(email))
        .map(({ text }) => toPage.exec(text)?.[0])
        .find((link) => link !== undefined);
    await expect.poll(find).toBeDefined();
    return find() as string;
  }

  test('a sign-in whose tokens the browser cannot store fails with a message, and can be tried again', async () => {
    const account = await register(portal.app);
    const { page, words, button } = await portal.visit();
    await page.evaluate(`{
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function () {
        IDBObjectStore.prototype.put = put;
        throw new DOMException('full', 'QuotaExceededError');
      };
    }`);
    await page.getByLabel(words.account.email).fill(account.email);
    await page.getByLabel(words.account.password, { exact: true }).fill(goodPassword);
    await button(words.account.signIn).click();
    await page.getByRole('alert').filter({ hasText: words.problems.unexpected }).waitFor();
    await button(words.account.signIn).click();
    await page.waitForSelector('main button.large');
  });

  test('an AI service that hangs or is down: the portal shows it, keeps the answers and continues when it is back', async () => {
    const visitor = await portal.patient();
    const { page, words, button, takeTrouble } = visitor;
    ai.on('next_question', hang);
    await page.goto(`${portal.url}/intake`);
    // These visitors ask for less motion: nothing moves while a page loads.
    await page.locator('.loading > [aria-busy=true]').waitFor();
    const sign = `getComputedStyle(document.querySelector('.loading > [aria-busy=true]'), '::before').backgroundImage`;
    expect(await page.evaluate(sign)).toMatch(/^url\((?!.*animation)/);
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: words.problems.ai_timeout }).waitFor();

    ai.on('next_question', asks);
    await button(words.common.tryAgain).click();
    await page.getByLabel('female', { exact: true }).check();
    ai.on('next_question', cut);
    await button(words.intake.next).click();
    await alert.filter({ hasText: words.problems.ai_unavailable }).waitFor();
    await expect.poll(() => alert.innerText()).toContain(words.intake.answersSafe);
    expect(takeTrouble().filter((what) => !what.startsWith('console:'))).toEqual([
      '504: /api/ai/next_question',
      '502: /api/ai/next_question',
    ]);

    ai.on('next_question', asks);
    await button(words.common.tryAgain).click();
    await expectGoneOn(visitor);
  });

  test('an access token that expires in the middle goes unnoticed', async () => {
    const visitor = await portal.patient();
    const { page, takeTrouble } = visitor;
    // What the first page still reads would meet the expired token before the questions do.
    await page.waitForLoadState('networkidle');
    const tokens = await storedTokens(page);
    const hourAgo = Math.floor(Date.now() / 1000) - 3600;
    const expired = await new SignJWT({
      ...decodeJwt(tokens.access_token),
      iat: hourAgo,
      exp: hourAgo + 1800,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(portal.app.env['SECRET_KEY']));
    await storeTokens(page, { ...tokens, access_token: expired });

    await answerFirst(visitor);
    await expectGoneOn(visitor);
    expect((await storedTokens(page)).refresh_token).not.toBe(tokens.refresh_token);
    expect(takeTrouble().filter((what) => !what.startsWith('console:'))).toEqual([
      '401: /api/ai/next_question',
    ]);
  });

  test('a session ended elsewhere: after signing in again the intake continues where it was', async () => {
    const visitor = await portal.patient();
    const { page, words, button, account, takeTrouble } = visitor;
    await startIntake(page);
    await portal.app.request('/api/auth/logout-all', { method: 'POST', token: account.access_token });
    await page.getByLabel('female', { exact: true }).check();
    await button(words.intake.next).click();
    await page.getByText(words.account.sessionEnded).waitFor();
    for (const what of takeTrouble()) expect(what).toMatch(/401/);

    await page.getByLabel(words.account.email).fill(account.email);
    await page.getByLabel(words.account.password, { exact: true }).fill(account.password);
    await button(words.account.signIn).click();
    await expectGoneOn(visitor);
  });

  test('a language change in the middle keeps the entry, even while the AI service is down', async () => {
    const { page, button, takeTrouble } = await portal.patient();
    const spanish = dictionaries.es;
    await startIntake(page);
    const entry = page.getByLabel('female', { exact: true });
    await entry.check();
    ai.on('next_question', cut);
    await page.getByLabel(dictionaries.en.common.language).selectOption('es');
    await page.getByRole('alert').filter({ hasText: spanish.problems.ai_unavailable }).waitFor();
    expect(takeTrouble().filter((what) => !what.startsWith('console:'))).toEqual([
      '502: /api/ai/next_question',
    ]);
    await expect.poll(() => entry.isChecked()).toBe(true);

    const translated = { ...gender, questionText: '¿Quién?' };
    ai.on('next_question', (call, response) => json(translated)(call, response));
    await button(spanish.common.tryAgain).click();
    await heading(page, translated.questionText);
    expect(await page.getByRole('alert').count()).toBe(0);
    await expect.poll(() => entry.isChecked()).toBe(true);

    ai.on('next_question', asks);
    await button(spanish.intake.next).click();
    await heading(page, duration.questionText);
  });

  test('a sign-out in another tab removes the answers here too', async () => {
    const visitor = await portal.patient();
    const { page, words } = visitor;
    await answerFirst(visitor);
    const kept = () => page.evaluate<number>('sessionStorage.length');
    await expect.poll(() => kept()).toBe(1);
    const other = await page.context().newPage();
    await other.goto(portal.url);
    await other.getByRole('button', { name: words.account.signOut, exact: true }).click();
    await visitor.button(words.account.signIn).waitFor();
    expect(await page.getByText(words.account.sessionEnded).count()).toBe(0);
    expect(await kept()).toBe(0);

    // The next user signs in there, and need not do so here.
    const { email } = await register(portal.app);
    await other.getByLabel(words.account.email).fill(email);
    await other.getByLabel(words.account.password, { exact: true }).fill(goodPassword);
    await other.getByRole('button', { name: words.account.signIn, exact: true }).click();
    await heading(page, words.home.title);
    await page.getByText(email).waitFor();
  });

  test('a reload and another page in the middle: the intake continues where it was, with what was entered', async () => {
    const visitor = await portal.patient();
    const { page, words, button } = visitor;
    await answerFirst(visitor);
    await heading(page, duration.questionText);
    const entry = page.getByLabel('yes', { exact: true });
    await entry.check();
    await page.reload();
    await heading(page, duration.questionText);
    await expect.poll(() => entry.isChecked()).toBe(true);
    await page.getByLabel('no', { exact: true }).check();
    await page.getByRole('link', { name: words.folder.home, exact: true }).click();
    await heading(page, words.home.title);
    await button(words.home.goOn).click();
    await expect.poll(() => page.getByLabel('no', { exact: true }).isChecked()).toBe(true);
    await expectGoneOn(visitor);
  });

  test('a forgotten password: the link in the mail opens the portal, where the user chooses a new one', async () => {
    const { email } = await register(portal.app);
    const { page, words, button } = await portal.visit();
    await page.getByRole('link', { name: words.account.forgot }).click();
    await page.getByLabel(words.account.email).fill(email);
    await button(words.account.sendLink).click();
    await page.getByText(words.account.linkSent).waitFor();

    await page.goto(await linkFor(email, 'reset-password'));
    const password = `${goodPassword} again`;
    await page.getByLabel(words.account.newPassword).fill(password);
    expect(page.url()).toBe(`${portal.url}/reset-password`);
    await button(words.account.savePassword).click();
    await heading(page, words.account.passwordSaved);
    await page.getByRole('link', { name: words.common.toStart }).click();
    await page.getByLabel(words.account.email).fill(email);
    await page.getByLabel(words.account.password, { exact: true }).fill(password);
    await button(words.account.signIn).click();
    await heading(page, words.home.title);
  });

  test('an invitation: the link in the mail opens the portal, where the user accepts it', async () => {
    const { access_token: token } = await register(portal.app, { role: 'admin' });
    const email = freshEmail('invited');
    await portal.app.request('/api/auth/invitations', { json: { email, role: 'patient' }, token });
    const { page, words, button } = await portal.visit({
      path: (await linkFor(email, 'accept-invitation')).slice(portal.url.length),
    });
    await page.getByLabel(words.account.newPassword).fill(goodPassword);
    expect(page.url()).toBe(`${portal.url}/accept-invitation`);
    await button(words.account.accept).click();
    await heading(page, words.home.title);
    await page.getByText(email).waitFor();
  });

  /** An invited patient in another tab of the same browser, who is signed in by `accept`. */
  async function nextPatient({ page, words }: Visitor) {
    const { access_token: token } = await register(portal.app, { role: 'admin' });
    const email = freshEmail('next');
    await portal.app.request('/api/auth/invitations', { json: { email, role: 'patient' }, token });
    const tab = await page.context().newPage();
    const link = await linkFor(email, 'accept-invitation');
    await tab.goto(link);
    await tab.getByLabel(words.account.newPassword).fill(goodPassword);
    const accept = () => tab.getByRole('button', { name: words.account.accept, exact: true }).click();
    /** Waits until the tab of the patient before shows this one. */
    async function shownIn(other: Page): Promise<void> {
      await heading(other, words.home.title);
      await other.getByText(email).waitFor();
    }
    async function cases(): Promise<unknown[]> {
      const login = await portal.app.request('/api/auth/login', { json: { email, password: goodPassword } });
      const { access_token: theirs } = (await login.json()) as { access_token: string };
      const reply = await portal.app.request('/api/v1/mobile/cases', { token: theirs });
      return ((await reply.json()) as { items: unknown[] }).items;
    }
    return { link, tab, accept, shownIn, cases };
  }

  test('a sign-in as another user in another tab: nothing of the user before stays here', async () => {
    const visitor = await portal.patient();
    const { page } = visitor;
    // A tab in the background paints late, and what a component does after the next paint comes late too.
    await page.evaluate('requestAnimationFrame = (work) => setTimeout(work, 3000)');
    await page.evaluate(
      'const soon = setTimeout; setTimeout = (work, ms, ...more) => soon(work, ms === 35 ? 3000 : ms, ...more)',
    );
    const next = await nextPatient(visitor);
    // Not yet stored when the other user arrives.
    await answerFirst(visitor);
    await next.accept();
    await next.shownIn(page);
    // Longer than an answer waits until it is stored, and than the late paint.
    await page.waitForTimeout(4000);
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
    expect(await next.cases()).toEqual([]);
  });

  /** Other tabs hear of a sign-in in this one three seconds later. */
  const delayMessages = (tab: Page) =>
    tab.evaluate(`{
      const { postMessage } = BroadcastChannel.prototype;
      BroadcastChannel.prototype.postMessage = function (message) {
        setTimeout(() => postMessage.call(this, message), 3000);
      };
    }`);

  test('until this tab hears of that sign-in, nothing is sent as the other user', async () => {
    const visitor = await portal.patient();
    const { page, words, button } = visitor;
    const next = await nextPatient(visitor);
    await delayMessages(next.tab);
    await startIntake(page);
    await page.getByLabel('female', { exact: true }).check();
    await next.accept();
    await heading(next.tab, words.home.title);
    const { access_token: theirs } = await storedTokens(next.tab);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['authorization'] === `Bearer ${theirs}`) sent.push(request.url());
    });
    await button(words.intake.next).click();
    // Longer than an answer waits until it is stored as a draft.
    await page.waitForTimeout(1500);
    expect(sent).toEqual([]);
    await next.shownIn(page);
    expect(await next.cases()).toEqual([]);
  });

  test('until then a sign-out here is not one of the other user', async () => {
    const visitor = await portal.patient();
    const { page, words, button } = visitor;
    const next = await nextPatient(visitor);
    await delayMessages(next.tab);
    await next.accept();
    await heading(next.tab, words.home.title);
    await button(words.account.signOut).click();
    await next.shownIn(page);
    await next.tab.reload();
    await next.shownIn(next.tab);
  });

  test('an invitation that is accepted here while a patient is signed in: nothing of theirs stays', async () => {
    const visitor = await portal.patient();
    const { page, words, button } = visitor;
    const { link, shownIn, cases } = await nextPatient(visitor);
    await answerFirst(visitor);
    await heading(page, duration.questionText);
    await page.goto(link);
    await page.getByLabel(words.account.newPassword).fill(goodPassword);
    await button(words.account.accept).click();
    await shownIn(page);
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
    expect(await cases()).toEqual([]);
  });

  test('a photo that is still being read when another user signs in is stored for neither', async () => {
    ai.on('next_question', json(photo));
    const visitor = await portal.patient();
    const { page } = visitor;
    await page.evaluate(`{
      const open = createImageBitmap;
      createImageBitmap = async (file) => {
        await new Promise((resolve) => setTimeout(resolve, 2000));
        globalThis.isRead = true;
        return await open(file);
      };
    }`);
    const next = await nextPatient(visitor);
    await startIntake(page);
    const file = { name: 'skin.jpg', mimeType: 'image/jpeg', buffer: await skinPhoto({ format: 'jpeg' }) };
    await page.locator('.photo-sources input[type=file]').first().setInputFiles(file);
    await next.accept();
    await next.shownIn(page);
    await expect.poll(() => page.evaluate('globalThis.isRead')).toBe(true);
    await page.waitForTimeout(1000);
    expect(await tenantRows(portal.app, 'SELECT FROM images')).toEqual([]);
  });

  test('a photo that could not be stored outlives another page, and is stored after the end of the session, until another is taken', async () => {
    ai.on('next_question', json(photo));
    const { page, words, button, account, takeTrouble } = await portal.patient();
    await page.route('**/store_images*', (route) => route.abort());
    await startIntake(page);
    const file = { name: 'skin.jpg', mimeType: 'image/jpeg', buffer: await skinPhoto({ format: 'jpeg' }) };
    await page.locator('.photo-sources input[type=file]').first().setInputFiles(file);
    const shown = page.getByRole('img', { name: words.photo.preview });
    const again = button(words.common.tryAgain);
    await again.waitFor();
    await page.getByRole('link', { name: words.folder.home, exact: true }).click();
    await button(words.home.start).click();
    await shown.waitFor();

    await page.unroute('**/store_images*');
    const token = (await storedTokens(page)).access_token;
    await portal.app.request('/api/auth/logout-all', { token, method: 'POST' });
    await again.click();
    await page.getByText(words.account.sessionEnded).waitFor();
    await page.getByLabel(words.account.email).fill(account.email);
    await page.getByLabel(words.account.password, { exact: true }).fill(goodPassword);
    await button(words.account.signIn).click();
    await shown.waitFor();
    await button(words.photo.useIt).waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);

    await button(words.photo.retake).click();
    await page.locator('.photo-sources').waitFor();
    await page.getByRole('link', { name: words.folder.home, exact: true }).click();
    await button(words.home.start).click();
    await page.locator('.photo-sources').waitFor();
    expect(await shown.count()).toBe(0);
  });

  test('a new address: a button behind the link in the mail verifies it once; then the user can request a new link', async () => {
    const { email, access_token: token } = await register(portal.app);
    const isVerified = async () => {
      const reply = await portal.app.request('/api/auth/me', { token });
      return ((await reply.json()) as { user: { is_verified: boolean } }).user.is_verified;
    };
    const path = (await linkFor(email, 'verify-email')).slice(portal.url.length);
    const { page, words, button, takeTrouble } = await portal.visit({ path });
    await heading(page, words.account.verifyTitle);
    expect(page.url()).toBe(`${portal.url}/verify-email`);
    expect(await isVerified()).toBe(false);
    await button(words.account.verify).click();
    await heading(page, words.account.emailVerified);
    await expect.poll(() => isVerified()).toBe(true);

    await page.goto(`${portal.url}/`);
    await page.goto(portal.url + path);
    await button(words.account.verify).click();
    await page.getByText(words.problems.verification_invalid).waitFor();
    expect(takeTrouble()).toContain('400: /api/auth/verify-email');
    await page.getByLabel(words.account.email).fill(email);
    await button(words.account.sendLink).click();
    await page.getByText(words.account.verificationSent).waitFor();
  });
});
