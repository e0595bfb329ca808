import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { NextQuestion } from '../../../../packages/client/src/index.ts';
import { answerOf, type Persona, personas } from '../../../../tools/intake/personas.ts';
import {
  answerAll,
  enterAnswer,
  goOn,
  openResult,
  questionAfter,
  signIn,
  startIntake,
  takePhoto,
  waitForResult,
} from '../../../../tools/pictures/drive-portal.ts';
import { register } from '../../../../../test/support/accounts.ts';
import { barriers } from '../../../../../test/support/barriers.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { encodeJpeg, mapPixels, skinPhoto } from '../../../../../test/support/images.ts';
import { coveredTargets, focusable, smallTargets } from '../../../../../test/support/in-page.ts';
import { phone, testPortal, type Visitor } from '../../../../../test/support/portal.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { patientWith } from '../../../../../test/support/willing-patient.ts';

const [rash, mole] = personas as [Persona, Persona];
/** A patient who is asked questions of every kind. */
const patient: Persona = {
  title: 'A rash that has itched for months',
  answers: { ...mole.answers, ...rash.answers, q_duration: 'three_to_twelve_months' },
};
const harmless = patientWith({});
const file = (buffer: Buffer) => ({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
const photo = file(await skinPhoto({ format: 'jpeg', width: 1024, height: 768 }));
const darkPhoto = file(await encodeJpeg(mapPixels(640, 480, () => [22, 16, 14])));

const pages = [
  'sign-in',
  'sign-in-refused',
  'register',
  'forgot-password',
  'reset-password',
  'accept-invitation',
  'verify-email',
  'home',
  'question-checkbox',
  'question-camera',
  'photo-bad',
  'photo-good',
  'question-radio',
  'question-scale',
  'question-bool',
  'question-number',
  'question-text',
  'failure',
  'review',
  'result',
  'question-refused',
  'result-emergency',
];

interface Finding {
  barriers: string[];
  small: string[];
  covered: string[];
}

async function inspectPage(page: Page, options: { dark: boolean }): Promise<Finding> {
  const targets = page.locator(focusable);
  return {
    barriers: await barriers(page, options),
    small: await targets.evaluateAll(smallTargets),
    covered: await targets.evaluateAll(coveredTargets),
  };
}

/** Numbers are entered or tapped. */
async function kindOf({ page }: Visitor, { questionType }: NextQuestion): Promise<string> {
  const isScale = questionType === 'number' && (await page.locator('.scale').isVisible());
  return isScale ? 'scale' : questionType;
}

type InspectPage = (name: string) => Promise<void>;

async function visitAccountPages(
  { page, button, words }: Visitor,
  url: string,
  inspect: InspectPage,
): Promise<void> {
  await inspect('sign-in');
  await button(words.account.signIn).click();
  await page.getByRole('alert').waitFor();
  await inspect('sign-in-refused');
  for (const path of ['register', 'forgot-password', 'reset-password', 'accept-invitation', 'verify-email']) {
    await page.goto(`${url}/${path}#token=anything`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await inspect(path);
  }
}

async function visitIntake(visitor: Visitor, language: 'en' | 'he', inspect: InspectPage): Promise<void> {
  const { page, button, words } = visitor;
  const seen = new Set<string>();
  await inspect('home');
  await answerAll(page, await startIntake(page), {
    answerTo: (question) => answerOf(patient, question.questionId, language) ?? harmless(question),
    photo,
    async onQuestion(question) {
      const kind = await kindOf(visitor, question);
      if (seen.has(kind)) return;
      seen.add(kind);
      if (question.questionType !== 'camera') return await inspect(`question-${kind}`);
      await button(words.photo.retake).click();
      await inspect('question-camera');
      await takePhoto(page, darkPhoto);
      await inspect('photo-bad');
      await button(words.photo.retake).click();
      await takePhoto(page, photo);
      await inspect('photo-good');
    },
  });
  await visitFailure(visitor, inspect);
  await inspect('review');
  await openResult(page);
  for (const summary of await page.locator('summary').all()) await summary.click();
  await inspect('result');
}

/** A Next without an answer; and an emergency, which ends the questions at once. */
async function visitEmergency({ page, button, words }: Visitor, inspect: InspectPage): Promise<void> {
  // It asks for the first question, too, whose reply must not be taken for a later one.
  await questionAfter(page, () => button(words.result.again).click());
  const safety = await startIntake(page);
  await enterAnswer(page, safety, ['none'], photo);
  const age = await goOn(page, safety, ['none']);
  await enterAnswer(page, age, undefined, photo);
  await button(words.intake.next).click();
  await page.locator('#error').waitFor();
  await inspect('question-refused');
  await questionAfter(page, () => button(words.common.back).click());
  const answer = ['confusion', 'very_fast_heartbeat'];
  await page.locator('input[value=none]').uncheck();
  await enterAnswer(page, safety, answer, photo);
  await goOn(page, safety, answer);
  await waitForResult(page);
  await inspect('result-emergency');
}

/** What is shown when the gateway cannot be reached. */
async function visitFailure(
  { page, button, words, takeTrouble }: Visitor,
  inspect: InspectPage,
): Promise<void> {
  expect(takeTrouble()).toEqual([]);
  await page.context().setOffline(true);
  await button(words.common.back).click();
  await page.getByRole('alert').waitFor();
  await inspect('failure');
  await page.context().setOffline(false);
  for (const what of takeTrouble()) expect(what).toContain('ERR_INTERNET_DISCONNECTED');
  await button(words.common.tryAgain).click();
  await page.locator('form').waitFor();
  await button(words.intake.next).click();
  await page.locator('.answers').waitFor();
}

describeInBrowser('every page of the reference portal', async () => {
  const portal = await testPortal({ ai: 'real' });

  describe.each(['en', 'he'] as const)('in %s', (language) => {
    const findings = new Map<string, Finding>();
    const found = (kind: keyof Finding) => {
      expect([...findings.keys()].toSorted()).toEqual(pages.toSorted());
      return [...findings].flatMap(([page, finding]) => finding[kind].map((what) => `${page}: ${what}`));
    };

    test('renders without a console error and without a request that leaves the machine', async () => {
      const visitor = await portal.visit({ language, viewport: phone });
      const inspect = async (name: string) => {
        findings.set(name, await inspectPage(visitor.page, { dark: language === 'en' }));
        await saveScreenshot(visitor.page, name);
      };
      await visitAccountPages(visitor, portal.url, inspect);
      await visitor.page.goto(portal.url);
      await signIn(visitor.page, await register(portal.app));
      await visitIntake(visitor, language, inspect);
      await visitEmergency(visitor, inspect);
    });

    test('axe finds no barrier in light mode, nor in the dark one of English, and nothing is wider than a 360-pixel phone', () => {
      expect(found('barriers')).toEqual([]);
    });

    test('every tap target measures at least 44 by 44 pixels', () => {
      expect(found('small')).toEqual([]);
    });

    test('the focused element is never covered', () => {
      expect(found('covered')).toEqual([]);
    });
  });
});
