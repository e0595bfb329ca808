import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Answer, NextQuestion } from '../../../../packages/client/src/index.ts';
import { enterAnswer, goOn, questionAfter, startIntake } from '../../../../tools/pictures/drive-portal.ts';
import { dictionaries } from '../../src/i18n/texts.ts';
import spanish from '../../../../../src/domain/intake/questions/messages/es.json' with { type: 'json' };
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { skinPhoto } from '../../../../../test/support/images.ts';
import { testPortal } from '../../../../../test/support/portal.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { patientWith } from '../../../../../test/support/willing-patient.ts';

const photo = await skinPhoto({ format: 'jpeg', width: 1024, height: 768 });
const noPhoto = { name: 'none.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) };

/** Acne of a woman: she is asked whether she is pregnant, and a man is not. */
const acne: Readonly<Record<string, Answer>> = {
  q_age: 24,
  q_gender: 'female',
  q_pregnant: 'not_pregnant',
  q_category: 'acne',
  q_duration: 'three_to_twelve_months',
  q_location: ['head_neck'],
};
const answerTo = patientWith(acne);

const shown = (page: Page) => page.locator('.answers .given > .small').allInnerTexts();
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const rowOf = (page: Page, { questionText }: NextQuestion) =>
  page.locator('.answers > li').filter({ has: page.getByText(questionText, { exact: true }).first() });
const find = (asked: readonly NextQuestion[], id: string) => {
  const question = asked.find(({ questionId }) => questionId === id);
  if (question === undefined) throw new Error(`${id} was not asked.`);
  return question;
};

describeInBrowser('checking the answers in the reference portal', async () => {
  const portal = await testPortal({ ai: 'real' });

  /** Everything answered; the patient is where the answers are checked. `asked` is what was asked. */
  async function answered() {
    const patient = await portal.patientWithin({ answerTo, photo });
    await heading(patient.page, patient.words.review.title);
    return patient;
  }

  test('every question is listed with its answer, in words of the current language', async () => {
    const { page, words, asked } = await answered();
    await expect.poll(() => shown(page)).toEqual(asked.map(({ questionText }) => questionText));
    await expect.poll(() => rowOf(page, find(asked, 'q_age')).innerText()).toMatch(/24 years/);
    await expect.poll(() => rowOf(page, find(asked, 'q_category')).innerText()).toContain('Acne');
    await expect
      .poll(() => rowOf(page, find(asked, 'q_notes')).innerText())
      .toContain(words.review.unanswered);
    await page.locator('.answers img').first().waitFor();
    await expect.poll(() => page.locator('.answers button').count()).toBe(asked.length);
    await saveScreenshot(page, 'review');

    await page.getByLabel(words.common.language).selectOption('es');
    await page.getByText(dictionaries.es.review.lead).waitFor();
    await page.getByText(spanish.q_age.text, { exact: true }).first().waitFor();
    await expect.poll(() => page.locator('.answers > li[lang=en]').count()).toBe(0);
    await expect.poll(() => shown(page)).toHaveLength(asked.length);
  });

  test('a changed answer keeps the later answers that fit and drops those no longer asked', async () => {
    const { page, words, button, asked } = await answered();
    const gender = find(asked, 'q_gender');
    await rowOf(page, gender).getByRole('button').click();
    await heading(page, gender.questionText);
    await expect.poll(() => page.locator('input:checked').getAttribute('value')).toBe('female');
    await enterAnswer(page, gender, 'male', noPhoto);
    await button(words.intake.next).click();
    await heading(page, words.review.title);

    const pregnant = find(asked, 'q_pregnant').questionText;
    await expect
      .poll(() => shown(page))
      .toEqual(asked.map(({ questionText }) => questionText).filter((text) => text !== pregnant));
    await expect.poll(() => rowOf(page, gender).innerText()).toContain('Male');
    // Without a route the browser keeps the body of a request to itself.
    const sent = Promise.withResolvers<Record<string, unknown>>();
    await page.route('**/api/ai/triage?*', (call) => {
      sent.resolve(call.request().postDataJSON() as Record<string, unknown>);
      return call.continue();
    });
    await button(words.review.send).click();
    const { patient, complaint, images } = await sent.promise;
    expect(patient).toMatchObject({ gender: 'male' });
    expect(patient).not.toHaveProperty('pregnancyStatus');
    expect(complaint).toMatchObject({ category: 'acne' });
    expect(images).toHaveLength(2);
  });

  test('the browser’s Back goes one question back, from the list too, and its Forward sends nothing', async () => {
    const { page, words, button, asked } = await answered();
    for (const question of asked.slice(-3).toReversed()) {
      const again = await questionAfter(page, () => page.goBack());
      expect(again.questionId).toBe(question.questionId);
      await heading(page, question.questionText);
    }
    const [before] = asked.slice(-3) as [NextQuestion];
    await page.goForward();
    await page.waitForTimeout(300);
    await heading(page, before.questionText);

    await page.reload();
    await heading(page, before.questionText);
    const further = await questionAfter(page, () => page.goBack());
    expect(further.questionId).toBe(asked.at(-4)?.questionId);
    // The portal's own button takes the same way.
    const furthest = await questionAfter(page, () => button(words.common.back).click());
    expect(furthest.questionId).toBe(asked.at(-5)?.questionId);
  });

  test('back from a question being changed leads to the list, with everything unchanged', async () => {
    const { page, words, button, asked } = await answered();
    const all = await shown(page);
    const age = find(asked, 'q_age');
    for (const back of [() => page.goBack(), () => button(words.common.back).click()]) {
      await rowOf(page, age).getByRole('button').click();
      await heading(page, age.questionText);
      await page.getByRole('textbox').fill('99');
      await back();
      await heading(page, words.review.title);
      await expect.poll(() => shown(page)).toEqual(all);
      await expect.poll(() => rowOf(page, age).innerText()).toMatch(/24 years/);
    }
    const last = await questionAfter(page, () => page.goBack());
    expect(last.questionId).toBe(asked.at(-1)?.questionId);
  });

  test('back at the first question leaves the questions, even after a change', async () => {
    const { page, words } = await portal.patient();
    const safety = await startIntake(page);
    await enterAnswer(page, safety, ['confusion'], noPhoto);
    await goOn(page, safety, ['confusion']);
    await page.locator('.red-flags.emergency').waitFor();
    // Advice and triage that arrive late move the button, and a click on its old place would change nothing.
    await page.waitForLoadState('networkidle');
    await page.locator('.answers button').click();
    await heading(page, safety.questionText);
    await enterAnswer(page, safety, undefined, noPhoto);
    await page.goBack();
    await page.locator('.red-flags.emergency').waitFor();
    await questionAfter(page, () => page.goBack());
    await heading(page, safety.questionText);
    await page.goBack();
    await heading(page, words.home.title);
  });

  test('the skip link undoes no answer', async () => {
    const { page, words } = await portal.patient();
    const safety = await startIntake(page);
    await enterAnswer(page, safety, ['none'], noPhoto);
    const age = await goOn(page, safety, ['none']);
    await heading(page, age.questionText);
    await page.keyboard.press('Shift+Tab');
    await page.getByRole('link', { name: words.common.skipToContent }).focus();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    await heading(page, age.questionText);
    await page.goBack();
    await heading(page, age.questionText);
    await questionAfter(page, () => page.goBack());
    await heading(page, safety.questionText);
  });
});
