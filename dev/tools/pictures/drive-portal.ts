import type { Page } from 'playwright-core';
import type { Answer, NextQuestion } from '../../packages/client/src/index.ts';

/** A file to choose (its path or its content), or the picture of the camera. */
export type Photo = string | { name: string; mimeType: string; buffer: Buffer } | { live: true };

/** Runs an action that makes the portal request a question. @returns the question. */
export async function questionAfter(page: Page, act: () => Promise<unknown>): Promise<NextQuestion> {
  const [reply] = await Promise.all([
    page.waitForResponse((response) => /\/api\/ai\/next_question\b/.test(response.url()) && response.ok()),
    act(),
  ]);
  return (await reply.json()) as NextQuestion;
}

/** From the sign-in page to the start page. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.fill('input[type=email]', email);
  await page.fill('input[type=password]', password);
  await page.click('form button[type=submit]');
  await page.waitForSelector('main button.large');
}

/** From the start page to the first question. @returns the question. */
export async function startIntake(page: Page): Promise<NextQuestion> {
  return await questionAfter(page, () => page.click('main button.large'));
}

/** Enters an answer without sending it. */
export async function enterAnswer(
  page: Page,
  question: NextQuestion,
  answer: Answer,
  photo: Photo,
): Promise<void> {
  await page.getByRole('heading', { level: 1, name: question.questionText, exact: true }).waitFor();
  if (question.questionType === 'camera') return await takePhoto(page, photo);
  if (answer === undefined) return;
  if (await page.locator('main :is(input[type=radio], input[type=checkbox])').first().isVisible()) {
    for (const value of [answer].flat()) await page.check(`main input[value="${String(value)}"]`);
  } else {
    await page.fill('main :is(input, textarea)', String(answer));
  }
}

/** Takes a photo and waits for the verdict on it. */
export async function takePhoto(page: Page, photo: Photo): Promise<void> {
  if (typeof photo === 'object' && 'live' in photo) {
    await page.click('.photo-sources button.large');
    await page.click('.camera .actions button:last-child');
  } else {
    await page.locator('input[type=file]').last().setInputFiles(photo);
  }
  await page.waitForSelector('.verdict .notice');
}

/** Sends the entry, or skips the question without one. @returns the next question. */
export async function goOn(page: Page, question: NextQuestion, answer: Answer): Promise<NextQuestion> {
  const { questionId, questionType, skippable } = question;
  if (questionType !== 'camera' && answer === undefined && skippable !== true) {
    throw new Error(`${questionId} must be answered.`);
  }
  const button =
    questionType === 'camera'
      ? '.verdict .actions button:last-child'
      : answer === undefined
        ? '.actions button[type=button]:nth-last-of-type(2)'
        : 'main button[type=submit]';
  return await questionAfter(page, () => page.click(button));
}

interface Visit {
  answerTo: (question: NextQuestion) => Answer;
  photo: Photo;
  /** Called for each question, with its answer entered and not yet sent. */
  onQuestion?: (question: NextQuestion) => Promise<void>;
}

/** Answers all questions from this one on. @returns the final reply, without a question. */
export async function answerAll(page: Page, first: NextQuestion, visit: Visit): Promise<NextQuestion> {
  let question = first;
  while (!question.isComplete) {
    const answer = visit.answerTo(question);
    await enterAnswer(page, question, answer, visit.photo);
    await visit.onQuestion?.(question);
    question = await goOn(page, question, answer);
  }
  return question;
}

/** From the last question to the assessment, with all of its parts. */
export async function openResult(page: Page): Promise<void> {
  await page.click('main .actions button:last-child');
  await waitForResult(page);
}

/** Waits for all parts of the assessment. */
export async function waitForResult(page: Page): Promise<void> {
  await page.waitForSelector('article.result');
  await page.waitForSelector('article.result [aria-busy=true]', { state: 'detached' });
  await page.waitForLoadState('networkidle');
}
