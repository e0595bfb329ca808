import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { CaseDetail, PhysicianDetails } from '../../../../packages/client/src/index.ts';
import { tenantRows } from '../../../../../test/support/accounts.ts';
import { barriers } from '../../../../../test/support/barriers.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { focused, physicianAtDesk, sendCase } from '../../../../../test/support/desk-stage.ts';
import { emergencyAnamnesis } from '../../../../../test/support/diagnosis.ts';
import { testPortal } from '../../../../../test/support/portal.ts';
import { endLease, newPhysician, takeNext } from '../../../../../test/support/queue-stage.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { en } from '../../src/desk/i18n/en.ts';
import { he } from '../../src/desk/i18n/he.ts';
import { he as staffHe } from '../../src/staff/i18n/he.ts';

/** `npm run soak` answers ten. */
const CASES = Number(process.env['DESK_CASES'] ?? 2);

const { answer: words } = en;

interface Box {
  textContent: string;
  scrollWidth: number;
  clientWidth: number;
  scrollHeight: number;
  clientHeight: number;
}
/** Runs inside of the page. */
const isWhole = (box: Box) => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight + 2;

describeInBrowser('the desk of the reference portal', async () => {
  const portal = await testPortal({ ai: 'real' });
  const { app } = portal;
  /** What other tests have left in the queue would come first. */
  const emptyQueue = () =>
    tenantRows(
      app,
      `UPDATE request_records SET status = 'cancelled', lane_pool = NULL, lane_language = NULL
      WHERE status = 'queued'`,
    );

  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const textIs = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const isSaved = (page: Page) =>
    page
      .locator('.save-state')
      .filter({ hasText: words.save.saved.split('{')[0] ?? '' })
      .waitFor();

  async function findDisease(page: Page, typed: string) {
    await press(page, 'd');
    await expect.poll(() => focused(page)).toBe('answer-diagnosis');
    await page.keyboard.type(typed);
    // However fast: a letter was lost where the field was written after a later one.
    await expect.poll(() => page.locator('#answer-diagnosis').inputValue()).toBe(typed);
    await press(page, 'Enter', 'Escape');
    await expect.poll(() => focused(page)).toBe('body');
    await page.locator('.diagnoses ol li').last().waitFor();
  }

  /** Home care in an emergency: no key signs it without a reason and the confirmation. */
  async function signNevertheless(page: Page) {
    await page.locator('.contradictions:focus').waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-contradictions');
    await press(page, 'Control+Enter');
    await expect.poll(() => focused(page)).toBe('reason-action_below_red_flags');
    await page.keyboard.type('Seen in person, and well.');
    await press(page, 'Tab');
    await page.keyboard.type('I saw you an hour ago. It is harmless.');
    await press(page, 'Control+Enter');
    await expect.poll(() => focused(page)).toBe('confirm-emergency');
    // For another answer it must be confirmed again.
    await press(page, 'Space');
    await page.locator('#confirm-emergency:checked').waitFor();
    await page.locator('#answer-photos input').last().check();
    expect(await page.locator('.contradictions').count()).toBe(0);
    await page.locator('#answer-photos input').first().check();
    await press(page, 'Control+Enter');
    await page.locator('.contradictions:focus').waitFor();
    expect(await page.locator('#confirm-emergency').isChecked()).toBe(false);
    await press(page, 'Control+Enter');
    await page.locator('#confirm-emergency:focus').waitFor();
    await press(page, 'Space', 'Control+Enter');
    await page.locator('.signed h3:focus').waitFor();
    await page.locator('.signed .notice.warning').getByText('Seen in person, and well.').waitFor();
    await saveScreenshot(page, 'desk-signed-nevertheless');
  }

  test('a physician answers one case after the other by keyboard alone', async () => {
    await emptyQueue();
    await sendCase(app, { anamnesis: emergencyAnamnesis });
    for (let index = 1; index < CASES; index++) await sendCase(app);
    const { page, takeTrouble } = await physicianAtDesk(portal);
    await page
      .locator('.counts dd')
      .first()
      .filter({ hasText: String(CASES) })
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-home');

    const times: number[] = [];
    for (let index = 0; index < CASES; index++) {
      const before = page.url();
      const begun = performance.now();
      await press(page, 'n');
      await expect.poll(() => page.url()).not.toBe(before);
      await page.locator('.case .answer-form').waitFor();
      await expect.poll(() => focused(page)).toBe('h1');

      // Nothing is signed unseen: each urgent flag is marked by itself, and what is missing is named.
      await press(page, 'Control+Enter');
      await page.locator('.answer-form .notice.failure:focus').waitFor();
      if (index === 0) {
        expect(await barriers(page)).toEqual([]);
        await textIs(page, words.problems.flags);
        const flags = page.locator('input[name=acknowledged]');
        while ((await page.locator('input[name=acknowledged]:not(:checked)').count()) > 0)
          await press(page, 'f', 'Space');
        await expect.poll(() => flags.count()).toBeGreaterThan(0);
      }
      await findDisease(page, 'L40.0 ');
      await press(page, 'y', 'a');
      await page.keyboard.type(words.actions.self_care_advice);
      await press(page, 'Escape', 'e');
      await page.keyboard.type('Cream twice a day. n ?');
      // Enter in a field signs nothing.
      await page.evaluate(`addEventListener('submit', () => document.body.classList.add('submitted'))`);
      await page.locator('#answer-photos input:checked').press('Enter');
      expect(await page.locator('body.submitted').count()).toBe(0);
      await press(page, 'Control+Enter');
      if (index === 0) {
        await signNevertheless(page);
        expect(takeTrouble().join()).toContain('409');
      }
      await page.locator('.signed h3:focus').waitFor();
      times.push((performance.now() - begun) / 1000);
      expect(await page.locator('dialog').count()).toBe(0);
      await expect
        .poll(() => page.locator('.signed .message').last().innerText())
        .toContain('Cream twice a day. n ?');
    }
    if (CASES > 2) console.log(`Seconds for each case: ${times.map((each) => each.toFixed(1)).join(', ')}`);

    // The last one is no emergency: it can be undone, and is a draft again with all that was written.
    await press(page, 'u');
    await page.locator('.answer-form').waitFor();
    await expect
      .poll(() => page.locator('#answer-recommendation').inputValue())
      .toBe('Cream twice a day. n ?');
    await press(page, '?');
    await page.locator('dialog dl.keys').waitFor();
    await expect.poll(() => page.locator('dialog dd').allInnerTexts()).toContain(words.keys.sign);
    expect(await barriers(page)).toEqual([]);
    await page.locator('dialog [role=switch]').click();
    await press(page, 'Escape', 'd');
    expect(await focused(page)).not.toBe('answer-diagnosis');
    await press(page, 'Control+Enter');
    await page.locator('.signed').waitFor();
  });

  test('Enter picks a disease of the typed text, never of an earlier list, and signs nothing', async () => {
    await emptyQueue();
    await sendCase(app);
    const { page } = await physicianAtDesk(portal);
    await expect.poll(() => page.keyboard.press('n').then(() => page.url())).toContain('/cases/');
    await page.locator('.case .answer-form').waitFor();
    const field = page.locator('#answer-diagnosis');
    const options = page.locator('.combobox [role=option]');
    const picked = page.locator('.diagnoses ol .code');

    await field.fill('p');
    await options.first().waitFor();
    expect(await options.first().innerText()).not.toContain('soriasis');
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-diseases');
    await page.emulateMedia({ forcedColors: 'active' });
    const colorOf = async (nth: number) => {
      const picture = sharp(await options.nth(nth).screenshot());
      return (await picture.stats()).dominant;
    };
    expect(await colorOf(0), 'which disease Enter picks, in high contrast').not.toEqual(await colorOf(1));
    await page.emulateMedia({ forcedColors: 'none' });
    // The next list is slow, so that the earlier one would still be shown.
    await page.route('**/diseases/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await field.press('End');
    await page.keyboard.type('soriasis');
    await press(page, 'Enter', 'Enter', 'Escape');
    await expect.poll(() => focused(page)).toBe('body');
    await picked.filter({ hasText: 'psoriasis' }).waitFor();
    await expect.poll(async () => [await picked.count(), await field.inputValue()]).toEqual([1, '']);
    await press(page, 'd', 'Enter');
    expect(await page.locator('.answer-form .notice.failure').count()).toBe(0);

    // A text without a match stays, the list says so, and two Escapes leave the field.
    await page.keyboard.type('no such disease');
    await press(page, 'Enter');
    await textIs(page, words.noDisease);
    await press(page, 'Escape');
    await expect
      .poll(async () => [await focused(page), await options.count()])
      .toEqual(['answer-diagnosis', 0]);
    await press(page, 'Escape');
    await expect
      .poll(async () => [await focused(page), await field.inputValue()])
      .toEqual(['body', 'no such disease']);

    // Its text is replaced by the next one; the arrow keys go round, the pointer picks.
    await press(page, 'd');
    await page.keyboard.type('ecz');
    await options.first().waitFor();
    const selected = page.locator('.combobox [role=option][aria-selected=true]');
    const first = await selected.innerText();
    await press(page, 'ArrowUp', 'ArrowDown');
    await expect.poll(() => selected.innerText()).toBe(first);
    await options.first().click();
    await expect.poll(() => picked.count()).toBe(2);
    await expect.poll(() => focused(page)).toBe('answer-diagnosis');
  });

  test('a draft survives an outage, another device, a lost lease and a reload, and says where it stands', async () => {
    await emptyQueue();
    const { uuid } = await sendCase(app);
    const { page, takeTrouble, physician } = await physicianAtDesk(portal);
    await press(page, 'n');
    await page.locator('.answer-form').waitFor();
    const url = `**/backoffice/annotations/${uuid}*`;

    // The gateway is away.
    let refused = 0;
    await page.route(url, async (route) => {
      await route.abort();
      refused += 1;
    });
    await page.locator('#answer-message').fill('Written offline');
    await page.locator('.save-state.bad').waitFor();
    expect(await barriers(page)).toEqual([]);
    // Tried again by itself after three seconds, then after eight: time enough to press the button instead.
    await expect.poll(() => refused).toBeGreaterThan(1);
    await page.locator('.save-state.bad').waitFor();
    await page.unroute(url);
    await page.locator('.save-state button').click();
    await isSaved(page);
    expect(takeTrouble().length).toBeGreaterThan(0);

    // The reply of a save is lost: the next one finds its own words, and asks nothing.
    await page.route(url, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.locator('#answer-message').fill('Saved unheard');
    await page.locator('.save-state.bad').waitFor();
    await page.unroute(url);
    // By itself, after three seconds.
    await isSaved(page);
    expect(await page.locator('.conflict').count()).toBe(0);
    takeTrouble();

    // Another device saves something else.
    const path = `/api/v1/backoffice/annotations/${uuid}`;
    const { token } = physician;
    const stored = async () => {
      const reply = await app.request(path, { token });
      return ((await reply.json()) as { annotations: { version: number; patient_message: string }[] })
        .annotations[0];
    };
    const { version } = (await stored()) ?? { version: 0 };
    const other = { kind: 'dermatologist', patient_message: 'From the phone', version };
    expect((await app.request(path, { method: 'PUT', token, json: other })).status).toBe(200);
    await page.locator('#answer-message').fill('From the desk');
    const conflict = page.locator('.conflict');
    await conflict.filter({ hasText: 'From the phone' }).waitFor();
    await expect.poll(() => conflict.innerText()).toContain('From the desk');
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-conflict');
    await page.getByRole('button', { name: words.keepMine, exact: true }).click();
    await isSaved(page);
    expect((await stored())?.patient_message).toBe('From the desk');
    expect(takeTrouble()).toContain(`412: ${path}`);

    await page.reload();
    await page.locator('.answer-form').waitFor();
    await expect.poll(() => page.locator('#answer-message').inputValue()).toBe('From the desk');

    // The lease has ended, and a colleague has the case.
    await endLease(app, uuid);
    const colleague = await newPhysician(app);
    const taken = await takeNext(app, colleague);
    expect(taken.case?.uuid).toBe(uuid);
    await page.locator('#answer-message').fill('Too late');
    await page.locator('.save-state.bad').filter({ hasText: en.problems.lease_lost }).waitFor();
    // It is the colleague's now, and nothing of it is offered here.
    await textIs(page, en.case.gone);
    expect(await page.locator('.case-actions button').count()).toBe(0);
    await expect.poll(() => page.locator('#answer-message').inputValue()).toBe('Too late');
    expect(takeTrouble().some((line) => line.startsWith('409'))).toBe(true);
  });

  test('photos are seen at full size, turned, lit and compared, by keys and without leaving a trace', async () => {
    await emptyQueue();
    const earlier = await sendCase(app);
    const { page, physician } = await physicianAtDesk(portal, { viewport: { width: 390, height: 844 } });
    await press(page, 'n');
    await page.locator('.answer-form').waitFor();
    await tenantRows(
      app,
      `UPDATE request_records SET status = 'closed', closed_at = now(), lease_expires_at = NULL WHERE uuid = $1`,
      [earlier.uuid],
    );
    const { uuid } = await sendCase(app, { by: earlier.token });
    await takeNext(app, physician);

    const originals: string[] = [];
    page.on('request', (request) => {
      if (/\/backoffice\/images\/[^?]+$/.test(request.url())) originals.push(request.url());
    });
    await page.goto(`${portal.url}/cases/${uuid}`);
    await page.locator('.photo-strip img').waitFor();
    expect(originals).toEqual([]);
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-case');

    // The tools take more room when earlier photos arrive: the photo stays whole, then at the chosen size.
    const answerHistory: (() => void)[] = [];
    await page.route(
      '**/backoffice/history/*',
      (route) => void answerHistory.push(() => void route.continue()),
    );
    await press(page, 'p');
    const pane = page.locator('.pane figcaption');
    await pane.filter({ hasText: '%' }).waitFor();
    expect(originals).toHaveLength(1);
    await press(page, '1');
    await pane.filter({ hasText: '100%' }).waitFor();
    const compare = page.getByLabel(en.photos.compare);
    await expect.poll(() => answerHistory.length).toBe(1);
    answerHistory.pop()?.();
    await expect.poll(() => compare.locator('option').count()).toBe(3);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await expect.poll(() => pane.innerText()).toContain('100%');
    await press(page, '+', 'r', 'ArrowRight');
    await expect.poll(() => pane.innerText()).not.toContain('100%');
    await page.getByLabel(en.photos.brightness).fill('140');
    await expect
      .poll(() => page.evaluate<string>(`document.querySelector('.pane .canvas').style.filter`))
      .toContain('140%');

    await compare.selectOption({ index: 2 });
    await pane.nth(1).filter({ hasText: '%' }).waitFor();
    await press(page, '0');
    await press(page, '1');
    await expect
      .poll(async () => new Set((await pane.allInnerTexts()).map((text) => text.split('·')[1])).size)
      .toBe(1);
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-viewer');
    // No key of the page behind works meanwhile.
    await press(page, 'y');
    await press(page, 'Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('#answer-photos input:checked').count()).toBe(0);

    // Beside the answer there is little room: what was diagnosed before is read whole, and so is what is written now.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.unroute('**/backoffice/history/*');
    await page.getByRole('button', { name: en.history.open.split('{')[0] ?? '' }).click();
    const detail = page.locator('.case-row .detail');
    await detail.filter({ hasText: en.history.noAnswer }).waitFor();
    await detail.evaluate((element: Box) => void (element.textContent = 'Seborrhoeic keratosis, '.repeat(9)));
    expect(await detail.evaluate(isWhole)).toBe(true);
    await page.locator('#answer-recommendation').fill('A line.\n'.repeat(12));
    expect(await page.locator('#answer-recommendation').evaluate(isWhole)).toBe(true);
  });

  test('cases are found by filters in the address, asked about, and put back; the settings are one’s own', async () => {
    await emptyQueue();
    const { uuid } = await sendCase(app);
    const { page, takeTrouble, physician } = await physicianAtDesk(portal, {
      language: 'he',
      viewport: { width: 320, height: 640 },
      path: '/search?scope=queue&status=queued&nonsense=1',
    });
    const row = page.locator('a.case-row');
    await row.first().waitFor();
    await expect.poll(() => row.count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-search');
    // However late it is, the name can be read.
    const [name, due] = [row.locator('.who'), row.locator('.due')];
    await due.evaluate((element: Box) => void (element.textContent = 'overdue, due 11 hours ago'));
    await name.evaluate(
      (element: Box) => void (element.textContent = 'Wilhelmina-Alexandrina von Hohenlohe'),
    );
    expect(await name.evaluate(isWhole)).toBe(true);
    await page.getByLabel(he.filters.triage).selectOption('self_care');
    await page.getByText(he.list.empty).waitFor();
    expect(new URL(page.url()).searchParams.get('triage')).toBe('self_care');
    await page.reload();
    await page.getByText(he.list.empty).waitFor();
    await page.getByRole('button', { name: he.filters.clear }).click();
    await row.first().waitFor();
    await page.locator('#search-text').fill('n');
    expect(page.url()).not.toContain('=n');
    await page.locator('#search-text').fill('');
    await row.first().waitFor();
    await press(page, 'Escape', 'j', 'Enter');
    await page.locator('.case').waitFor();
    await page.goto(`${portal.url}/cases/${uuid}`);
    await page.getByRole('button', { name: he.case.claim }).click();
    await page.locator('.answer-form').waitFor();
    expect(await barriers(page)).toEqual([]);
    // However long the text is that is offered, its list ends within the page.
    await page.locator('#answer-diagnosis').fill(`L98.9 ${'word '.repeat(12)}`);
    await page.locator('.combobox li').last().waitFor();
    expect((await page.locator('.combobox .list').boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await page.locator('#answer-diagnosis').fill('');
    await page.locator('h1').click();

    // On a Hebrew keyboard the key of h types another letter.
    await page.evaluate(
      `dispatchEvent(new KeyboardEvent('keydown', { key: 'י', code: 'KeyH', bubbles: true }))`,
    );
    await page.getByRole('button', { name: en.case.holdPhrase.sharper }).click();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: he.case.holdDo, exact: true }).click();
    await page.locator('.case-head').filter({ hasText: he.pending.awaiting_patient }).waitFor();
    await page.locator('.messages').filter({ hasText: en.case.holdPhrase.sharper }).waitFor();

    await page.goto(`${portal.url}/settings`);
    await page.locator('#vacation').waitFor();
    expect(await barriers(page)).toEqual([]);
    // From any page one types into the search at once.
    await press(page, '/');
    await expect.poll(() => focused(page)).toBe('search-text');
    await page.goBack();
    await page.locator('#vacation').waitFor();
    await page.getByLabel(he.mySettings.signature).fill('ד״ר לוי');
    await page.getByRole('button', { name: he.mySettings.save, exact: true }).click();
    await page.getByText(he.mySettings.saved, { exact: true }).waitFor();

    // Another device changes the title meanwhile: the entries stay, and neither change is lost.
    const physicians = '/api/v1/backoffice/physicians';
    const { token } = physician;
    const profile = async () => {
      const reply = await app.request(`${physicians}/details`, { token, json: { uuids: [physician.uuid] } });
      return ((await reply.json()) as { items: PhysicianDetails[] }).items[0];
    };
    const elsewhere = { version: (await profile())?.version, settings: { title: 'פרופ׳' } };
    const changed = await app.request(`${physicians}/settings`, { method: 'PATCH', token, json: elsewhere });
    expect(changed.status).toBe(200);
    await page.getByLabel(he.mySettings.signature).fill('ד״ר כהן');
    await page.getByRole('button', { name: he.mySettings.save, exact: true }).click();
    await page.getByRole('button', { name: staffHe.keepMine, exact: true }).click();
    await page.getByText(he.mySettings.saved, { exact: true }).waitFor();
    expect((await profile())?.settings).toMatchObject({ title: 'פרופ׳', signature_text: 'ד״ר כהן' });
    expect(takeTrouble()).toContain(`412: ${physicians}/settings`);

    await page.getByRole('button', { name: he.mySettings.newTemplate }).click();
    await page.locator('.template-form input[type=text]').first().fill('קצר');
    await page.locator('.template-form textarea').first().fill('{{ diagnosis.nam }}');
    await page.getByRole('button', { name: he.mySettings.save, exact: true }).last().click();
    await page.getByRole('alert').filter({ hasText: he.problems.template_placeholder_unknown }).waitFor();
    expect(takeTrouble()).toContain('400: /api/v1/backoffice/templates');
    await page.locator('.template-form textarea').first().fill('{{ diagnosis.name }}.');
    await page.getByRole('button', { name: he.mySettings.save, exact: true }).last().click();
    await page.locator('.template-list').filter({ hasText: 'קצר' }).waitFor();

    await page.getByRole('button', { name: he.mySettings.leave, exact: true }).click();
    await textIs(page, he.mySettings.awayNow);
    await press(page, 'g');
    await textIs(page, he.home.away);
  });

  /** An emergency whose answer is published, because it is urgent. */
  async function publishedEmergency() {
    await emptyQueue();
    const { uuid } = await sendCase(app, { anamnesis: emergencyAnamnesis });
    const author = await newPhysician(app);
    const { case: taken } = await takeNext(app, author);
    const { flag_details: flags } = taken as unknown as CaseDetail;
    const anaphylaxis = { code: 'T78.2', code_system: 'icd10', text: 'Anaphylaxis', certainty: 'probable' };
    const answer = {
      kind: 'dermatologist',
      diagnoses: [{ ...anaphylaxis, disease_id: null, is_primary: true }],
      recommended_action: 'call_emergency_services',
      image_quality_ok: true,
      acknowledged_flags: flags.map(({ code }) => code),
      sign: true,
    };
    const path = `/api/v1/backoffice/annotations/${uuid}`;
    expect((await app.request(path, { token: author.token, json: answer })).status).toBe(201);
    return { uuid, author, answer, path };
  }

  test('an amendment survives leaving its page, and replaces no answer that was signed meanwhile', async () => {
    const { uuid, author, answer, path } = await publishedEmergency();
    const { token } = author;
    const { page } = await physicianAtDesk(portal, { physician: author });
    await page.goto(`${portal.url}/cases/${uuid}`);
    await page.getByRole('button', { name: words.amend, exact: true }).click();
    await page.locator('#amend-reason').fill('The dose');
    await page.locator('#answer-recommendation').fill('From the desk');
    await press(page, 'Escape', 'g');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    await page.goBack();
    const advice = page.locator('#answer-recommendation');
    await expect.poll(() => advice.inputValue()).toBe('From the desk');

    const stored = async () =>
      ((await (await app.request(path, { token })).json()) as CaseDetail).annotations.findLast(
        ({ status }) => status === 'final',
      );
    const elsewhere = {
      ...answer,
      recommendation_text: 'From the phone',
      amend_reason: 'The dose',
      version: (await stored())?.version,
    };
    expect((await app.request(path, { method: 'PUT', token, json: elsewhere })).status).toBe(200);
    const send = page.getByRole('button', { name: words.amendDo, exact: true });
    await send.click();
    const conflict = page.locator('.conflict');
    await conflict.filter({ hasText: 'From the phone' }).waitFor();
    expect(await stored()).toMatchObject({ recommendation_text: 'From the phone' });
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-amend-conflict');
    await page.getByRole('button', { name: words.keepMine, exact: true }).click();
    await conflict.waitFor({ state: 'detached' });
    await send.click();
    await page.locator('.signed .message').filter({ hasText: 'From the desk' }).waitFor();
    expect(await stored()).toMatchObject({ recommendation_text: 'From the desk' });
  });

  test('an auditor takes the answer to an emergency, and judges it', async () => {
    const { uuid, path } = await publishedEmergency();
    const auditing = { physician: { capabilities: ['case.audit'] } };
    const { page, physician } = await physicianAtDesk(portal, auditing);
    await page.goto(`${portal.url}/cases/${uuid}`);
    await page.locator('#audit').waitFor();
    await press(page, 'Control+Enter');
    await textIs(page, en.audit.missing);
    expect(await barriers(page)).toEqual([]);
    await saveScreenshot(page, 'desk-audit');
    await page.getByLabel(en.audit.agreements.minor).check();
    const markOf = (name: keyof typeof en.audit.score) =>
      page.getByLabel(en.audit.score[name], { exact: true });
    await markOf('advice').fill('2');
    await press(page, 'Control+Enter');
    await textIs(page, en.audit.scoresMissing);
    for (const name of ['diagnosis', 'wording', 'image'] as const) await markOf(name).fill('4');
    await markOf('wording').fill('');
    expect(await markOf('advice').inputValue()).toBe('2');
    await markOf('wording').fill('5');
    await page.getByLabel(en.audit.comment).fill('Say how soon.');
    await page.getByLabel(en.audit.correction).check();
    await press(page, 'Control+Enter');
    await textIs(page, en.audit.signed);
    const read = await app.request(path, { token: physician.token });
    const { annotations } = (await read.json()) as CaseDetail;
    const scores = { diagnosis: 4, advice: 2, wording: 5, image: 4 };
    const signed = { kind: 'audit', status: 'final', agreement: 'minor', requires_correction: true, scores };
    expect(annotations).toContainEqual(expect.objectContaining(signed));
  });
});
