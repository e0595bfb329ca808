import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { claimsOf, freshEmail, me, register, tenantRows } from '../../../../../test/support/accounts.ts';
import { barriers } from '../../../../../test/support/barriers.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { testPortal, type VisitOptions } from '../../../../../test/support/portal.ts';
import { newPhysician, queueCases } from '../../../../../test/support/queue-stage.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { storeTokens } from '../../../../../test/support/stored-tokens.ts';
import { webPubSub } from '../../../../../test/support/web-pubsub.ts';
import { en } from '../../src/office/i18n/en.ts';
import { he } from '../../src/office/i18n/he.ts';
import { en as staffEn } from '../../src/staff/i18n/en.ts';
import { he as staffHe } from '../../src/staff/i18n/he.ts';

const small = { width: 320, height: 640 };

describeInBrowser('the admin’s office in the reference portal', async () => {
  const { connectionString } = await webPubSub();
  const portal = await testPortal({
    ai: 'real',
    env: { WEBPUBSUB_CONNECTION_STRING: connectionString },
  });
  const { app } = portal;

  async function admin(options: VisitOptions = {}) {
    const account = await register(app, { role: 'admin' });
    const visitor = await portal.visit({ ...options, stored: (page) => storeTokens(page, account) });
    await visitor.page.locator('.places').waitFor();
    return { ...visitor, account };
  }

  const open = async (page: Page, path: string) => {
    await page.goto(portal.url + path);
    await page.locator('main h1').waitFor();
  };
  const patch = (path: string, token: string, json: object) =>
    app.request(path, { method: 'PATCH', token, json });

  test('the dashboard follows the queue by itself, and goes on without the live service and after an outage', async () => {
    const { page, words, takeTrouble } = await admin();
    const { dashboard } = en;
    const figure = (name: string) =>
      page
        .locator('.figures > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd');
    await page.getByText(dashboard.live, { exact: true }).waitFor();
    await figure(dashboard.waiting).filter({ hasText: /^0$/ }).waitFor();
    await page.getByText(dashboard.nothingWaits).waitFor();

    await queueCases(app, [{ rank: 0, dueIn: -30 }, {}, { lanePool: 'hand-clinic', laneLanguage: 'he' }]);
    // A change of the queue notifies its followers; a case that is written past the gateway does not.
    const doctor = await newPhysician(app);
    await app.request('/api/v1/backoffice/cases/next-case', { token: doctor.token, json: {} });
    await figure(dashboard.waiting).filter({ hasText: /^2$/ }).waitFor();
    await figure(dashboard.inReview).filter({ hasText: /^1$/ }).waitFor();
    await page.getByRole('rowheader', { name: 'hand-clinic' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'office-dashboard');

    await page.route('**/subscribe-analytics', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'access-control-allow-origin': portal.url },
        json: {
          type: 'urn:dermagate:problem:live_unavailable',
          title: 'x',
          status: 503,
          code: 'live_unavailable',
        },
      }),
    );
    await page.reload();
    await page.getByText(dashboard.polled, { exact: true }).waitFor();
    await figure(dashboard.waiting).filter({ hasText: /^2$/ }).waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);

    await page.route('**/backoffice/analytics', (route) => route.abort('internetdisconnected'));
    await page.reload();
    await page.getByRole('alert').filter({ hasText: words.problems.offline }).waitFor();
    await page.unroute('**/backoffice/analytics');
    await page.getByRole('button', { name: words.common.tryAgain }).click();
    await figure(dashboard.waiting).filter({ hasText: /^2$/ }).waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);
  });

  test('long names leave a list as wide as the page, and no page of it puts an address of a person into the address bar', async () => {
    const doctor = await newPhysician(app);
    const name = `${'W'.repeat(60)} ${'M'.repeat(59)}`;
    await tenantRows(app, `UPDATE physicians SET settings = settings || $2 WHERE uuid = $1`, [
      doctor.uuid,
      { display_name: name },
    ]);
    await tenantRows(
      app,
      `INSERT INTO users (uuid, tenant_id, email, password_hash, role)
       SELECT gen_random_uuid(), 1, format('aa-%s@example.org', n), 'x', 'patient' FROM generate_series(100, 160) n`,
    );
    const { page, button } = await admin();
    await open(page, '/users');
    const first = page.locator('tbody th').first();
    await first.filter({ hasText: 'aa-100@' }).waitFor();
    await button(staffEn.nextPage).click();
    await first.filter({ hasText: 'aa-150@' }).waitFor();
    expect(page.url()).toBe(`${portal.url}/users`);
    await page.reload();
    await first.filter({ hasText: 'aa-150@' }).waitFor();
    await page.goBack();
    await first.filter({ hasText: 'aa-100@' }).waitFor();

    await page.getByLabel(en.accounts.search).fill(doctor.account.email);
    await page.getByRole('link', { name }).waitFor();
    for (const width of [640, 900, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await barriers(page, { dark: width === 640 })).toEqual([]);
      // Its address can still be read beside the name.
      expect((await first.boundingBox())?.width).toBeGreaterThan(150);
    }
  });

  test('accounts are found, deactivated, activated, given another role, and signed out everywhere', async () => {
    const { page, account, button, takeTrouble } = await admin();
    const { accounts } = en;
    const doctor = await register(app, { role: 'physician' });
    await open(page, '/users');
    await page.getByLabel(accounts.search).fill(doctor.email.slice(0, -8));
    await page.getByLabel(accounts.role).selectOption('physician');
    const link = page.getByRole('link', { name: doctor.email });
    await link.waitFor();
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?role=physician');
    expect(await barriers(page)).toEqual([]);
    await page.reload();
    await link.waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await link.click();
    await page.getByRole('heading', { name: doctor.email }).waitFor();

    // Deactivated: asked first, Escape changes nothing, and the focus returns to the button.
    const deactivate = button(accounts.deactivate);
    await deactivate.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(accounts.deactivateMeans.cases).waitFor();
    await dialog.getByText(accounts.deactivateMeans.invitations).waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'office-deactivate');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => deactivate.evaluate((node) => node === node.ownerDocument.activeElement))
      .toBe(true);
    expect((await me(app, doctor.access_token)).status).toBe(200);
    await deactivate.click();
    await dialog.getByRole('button', { name: accounts.deactivate }).click();
    await page.locator('.badge').filter({ hasText: accounts.inactive }).waitFor();
    expect((await me(app, doctor.access_token)).status).toBe(401);
    await button(accounts.activate).click();
    await dialog.getByRole('button', { name: accounts.activate }).click();
    await page.locator('.badge').filter({ hasText: accounts.active }).waitFor();

    const uuid = claimsOf(doctor.access_token).sub;
    const path = `/api/v1/backoffice/users/${uuid}`;
    const read = async () =>
      (await (await app.request(path, { token: account.access_token })).json()) as {
        version: number;
        role: string;
        is_active: boolean;
        open_sessions: number;
      };
    const token = account.access_token;

    // Another admin deactivates it while the dialog is open, which never turns into its opposite.
    await deactivate.click();
    expect((await patch(path, token, { is_active: false, version: (await read()).version })).status).toBe(
      200,
    );
    await dialog.getByRole('button', { name: accounts.deactivate }).click();
    await page.getByText(accounts.alreadyInactive).waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect((await read()).is_active).toBe(false);
    expect(takeTrouble().length).toBeGreaterThan(0);
    await button(accounts.activate).click();
    await dialog.getByRole('button', { name: accounts.activate }).click();
    await page.locator('.badge').filter({ hasText: accounts.active }).waitFor();

    // Another admin has changed it meanwhile: nothing is done, and the second attempt counts.
    expect((await patch(path, token, { role: 'patient', version: (await read()).version })).status).toBe(200);
    await button(accounts.changeRole).click();
    await dialog.getByLabel(accounts.role).selectOption('admin');
    const confirm = dialog.getByRole('button', { name: accounts.changeRole });
    await confirm.click();
    await dialog.getByRole('alert').filter({ hasText: staffEn.problems.version_conflict }).waitFor();
    expect((await read()).role).toBe('patient');
    expect(takeTrouble().length).toBeGreaterThan(0);
    await page.locator('.facts dd').first().filter({ hasText: staffEn.roles.patient }).waitFor();
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await read()).role).toBe('admin');

    await button(accounts.endSessions).click();
    await dialog.getByRole('button', { name: accounts.endSessions }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await read()).open_sessions).toBe(0);

    await open(page, `/users/${claimsOf(token).sub}`);
    await page.getByText(accounts.ownAccount).waitFor();
    expect(await button(accounts.deactivate).count()).toBe(0);
  });

  test('people are invited; a physician is prepared, set up against a conflict, and sent on vacation', async () => {
    const { page, account, words, button, takeTrouble } = await admin();
    const { accounts, invitations, physicians } = en;
    await open(page, '/invitations');
    await button(invitations.send).click();
    await page.locator('.error-summary:focus').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.locator('.error-summary a').click();
    await expect.poll(() => page.locator('#invite-email:focus').count()).toBe(1);
    await page.locator('#invite-email').fill('no address');
    await button(invitations.send).click();
    await page.locator('.error-summary').filter({ hasText: words.fields.invalid_email }).waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);
    const email = freshEmail('invited');
    await page.locator('#invite-email').fill(email);
    await button(invitations.send).click();
    const handed = page.getByLabel(invitations.link);
    const first = await handed.inputValue();
    expect(first).toContain(`${portal.url}/accept-invitation#token=`);
    await button(`${invitations.resend} ${email}`).click();
    await expect.poll(() => handed.inputValue()).not.toBe(first);
    await expect.poll(() => page.locator('tbody tr').filter({ hasText: email }).count()).toBe(1);
    await saveScreenshot(page, 'office-invitations');
    await button(`${invitations.revoke} ${email}`).click();
    await page.getByRole('dialog').getByRole('button', { name: invitations.revoke }).click();
    await page.locator('tbody tr').filter({ hasText: email }).waitFor({ state: 'detached' });

    await open(page, '/physicians/new');
    await button(physicians.add).click();
    await page.locator('.error-summary:focus').waitFor();
    await expect.poll(() => page.locator('.error-summary li').count()).toBe(2);
    const doctor = freshEmail('doctor');
    await page.locator('#email').fill(doctor);
    await page.locator('#name').fill('Noor Example');
    await page.locator('#pool').fill('Not A Pool');
    await button(physicians.add).click();
    await page.locator('#pool-error').waitFor();
    expect(takeTrouble().length).toBeGreaterThan(0);
    expect(await barriers(page)).toEqual([]);
    await page.locator('#pool').fill('hand-clinic');
    await button(physicians.add).click();
    await page.getByRole('link', { name: physicians.toProfile }).click();
    await page.getByRole('heading', { name: 'Noor Example' }).waitFor();
    const uuid = new URL(page.url()).pathname.split('/').at(-1) as string;

    // Two admins at once: the entries stay, and the second one decides.
    await page.locator('#title').fill('Dr.');
    await page.locator('#max-open').fill('30');
    await button(staffEn.save).click();
    await page.locator('#max-open-error').waitFor();
    await page.locator('#max-open').fill('3');
    const path = '/api/v1/backoffice/physicians';
    const token = account.access_token;
    const others = { physician_uuid: uuid, version: 1, settings: { title: 'Prof.' } };
    const read = async () => {
      const reply = await app.request(`${path}/details`, { token, json: { uuids: [uuid] } });
      const { items } = (await reply.json()) as { items: { version: number; display_name: string }[] };
      return items[0] as { version: number; display_name: string };
    };
    const changed = await patch(`${path}/settings`, token, { ...others, version: (await read()).version });
    expect(changed.status).toBe(200);
    await button(staffEn.save).click();
    await page.getByRole('alert').filter({ hasText: staffEn.problems.version_conflict }).waitFor();
    await expect.poll(() => page.locator('#title').inputValue()).toBe('Dr.');
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'office-conflict');
    await button(staffEn.keepMine).click();
    await page.getByText(staffEn.saved, { exact: true }).waitFor();
    expect((await read()).display_name).toBe('Dr. Noor Example');
    expect(takeTrouble().length).toBeGreaterThan(0);

    await button(physicians.beginVacation).click();
    await page.locator('#until').fill('2199-01-31');
    await page.getByRole('dialog').getByRole('button', { name: physicians.beginVacation }).click();
    await page.locator('.badge').filter({ hasText: physicians.away }).waitFor();
    await page.getByText(physicians.awayMeans).waitFor();
    await open(page, '/physicians');
    await page.getByLabel(physicians.presence).selectOption('away');
    await page.locator('tbody tr').filter({ hasText: 'Noor Example' }).waitFor();
    await page.getByLabel(physicians.presence).selectOption('here');
    await page.locator('tbody tr').filter({ hasText: 'Noor Example' }).waitFor({ state: 'detached' });
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel(accounts.state).selectOption('inactive');
    await page.goBack();
    await page.locator('main h1').waitFor();
    await page.goForward();
    await page.locator(`select >> nth=-1`).waitFor();
    expect(new URL(page.url()).search).toBe('?vacation=here&state=inactive');
    await open(page, `/physicians/${uuid}`);
    await button(physicians.endVacation).click();
    await page.getByRole('dialog').getByRole('button', { name: physicians.endVacation }).click();
    await page.getByText(physicians.isBack).waitFor();
  });

  test('on a phone in Hebrew: a group with members, parameters by their schema, the audit trail as a file', async () => {
    const { page, account, button, takeTrouble } = await admin({ language: 'he', viewport: small });
    const { groups, parameters, trail } = he;
    const doctor = await register(app, { role: 'physician' });
    await open(page, '/groups');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: groups.add }).click();
    await button(groups.add).click();
    await page.locator('#group-name-error').waitFor();
    const name = `Second readers ${Date.now()}`;
    await page.locator('#group-name').fill(name);
    await page.getByLabel(groups.capability['case.audit'].name).check();
    await page.locator('#group-pools').fill('hand-clinic, foot-clinic');
    expect(await barriers(page)).toEqual([]);
    await button(groups.add).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByLabel(groups.addMember).fill(doctor.email);
    await button(`${groups.addToGroup} ${doctor.email}`).click();
    await page.locator('tbody tr').filter({ hasText: doctor.email }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'office-group');
    await page.locator('#group-name').fill(`${name} 2`);
    await button(staffHe.save).click();
    await page.getByRole('heading', { name: `${name} 2` }).waitFor();
    await button(`${groups.remove} ${doctor.email}`).click();
    await page.getByText(groups.noMembers).waitFor();
    await button(groups.delete).click();
    await page.getByRole('dialog').getByRole('button', { name: groups.delete }).click();
    await page.waitForURL('**/groups');

    await open(page, '/parameters');
    await page.getByRole('link', { name: parameters.sets['notify/rules'] }).click();
    const own = (key: keyof typeof parameters.keys) =>
      page.getByLabel(`${parameters.isOwn} – ${parameters.keys[key]}`);
    await own('quiet_hours').check();
    await page.getByLabel(staffHe.none).uncheck();
    await page.locator('#quiet_hours-from').fill('22');
    await page.locator('#quiet_hours-to').fill('25');
    await own('reminder_days').check();
    await page.locator('#reminder_days').fill('2, 5');
    // One press too many loses nothing.
    await own('reminder_days').uncheck();
    await own('reminder_days').check();
    await own('channels').check();
    expect(await barriers(page)).toEqual([]);
    await button(staffHe.save).click();
    await page.locator('.error-summary:focus').waitFor();
    await page.locator('#quiet_hours-to').fill('6');
    await button(staffHe.save).click();
    await page.getByText(staffHe.saved, { exact: true }).waitFor();
    const token = account.access_token;
    const read = async (set: string) =>
      (await (await app.request(`/api/v1/backoffice/parameters/${set}`, { token })).json()) as {
        version: number;
        values: Record<string, unknown>;
      };
    expect((await read('notify/rules')).values).toEqual({
      quiet_hours: { from: 22, to: 6 },
      reminder_days: [2, 5],
      channels: ['mail', 'push'],
    });
    await own('quiet_hours').uncheck();
    await own('channels').uncheck();
    // Meanwhile another admin: their state is loaded, the entries are given up.
    const { version } = await read('notify/rules');
    const values = { reminder_days: [7] };
    const put = { method: 'PUT', token, json: { values, version } };
    expect((await app.request('/api/v1/backoffice/parameters/notify/rules', put)).status).toBe(200);
    await button(staffHe.save).click();
    await page.getByRole('alert').filter({ hasText: staffHe.problems.version_conflict }).waitFor();
    await button(staffHe.takeTheirs).click();
    await expect.poll(() => page.locator('#reminder_days').inputValue()).toBe('7');
    expect(takeTrouble().length).toBeGreaterThan(0);
    await own('reminder_days').uncheck();
    await button(staffHe.save).click();
    await page.getByText(staffHe.saved, { exact: true }).waitFor();
    expect((await read('notify/rules')).values).toEqual({});

    await open(page, '/parameters');
    await page.locator('#parameter-name').fill('portal/theme');
    await button(parameters.open).click();
    await page.locator('#values').fill('{ "colour": ');
    await button(staffHe.save).click();
    await page.locator('.error-summary:focus').waitFor();
    await page.locator('#values').fill('{ "colour": "teal" }');
    await button(staffHe.save).click();
    await page.getByText(staffHe.saved, { exact: true }).waitFor();
    expect((await read('portal/theme')).values).toEqual({ colour: 'teal' });
    // The name was unused before: the read had found nothing.
    takeTrouble();

    await open(page, `/users/${claimsOf(token).sub}`);
    await page.getByRole('link', { name: trail.by }).click();
    await page.locator('tbody tr').filter({ hasText: 'group_deleted' }).waitFor();
    await page.getByLabel(trail.category).selectOption('admin');
    await page.locator('tbody tr').filter({ hasText: 'audit_trail_read' }).waitFor({ state: 'detached' });
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'office-audit-trail');
    const [download] = await Promise.all([page.waitForEvent('download'), button(trail.download).click()]);
    const lines = await readText(await download.createReadStream());
    expect(lines).toContain('group_deleted');
    expect(lines).not.toContain('audit_trail_read');
    await page.locator('summary').first().click();
    expect(await barriers(page)).toEqual([]);
  });
});

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}
