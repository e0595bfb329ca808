import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { goodPassword, logIn, register, tenantRows } from '../../../../../test/support/accounts.ts';
import { barriers } from '../../../../../test/support/barriers.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { testPortal } from '../../../../../test/support/portal.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { storeTokens } from '../../../../../test/support/stored-tokens.ts';
import { en } from '../../src/account/i18n/en.ts';
import { es } from '../../src/account/i18n/es.ts';
import { he } from '../../src/account/i18n/he.ts';

const small = { width: 320, height: 640 };

describeInBrowser('the account', async () => {
  const portal = await testPortal({ ai: 'real' });
  const { app } = portal;

  const open = async (page: Page, name: string) => {
    await page.goto(`${portal.url}/account`);
    await page.locator(`.sections a[href="/account/${name}"]`).click();
    await page.locator('.account h1').waitFor();
  };

  test('a patient keeps profile, child and language at the clinic, and each page is for everyone', async () => {
    const { page, words, button, takeTrouble, account } = await portal.patient({
      language: 'he',
      viewport: small,
    });
    const t = he;
    expect(await barriers(page)).toEqual([]);
    await open(page, 'profile');
    await page.locator('input[name=given_name]').fill('נועה');
    await page.locator('input[name=birth_date]').fill('2999-01-01');
    await button(t.save).click();
    await page
      .locator('#' + String(await page.locator('[aria-invalid]').getAttribute('id')) + '-error')
      .waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);
    expect(await barriers(page)).toEqual([]);
    await page.locator('input[name=birth_date]').fill('1990-05-17');
    await page.locator('select[name=gender]').selectOption('female');
    await button(t.save).click();
    await page.getByText(t.saved).waitFor();
    await page.reload();
    await expect.poll(() => page.locator('input[name=given_name]').inputValue()).toBe('נועה');
    const birthDate = page.locator('input[name=birth_date]');
    await expect.poll(() => birthDate.inputValue()).toBe('1990-05-17');

    // What the browser reads as no date is not saved, and not shown as saved.
    await birthDate.fill('');
    await button(t.save).click();
    await page.locator('.field-error').filter({ hasText: words.fields.required }).waitFor();
    await birthDate.pressSequentially('02311990');
    await expect.poll(() => birthDate.inputValue()).toBe('');
    await button(t.save).click();
    await page.locator('.field-error').filter({ hasText: words.fields.invalid_date }).waitFor();
    await page.locator('input[name=birth_date][aria-invalid]:focus').waitFor();
    expect(await page.getByText(t.saved).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);

    await open(page, 'people');
    await page.getByText(t.people.none).waitFor();
    await page.locator('.add-person summary').click();
    await page.locator('input[name=given_name]').fill('דן');
    await page.locator('input[name=birth_date]').fill('2019-04-30');
    await page.locator('input[name=guardian]').check();
    await button(words.cases.add).click();
    await page.locator('.add-person:not([open])').waitFor();
    await page.locator('.sections a').filter({ hasText: 'דן' }).click();
    await page.locator('input[name=family_name]').fill('לוי');
    expect(await barriers(page)).toEqual([]);
    await button(t.save).click();
    await page.getByText(t.saved).waitFor();
    await page.goBack();
    await page.locator('.sections a').filter({ hasText: 'לוי' }).waitFor();

    for (const name of ['notifications', 'devices', 'password', 'privacy', 'contact', 'data']) {
      await open(page, name);
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      expect([name, await barriers(page)]).toEqual([name, []]);
    }
    await open(page, 'contact');
    await button(t.contact.send).click();
    await page.getByRole('alert').filter({ hasText: words.fields.required }).waitFor();
    await page.locator('textarea').fill('שאלה');
    await button(t.contact.send).click();
    await page.getByRole('alert').filter({ hasText: words.problems.email_unverified }).waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);

    const worker = await page.request.get(`${portal.url}/push-worker.js`);
    expect(worker.headers()['content-type']).toContain('javascript');
    expect(await worker.text()).toContain('showNotification');

    await open(page, 'notifications');
    await page.locator('input[name=mail]').uncheck();
    await button(t.save).click();
    await page.getByText(t.saved).waitFor();
    await page.reload();
    await page.locator('input[name=mail]').waitFor();
    expect(await page.locator('input[name=mail]').isChecked()).toBe(false);

    await open(page, 'language');
    await page.locator('input[value=es]').check();
    await button(t.save).click();
    await page.getByText(es.saved).waitFor();
    const [row] = await tenantRows<{ language: string }>(app, 'SELECT language FROM users WHERE email = $1', [
      account.email,
    ]);
    expect(row?.language).toBe('es');
    await saveScreenshot(page, 'account-language');

    // Whose push messages this browser gets is forgotten with the sign-out.
    await page.evaluate(`localStorage.setItem('dermagate.push', 'me')`);
    await page.locator('.tools button').click();
    await page.locator('input[type=password]').waitFor();
    expect(await page.evaluate(`localStorage.getItem('dermagate.push')`)).toBeNull();
  });

  test('a password and a sign-out here end what is open elsewhere, for staff as well', async () => {
    const account = await register(app, { role: 'physician' });
    await logIn(app, account);
    const { page, words, button, takeTrouble } = await portal.visit({
      path: '/account/devices',
      viewport: small,
      stored: (page) => storeTokens(page, account),
    });
    const t = en;
    await page.locator('.devices li').nth(1).waitFor();
    await expect.poll(() => page.locator('.devices .tag').count()).toBe(1);
    const other = page.locator('.devices li:not(:has(.tag))');
    await other.getByRole('button').click();
    await other.waitFor({ state: 'detached' });

    await open(page, 'password');
    const [current, next] = [
      page.locator('input[type=password]').first(),
      page.locator('input[type=password]').last(),
    ];
    await current.fill('not this one');
    await next.fill('a whole sentence of words');
    await button(words.account.savePassword).click();
    await page.getByText(words.problems.current_password_invalid).first().waitFor();
    await expect.poll(() => page.locator('input[aria-invalid]:focus').count()).toBe(1);
    expect(takeTrouble().length).toBeGreaterThan(0);
    const elsewhere = await logIn(app, account);
    expect(elsewhere.status).toBe(200);
    const { access_token: token } = (await elsewhere.json()) as { access_token: string };
    await current.fill(goodPassword);
    await button(words.account.savePassword).click();
    await page.getByText(t.password.changed).waitFor();
    expect((await app.request('/api/auth/me', { token })).status).toBe(401);

    await open(page, 'profile');
    await page.getByText(t.profile.staff).waitFor();
    expect(await page.locator('a[href="/account/people"]').count()).toBe(0);
    await open(page, 'language');
    await page.locator('input[value=en]').check();
    await button(t.save).click();
    await page.getByText(t.saved).waitFor();

    await logIn(app, { email: account.email, password: 'a whole sentence of words' });
    await open(page, 'devices');
    await button(t.devices.endAll).click();
    await page.getByRole('alertdialog').getByRole('button', { name: t.devices.endAll }).click();
    await page.locator('input[type=password]').waitFor();
    takeTrouble();
  });
});
