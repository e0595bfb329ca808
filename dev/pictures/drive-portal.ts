import type { Page } from 'playwright-core';
import type { Answer, NextQuestion } from '../client/src/index.ts';

/** The user that `npm start` makes and prints. */
const patient = { email: 'patient@dermagate.example', password: 'demo-patient-pass' };

/** Does something that makes the portal ask the gateway for a question. @returns the question. */
async function questionAfter(page: Page, act: () => Promise<unknown>): Promise<NextQuestion> {
  const [reply] = await Promise.all([
    page.waitForResponse((response) => /\/api\/ai\/next_question\b/.test(response.url()) && response.ok()),
    act(),
  ]);
  return (await reply.json()) as NextQuestion;
}

/** Signs the demo patient in and starts an intake. @returns its first question. */
export async function startIntake(page: Page): Promise<NextQuestion> {
  await page.fill('input[type=email]', patient.email);
  await page.fill('input[type=password]', patient.password);
  await page.click('form button[type=submit]');
  return await questionAfter(page, () => page.click('main button.large'));
}

/** Enters an answer as a person does, without sending it. `photo` is the path of a file. */
export async function enterAnswer(
  page: Page,
  question: NextQuestion,
  answer: Answer,
  photo: string,
): Promise<void> {
  if (question.questionType === 'camera') {
    await page.locator('input[type=file]').last().setInputFiles(photo);
    await page.waitForSelector('.verdict .notice');
    return;
  }
  if (answer === undefined) return;
  if (await page.locator('main :is(input[type=radio], input[type=checkbox])').first().isVisible()) {
    for (const value of [answer].flat()) await page.check(`main input[value="${String(value)}"]`);
  } else {
    await page.fill('main :is(input, textarea)', String(answer));
  }
}

/** Sends what was entered, or skips the question when nothing was. @returns the next question. */
export async function goOn(page: Page, question: NextQuestion, answer: Answer): Promise<NextQuestion> {
  const button =
    question.questionType === 'camera'
      ? '.verdict .actions button:last-child'
      : answer === undefined
        ? '.actions button[type=button]:nth-last-of-type(2)'
        : 'main button[type=submit]';
  return await questionAfter(page, () => page.click(button));
}

/** From the last question to the assessment, with all of its parts. */
export async function openResult(page: Page): Promise<void> {
  await page.click('main .actions button:last-child');
  await page.waitForSelector('article.result');
  await page.waitForSelector('article.result [aria-busy=true]', { state: 'detached' });
  await page.waitForLoadState('networkidle');
}
