import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { FlagDetail, RedFlags } from '../../../../packages/client/src/index.ts';
import { enterAnswer, goOn, startIntake, waitForResult } from '../../../../tools/pictures/drive-portal.ts';
import { fill } from '../../src/i18n/texts.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { testPortal, type Visitor, withoutCases } from '../../../../../test/support/portal.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { type Script, scriptGateway } from '../../../../../test/support/scripted-intake.ts';

const noPhoto = { name: 'none.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) };
const question = { questionId: 'q_one', fieldName: 'complaint.category' };
const safetyQuestion = {
  questionId: 'q_safe',
  fieldName: 'lesion.blanching',
  safety: true,
  skippable: true,
};

const flag = (
  code: string,
  urgency: FlagDetail['urgency'],
  certainty: FlagDetail['certainty'] = 'met',
): FlagDetail => ({ code, text: `Words of ${code}.`, urgency, certainty });
const flags = (first: FlagDetail, ...others: FlagDetail[]): RedFlags => ({
  hasRedFlags: true,
  flags: [first, ...others].map(({ code }) => code),
  urgency: first.urgency,
  flagDetails: [first, ...others],
});

describeInBrowser('the screens of the reference portal', async () => {
  const env = { EMERGENCY_NUMBER: '+972 4 000-0000', CRISIS_LINE: '1201' };
  const portal = await testPortal({ ai: 'real', env });

  /**
   * From the start page to the result of a scripted intake; a question without an answer is skipped. `before`: who had
   * another one, and begins again without its answers.
   */
  async function resultOf(
    script: Script,
    answers: readonly (string | undefined)[],
    before?: Visitor,
  ): Promise<Visitor> {
    const visitor = before ?? (await portal.patient({ stored: withoutCases }));
    const { page, button, words } = visitor;
    if (before !== undefined) {
      await page.unrouteAll();
      await withoutCases(page);
      await page.evaluate('sessionStorage.clear()');
      await page.goto(portal.url);
    }
    await scriptGateway(page, portal.url, script);
    let asked = await startIntake(page);
    for (const answer of answers) {
      await enterAnswer(page, asked, answer, noPhoto);
      asked = await goOn(page, asked, answer);
    }
    await button(words.review.send).click();
    await waitForResult(page);
    return visitor;
  }

  test.each([
    { language: 'en', width: 390, height: 844 },
    { language: 'en', width: 320, height: 640 },
    { language: 'he', width: 390, height: 844 },
    { language: 'he', width: 320, height: 640 },
  ] as const)(
    'the safety screen shows every answer or counts those below, in $language on $width by $height',
    async ({ language, width, height }) => {
      const { page, words } = await portal.patient({ language, viewport: { width, height } });
      const { optionValues = [] } = await startIntake(page);
      const rows = page.locator('.options > li');
      await rows.last().waitFor();
      const more = page.locator('.sticky .more');
      const hiddenRows = async () => {
        const end = (await page.locator('.sticky').boundingBox())?.y ?? 0;
        const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
        return boxes.filter((box) => box === null || box.y + box.height > end + 1).length;
      };
      expect(optionValues.length).toBeGreaterThan(8);
      expect(optionValues.at(-1)).toBe('none');
      const hidden = await hiddenRows();
      if (hidden > 0)
        await expect
          .poll(() => more.innerText())
          .toContain(fill(words.intake.moreBelow, { count: String(hidden) }));
      await saveScreenshot(page, 'safety');

      for (let presses = 0; (await more.count()) > 0; presses++) {
        expect(presses).toBeLessThan(4);
        const before = await more.allInnerTexts();
        // A click by coordinates would scroll first, and the hint may go with that.
        await more.dispatchEvent('click');
        await expect.poll(() => more.allInnerTexts()).not.toEqual(before);
      }
      expect(await hiddenRows()).toBe(0);
      // Nothing moves when the hint goes: what is tapped is what is chosen.
      await page.evaluate('scrollTo(0, 0)');
      const pageHeight = () => page.evaluate<number>('document.documentElement.scrollHeight');
      const before = await pageHeight();
      await page.locator('input[value=none]').check();
      await expect.poll(() => more.count()).toBe(0);
      await expect.poll(() => pageHeight()).toBe(before);
    },
  );

  /** Whether anything is drawn within the control, inside its border. */
  async function isMarked(control: Locator): Promise<boolean> {
    const picture = sharp(await control.screenshot());
    const { width, height } = await picture.metadata();
    const [left, top] = [Math.round(width / 4), Math.round(height / 4)];
    const inside = picture.extract({ left, top, width: width - 2 * left, height: height - 2 * top });
    const { channels } = await sharp(await inside.toBuffer()).stats();
    return channels.some(({ stdev }) => stdev > 20);
  }

  test.each(['light', 'dark'] as const)(
    'in the high contrast of %s what is chosen differs from what is not',
    async (colorScheme) => {
      // The scripted answers are none that a gateway would store.
      const { page, button, words } = await portal.patient({ stored: withoutCases });
      await page.emulateMedia({ forcedColors: 'active', colorScheme });
      const many = { ...question, questionType: 'checkbox' } as const;
      const scale = { ...safetyQuestion, questionType: 'number', min: 0, max: 10, step: 1 } as const;
      await scriptGateway(page, portal.url, { questions: [many, scale] });
      await startIntake(page);
      const boxes = page.locator('input[type=checkbox]');
      await boxes.first().check();
      await page.mouse.move(0, 0);
      expect([await isMarked(boxes.first()), await isMarked(boxes.last())]).toEqual([true, false]);
      await button(words.intake.next).click();
      await page.getByLabel('7', { exact: true }).check();
      const colorOf = async (nth: number) => {
        const picture = sharp(await page.locator('.scale span').nth(nth).screenshot());
        return (await picture.stats()).dominant;
      };
      expect(await colorOf(8)).toEqual(await colorOf(9));
      expect(await colorOf(7)).not.toEqual(await colorOf(8));
    },
  );

  test('at a zoom of 400 % nothing covers the question', async () => {
    const { page } = await portal.patient({ viewport: { width: 320, height: 256 } });
    await startIntake(page);
    await page.locator('.options > li').first().waitFor();
    const covers = (target: string) =>
      page.evaluate(`(() => {
        const { x, y, width, height } = document.querySelector('${target}').getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.sticky')?.className;
      })()`);
    expect(await covers('h1')).toBeUndefined();
    await page.locator('.options input').nth(5).focus();
    expect(await covers('.options input:focus')).toBeUndefined();
  });

  test('a field without an answer is marked as neither right nor wrong before Next', async () => {
    const text = { ...question, questionType: 'text', max: 1000 } as const;
    const { page, button, words } = await portal.patient();
    await scriptGateway(page, portal.url, { questions: [text] });
    await startIntake(page);
    const field = page.locator('textarea');
    expect(await field.getAttribute('aria-invalid')).toBe(null);
    await button(words.intake.next).click();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    // In Arabic the picture of Pico would lie on the text.
    const picture = `getComputedStyle(document.querySelector('textarea')).backgroundImage`;
    expect(await page.evaluate(picture)).toBe('none');
  });

  test('a refused Next moves focus and view to the reason every time', async () => {
    const viewport = { width: 320, height: 640 };
    const { page, button, words } = await portal.patient({ viewport });
    await startIntake(page);
    const reason = page.locator('#error');
    for (const time of ['first', 'second']) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await button(words.intake.next).click();
      await reason.waitFor();
      await expect.poll(async () => [time, await page.locator('#error:focus').count()]).toEqual([time, 1]);
      const box = await reason.boundingBox();
      const bar = await page.locator('.sticky').boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
    }
    await page.locator('input').first().check();
    expect(await reason.count()).toBe(0);
  });

  test('an emergency shows advice and number first, then the answers, which can be changed', async () => {
    const { page, words, button } = await portal.patient();
    const first = await startIntake(page);
    await expect.poll(() => page.locator('.progress .call').getAttribute('href')).toBe('tel:+97240000000');
    await enterAnswer(page, first, ['confusion'], noPhoto);
    const end = await goOn(page, first, ['confusion']);
    await waitForResult(page);
    const box = page.locator('.red-flags.emergency');
    await expect.poll(() => box.locator('a').getAttribute('href')).toBe('tel:+97240000000');
    await expect.poll(() => box.locator('li').count()).toBe(end.emergency?.length);
    await page.locator('.soon.emergency').waitFor();
    await expect
      .poll(() => page.locator('.answers li').allInnerTexts())
      .toEqual([expect.stringMatching(/Confusion[\s\S]*Change/)]);
    await button(words.result.print).waitFor();
    await saveScreenshot(page, 'emergency');

    await page.locator('.answers button').click();
    await expect.poll(() => page.locator('input[value=confusion]').isChecked()).toBe(true);
    await page.locator('input[value=none]').check();
    const next = await goOn(page, first, ['none']);
    expect(next.isComplete).toBe(false);
    await page.getByRole('heading', { level: 1, name: next.questionText, exact: true }).waitFor();
  });

  test('the emergency box contains nothing less urgent; the other flags are elsewhere on the page', async () => {
    const redFlags = flags(
      flag('possible_sepsis', 'emergency'),
      flag('zoster', 'high'),
      flag('mole', 'medium'),
    );
    const script = { questions: [question], redFlags, triage: { priority: 'emergency' } } as const;
    const { page } = await resultOf(script, ['yes']);
    const box = page.locator('.red-flags.emergency');
    await expect
      .poll(() => box.locator('li').allInnerTexts())
      .toEqual([expect.stringContaining('Words of possible_sepsis.')]);
    await expect
      .poll(() => page.locator('[aria-labelledby=other-flags] li').allInnerTexts())
      .toEqual([expect.stringContaining('Words of zoster.'), expect.stringContaining('Words of mole.')]);
  });

  test('the crisis line appears only beside the risk of self-harm, and only where one is configured', async () => {
    const redFlags = flags(flag('self_harm_risk', 'high'), flag('mole', 'medium'));
    const named = { ...redFlags, crisisLine: '1201', emergencyNumber: '112' };
    const visitor = await resultOf({ questions: [question], redFlags: named }, ['yes']);
    const { page, words } = visitor;
    const risk = page.locator('.flags li', { hasText: 'Words of self_harm_risk.' });
    await expect.poll(() => risk.locator('a').getAttribute('href')).toBe('tel:1201');
    await expect.poll(() => page.locator('a[href^="tel:1201"]').count()).toBe(1);
    await expect
      .poll(() => risk.innerText())
      .toContain(fill(words.result.callCrisisLine, { number: '\u20661201\u2069' }));

    const without = await resultOf({ questions: [question], redFlags }, ['yes'], visitor);
    await without.page.locator('.flags li').first().waitFor();
    expect(await without.page.locator('.flags a').count()).toBe(0);
  });

  test('a tick appears only where nothing is urgent, open, unsure or unanswered', async () => {
    const ticks = 'article.result .success';
    const calm = await resultOf({ questions: [question, safetyQuestion] }, ['yes', 'no']);
    await expect.poll(() => calm.page.locator(ticks).count()).toBe(1);

    const soon = { priority: 'soon_2_weeks', recommendedAction: 'physician_review_within_2_weeks' } as const;
    const byTriage = await resultOf({ questions: [question], triage: soon }, ['yes'], calm);
    await byTriage.page.getByText(byTriage.words.result.noFlags).waitFor();
    expect(await byTriage.page.locator(ticks).count()).toBe(0);

    const urgent = { priority: 'emergency', recommendedAction: 'call_emergency_services' } as const;
    const byLevel = await resultOf({ questions: [question], triage: urgent }, ['yes'], calm);
    await byLevel.page.locator('.red-flags.emergency', { hasText: byLevel.words.result.callNow }).waitFor();
    expect(await byLevel.page.locator(ticks).count()).toBe(0);

    const skipped = await resultOf({ questions: [question, safetyQuestion] }, ['yes', undefined], calm);
    await skipped.page.getByText(fill(skipped.words.result.safetyOpen, { count: '1' })).waitFor();
    expect(await skipped.page.locator(ticks).count()).toBe(0);

    const unsure = { ...question, options: ['Not sure'], optionValues: ['not_sure'] };
    const notSure = await resultOf({ questions: [unsure] }, ['not_sure'], calm);
    await notSure.page.getByText(fill(notSure.words.result.unsureAnswers, { count: '1' })).waitFor();
    expect(await notSure.page.locator(ticks).count()).toBe(0);

    const open = flags(flag('mole', 'low', 'not_excluded'));
    const notExcluded = await resultOf({ questions: [question], redFlags: open }, ['yes'], calm);
    const box = notExcluded.page.locator('.red-flags');
    await expect.poll(() => box.innerText()).toContain(notExcluded.words.result.notExcluded);
    await expect.poll(() => box.innerText()).toContain(notExcluded.words.result.flagsOpenLead);
    expect(await notExcluded.page.locator(ticks).count()).toBe(0);
  });

  test('a flag that the question on the screen may exclude raises no alarm until no safety question is left', async () => {
    const { page, words, button } = await portal.patient();
    const redFlags = flags(flag('non_blanching_rash', 'high', 'not_excluded'));
    const last = { questionId: 'q_last', fieldName: 'complaint.duration' };
    await scriptGateway(page, portal.url, { questions: [question, safetyQuestion, last], redFlags });
    const first = await startIntake(page);
    await enterAnswer(page, first, 'yes', noPhoto);
    const safe = await goOn(page, first, 'yes');
    await page.getByText(words.intake.safety).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.red-flags').count()).toBe(0);
    await goOn(page, safe, undefined);
    await page.locator('.red-flags.high', { hasText: words.intake.flagTitle }).waitFor();
    await page.getByLabel('Yes').check();
    await button(words.intake.next).click();
    await page.getByRole('heading', { name: words.review.title }).waitFor();
    await page.locator('.red-flags.high').waitFor();
  });

  test('the fit of a cause is in words; figures, codes and paths are for professionals', async () => {
    const notes = { notice: 'The photo itself was not assessed.', modelVersion: 'test-7' };
    const issueDetails = [{ code: 'dark', text: 'The picture is rather dark.' }];
    const image_validity = { isValid: true, score: 0.87, issues: ['dark'], issueDetails };
    const script: Script = {
      questions: [{ ...question, ...notes }],
      diagnosis: { image_validity, ...notes },
    };
    const visitor = await portal.patient();
    await scriptGateway(visitor.page, portal.url, script);
    await startIntake(visitor.page);
    await visitor.page.getByText(notes.notice).waitFor();
    await visitor.page.getByText(fill(visitor.words.result.modelVersion, { version: 'test-7' })).waitFor();

    const { page, words } = await resultOf(script, ['yes'], visitor);
    await expect
      .poll(() => page.locator('.predictions > li').innerText())
      .toMatch(new RegExp(`^Melanoma\\s+${words.result.fit.well}$`));
    await expect.poll(() => page.getByText(notes.notice).count()).toBe(1);
    const patientsPart = await page.locator('article.result').innerText();
    expect(patientsPart).not.toMatch(/72|87|×|C43|lesion\.changes|Confidence/);
    await page.locator('.professional > summary').click();
    await expect
      .poll(() => page.locator('.professional').innerText())
      .toMatch(/72\.4%[\s\S]+high[\s\S]+C43\.9[\s\S]+lesion\.changes, ×8\.0[\s\S]+87%/);
  });

  test('a usable photo with remarks is not called good', async () => {
    const issueDetails = [{ code: 'dark', text: 'The picture is rather dark.' }];
    const image_validity = { isValid: true, score: 0.87, issues: ['dark'], issueDetails };
    const photo = { questionId: 'q_photo', fieldName: 'images', questionType: 'camera' } as const;
    const { page, words } = await portal.patient();
    await scriptGateway(page, portal.url, { questions: [photo] });
    const answers: Record<string, object> = {
      store_images: { images: [{ url: '/api/common/images/1' }] },
      'image_validity?*': image_validity,
    };
    for (const [path, json] of Object.entries(answers)) {
      await page.route(`**/${path}`, (call) =>
        call.fulfill({ headers: { 'access-control-allow-origin': portal.url }, json }),
      );
    }
    await startIntake(page);
    await page.click('.photo-sources button.large');
    await page.click('.camera .actions button:last-child');
    const verdict = page.locator('.verdict');
    await verdict.getByText('The picture is rather dark.').waitFor();
    await expect.poll(() => verdict.innerText()).toContain(words.photo.usable);
    expect(await verdict.innerText()).not.toMatch(new RegExp(`${words.photo.good}|%`));
    expect(await page.locator('.success').count()).toBe(0);
  });
});
