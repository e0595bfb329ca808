import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Answer, NextQuestion } from '../../../../packages/client/src/index.ts';
import { answerOf, type Persona, personas } from '../../../../tools/intake/personas.ts';
import {
  answerAll,
  enterAnswer,
  goOn,
  openResult,
  questionAfter,
  startIntake,
  takePhoto,
  waitForResult,
} from '../../../../tools/pictures/drive-portal.ts';
import { dictionaries, fill, type Language } from '../../src/i18n/texts.ts';
import { freshEmail, goodPassword } from '../../../../../test/support/accounts.ts';
import { describeInBrowser } from '../../../../../test/support/browser.ts';
import { encodeJpeg, mapPixels, skinPhoto, skinPixels } from '../../../../../test/support/images.ts';
import { testPortal, type Visitor } from '../../../../../test/support/portal.ts';
import { saveScreenshot } from '../../../../../test/support/screenshot.ts';
import { patientWith } from '../../../../../test/support/willing-patient.ts';

function persona(title: string): Persona {
  const found = personas.find((each) => each.title === title);
  if (found === undefined) throw new Error(`dev/tools/intake has no persona "${title}".`);
  return found;
}
const rash = persona('An itching rash');
const mole = persona('A mole that changes');
const emergency = persona('An emergency');
/** As the persona says; what it says nothing about is skipped, or answered harmlessly. */
const answersOf = (persona: Persona, language: Language) => (question: NextQuestion) =>
  answerOf(persona, question.questionId, language) ?? patientWith({})(question);
const file = (buffer: Buffer) => ({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
const skin = await skinPhoto({ format: 'jpeg', width: 1024, height: 768 });
const photo = file(skin);
const isPhoto = ({ questionType }: NextQuestion) => questionType === 'camera';
const answerTo = patientWith(mole.answers as Readonly<Record<string, Answer>>);
const upToPhoto = { answerTo, photo: skin, until: isPhoto };
const questionTypes = ['bool', 'camera', 'checkbox', 'number', 'radio', 'text'];

const alphabets = { he: /\p{sc=Hebrew}/u, ar: /\p{sc=Arabic}/u };

async function registerOnPage({ page, words, button }: Visitor): Promise<void> {
  await page.getByRole('link', { name: words.account.registerTitle }).click();
  await page.getByLabel(words.account.email).fill(freshEmail('portal'));
  await page.getByLabel(words.account.password, { exact: true }).fill(goodPassword);
  await button(words.account.register).click();
  await page.getByRole('heading', { name: words.home.title }).waitFor();
}

/** Of every element that `row` finds, from the first to the last, where it begins on the screen. */
async function leftEdges(row: Locator): Promise<number[]> {
  const boxes = await Promise.all((await row.all()).map((each) => each.boundingBox()));
  expect(boxes.length).toBeGreaterThan(1);
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  return boxes.map((box) => box?.x ?? 0);
}

/** Answers harmlessly until a question comes that is of interest. */
async function answerUpTo(
  page: Page,
  isWanted: (question: NextQuestion) => boolean,
  from: NextQuestion,
): Promise<NextQuestion> {
  let question = from;
  while (!isWanted(question)) {
    const answer = answerTo(question);
    await enterAnswer(page, question, answer, photo);
    question = await goOn(page, question, answer);
  }
  return question;
}

const isFocused = (element: Locator) =>
  element.evaluate(
    (node) => node === (node as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
  );

/** Possible causes in words and steps, triage with what to do, and figures for professionals only. */
async function expectAssessment({ page, words }: Visitor): Promise<void> {
  const causes = await page.locator('.predictions > li').all();
  expect(causes).toHaveLength(5);
  const meters = { [words.result.fit.less]: 1, [words.result.fit.partly]: 2, [words.result.fit.well]: 3 };
  for (const cause of causes) {
    const fit = await cause.locator('.fit > span').last().innerText();
    expect(meters[fit]).toBe(await cause.locator('.meter .reached').count());
  }
  expect(Object.values(words.result.soon)).toContain(await page.locator('.soon strong').innerText());
  expect(await page.locator('[aria-labelledby=soon] .lead').innerText()).not.toBe('');
  await page.locator('.reply-notes', { hasText: 'reference-' }).waitFor();

  const figures = /%|×|ICD|CIE|[a-z]+\.[a-z]+[A-Z]?\w*/;
  for (const part of ['.red-flags, .notice', '.soon', '.predictions', '[aria-labelledby=photo]'])
    expect((await page.locator(part).allInnerTexts()).join(' ')).not.toMatch(figures);
  const professional = page.locator('.professional');
  expect(await professional.locator('ol').isVisible()).toBe(false);
  await professional.locator('summary').click();
  await expect.poll(() => professional.innerText()).toMatch(/%[\s\S]+×/);
  await professional.locator('summary').click();
}

/** Warning signs come before everything else, for eyes and for screen readers. */
async function expectWarningsFirst(page: Page): Promise<void> {
  await page.locator('article.result > h1 + .red-flags[role=alert] ~ * .predictions').waitFor();
  const parts = [page.locator('.red-flags'), page.locator('.soon'), page.locator('.predictions')];
  const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? Number.NaN));
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await page.evaluate('scrollTo(0, 0)');
  const { y = 0, height = 0 } = (await page.locator('.red-flags').boundingBox()) ?? {};
  expect(y + height).toBeLessThan(page.viewportSize()?.height ?? 0);
  await expect.poll(() => page.locator('.flags li').count()).toBeGreaterThan(0);
}

describeInBrowser('an intake in the reference portal', async () => {
  const portal = await testPortal({ ai: 'real' });

  test('in English: registered, answered, gone back and skipped, with a photo of the camera, up to warning signs', async () => {
    const visitor = await portal.visit();
    const { page, words, button } = visitor;
    await registerOnPage(visitor);
    const left = 'q_notes';
    const answerTo = (question: NextQuestion) =>
      question.questionId === left ? undefined : answersOf(mole, 'en')(question);
    const asked: NextQuestion[] = [];
    const end = await answerAll(page, await startIntake(page), {
      answerTo,
      photo: { live: true },
      async onQuestion(question) {
        asked.push(question);
        if (question.questionId !== 'q_location') return;
        const before = await questionAfter(page, () => button(words.common.back).click());
        expect(before.questionId).toBe(asked.at(-2)?.questionId);
        await expect
          .poll(() => page.locator('input:checked').getAttribute('value'))
          .toBe(String(answerTo(before)));
        await questionAfter(page, () => button(words.intake.next).click());
        await enterAnswer(page, question, answerTo(question), photo);
      },
    });
    expect(end.emergency).toBeUndefined();
    expect([...new Set(asked.map(({ questionType }) => questionType))].toSorted()).toEqual(questionTypes);
    expect(asked.map(({ questionId }) => questionId)).toContain(left);

    const answered = asked.filter((question) => isPhoto(question) || answerTo(question) !== undefined);
    const counts = { count: String(answered.length), skipped: String(asked.length - answered.length) };
    await page.getByText(fill(words.review.answers, counts)).waitFor();
    await openResult(page);
    await expectWarningsFirst(page);
    await expectAssessment(visitor);
    await saveScreenshot(page, 'result');
  });

  test('in Hebrew: from right to left, with a photo from a file, and every text of the server in Hebrew', async () => {
    const visitor = await portal.visit({ language: 'he' });
    const { page } = visitor;
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
    await registerOnPage(visitor);
    const rows: Record<string, number[]> = { top: await leftEdges(page.locator('.tools > *')) };
    await answerAll(page, await startIntake(page), {
      answerTo: answersOf(mole, 'he'),
      photo,
      async onQuestion({ questionText, options, questionType, skippable }) {
        for (const text of [questionText, ...options]) expect(text).toMatch(/\p{sc=Hebrew}|^\d/u);
        if (questionType !== 'camera' && skippable)
          rows['buttons'] = await leftEdges(page.locator('.actions > button'));
      },
    });
    await openResult(page);
    rows['fit'] = await leftEdges(page.locator('.predictions > li:first-child .meter > *'));
    expect(Object.keys(rows)).toEqual(['top', 'buttons', 'fit']);
    for (const edges of Object.values(rows)) expect(edges).toEqual(edges.toSorted((a, b) => b - a));
    await expectWarningsFirst(page);
    await expectAssessment(visitor);
    for (const text of await page
      .locator('.flags li, .predictions strong, .predictions .fit')
      .allTextContents()) {
      expect(text).toMatch(alphabets.he);
    }
    await saveScreenshot(page, 'result');
  });

  test('a failed diagnosis leaves the warning signs on the page, and a retry completes it', async () => {
    const visitor = await portal.patientWithin({ answerTo: answersOf(mole, 'en'), photo: skin });
    const { page, words, button, takeTrouble } = visitor;
    await page.route('**/api/diagnosis?*', (route) =>
      route.fulfill({
        status: 502,
        contentType: 'application/problem+json',
        headers: { 'access-control-allow-origin': portal.url },
        json: { code: 'ai_unavailable', status: 502, title: 'The AI service is unavailable' },
      }),
    );
    await openResult(page);
    await page.getByText(words.problems.ai_unavailable).waitFor();
    await page.locator('.red-flags[role=alert] .flags li').first().waitFor();
    await page.locator('.soon strong').waitFor();
    expect(await page.locator('.predictions').count()).toBe(0);
    expect(takeTrouble().filter((what) => !what.startsWith('console:'))).toEqual(['502: /api/diagnosis']);

    await page.unroute('**/api/diagnosis?*');
    await button(words.common.tryAgain).click();
    await expectWarningsFirst(page);
    await expectAssessment(visitor);
  });

  test('a diagnosis whose reply is lost is requested again and remains one case', async () => {
    const visitor = await portal.patientWithin({ answerTo: answersOf(mole, 'en'), photo: skin });
    const { page, words, button, takeTrouble } = visitor;
    const keys: (string | null)[] = [];
    const replayed: (string | undefined)[] = [];
    let lost = 0;
    await page.route('**/api/diagnosis?*', async (route) => {
      keys.push(await route.request().headerValue('idempotency-key'));
      const reply = await route.fetch();
      replayed.push(reply.headers()['idempotency-replayed']);
      if (lost++ === 0) await route.abort('connectionreset');
      else await route.fulfill({ response: reply });
    });
    await openResult(page);
    await page.getByText(words.problems.offline).waitFor();
    takeTrouble();
    await page.reload();
    await waitForResult(page);
    await expectAssessment(visitor);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
    expect(replayed).toEqual([undefined, 'true']);
    expect(await button(words.common.tryAgain).count()).toBe(0);
  });

  test('in Spanish, without warning signs: the page neither alarms nor reassures', async () => {
    const answerTo = answersOf(rash, 'es');
    const begun = { answerTo, photo: skin, until: isPhoto };
    const visitor = await portal.patientWithin(begun, { language: 'es' });
    const { page, words, next } = visitor;
    await answerAll(page, next, { answerTo, photo });
    await expect.poll(() => page.locator('.answers').innerText()).toMatch(/¿.+\?/);
    await openResult(page);
    expect(words.result.noFlags).toContain('Eso no significa que todo esté bien');
    await page
      .locator('article.result > h1 + .notice[role=status]', { hasText: words.result.noFlags })
      .waitFor();
    expect(await page.locator('.red-flags, .urgent, [role=alert]').count()).toBe(0);
    await expectAssessment(visitor);
    await saveScreenshot(page, 'result-without-flags');

    const diagnoses: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/diagnosis?'))
        diagnoses.push(request.url());
    });
    const names = page.locator('.predictions strong');
    const spanish = await names.allInnerTexts();
    await page.getByLabel(words.common.language).selectOption('he');
    const hebrew = dictionaries.he;
    const noFlags = page.locator('article.result > h1 + .notice[role=status]');
    await noFlags.filter({ hasText: hebrew.result.noFlags }).waitFor();
    await page.getByText(fill(hebrew.result.findingsLanguage, { language: 'Español' })).waitFor();
    for (const again of ['reload', 'goBack', 'goForward'] as const) {
      await page[again]();
      await page.locator('h1').waitFor();
    }
    await waitForResult(page);
    await expect.poll(() => names.allInnerTexts()).toEqual(spanish);
    await expect.poll(() => page.locator('.predictions').getAttribute('dir')).toBe('ltr');
    await saveScreenshot(page, 'result-other-language');
    // Each would be a case of its own.
    expect(diagnoses).toEqual([]);

    await visitor.button(fill(hebrew.result.findingsAgain, { language: 'עברית' })).click();
    await names.filter({ hasText: alphabets.he }).first().waitFor();
    expect(diagnoses).toEqual([expect.stringMatching(/lang=he$/)]);
    await page.getByRole('link', { name: hebrew.common.product }).click();
    await page.getByText(hebrew.folder.saved).waitFor();
    await visitor.button(hebrew.home.show).click();
    await expectAssessment({ ...visitor, words: hebrew });
    expect(diagnoses).toHaveLength(1);

    // Other answers are another assessment, which is looked through before it is sent, wherever it is given.
    await questionAfter(page, () => visitor.button(hebrew.result.again).click());
    const asked = await questionAfter(page, () => page.goBack());
    expect(new URL(page.url()).pathname).toBe('/result');
    await answerAll(page, asked, { answerTo: answersOf(rash, 'he'), photo });
    await page.getByRole('heading', { name: hebrew.review.title }).waitFor();
    expect(diagnoses).toHaveLength(1);
  });

  test('in Arabic, an emergency: the questions end, and the call for help is first on the page', async () => {
    const { page, words } = await portal.patient({ language: 'ar' });
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
    const first = await startIntake(page);
    expect(first.questionText).toMatch(alphabets.ar);
    const answer = answerOf(emergency, first.questionId, 'ar');
    await enterAnswer(page, first, answer, photo);
    const end = await goOn(page, first, answer);
    expect(end).toMatchObject({ isComplete: true, emergency: expect.any(Array) });
    await waitForResult(page);
    const alarm = page.locator('article.result > h1 + .red-flags.emergency[role=alert]');
    await expect.poll(() => alarm.innerText()).toContain(words.result.callNow);
    await expect.poll(() => alarm.locator('a').getAttribute('href')).toBe('tel:112');
    await expect
      .poll(() => alarm.locator('li').allInnerTexts())
      .toEqual(end.emergency?.map(() => expect.stringMatching(alphabets.ar)));
    await expect
      .poll(() => page.locator('.soon.emergency strong').innerText())
      .toBe(words.result.soon.emergency);
    expect(await page.locator('.predictions').count()).toBe(0);
    await saveScreenshot(page, 'result-emergency');
  });

  test('a bad photo gets reasons in words, and its replacement counts', async () => {
    const dark = mapPixels(640, 480, () => [22, 16, 14]);
    const sharp = skinPixels();
    const blurred = mapPixels(640, 480, (x, y) => [230 - x / 8, 170 - y / 6, 130]);
    const { page, words, button } = await portal.patientWithin(upToPhoto);

    for (const [pixels, reason] of [
      [dark, /dark/i],
      [blurred, /blur|sharp/i],
    ] as const) {
      await takePhoto(page, file(await encodeJpeg(pixels)));
      await page.getByText(words.photo.unusable).waitFor();
      await expect
        .poll(async () => (await page.locator('.verdict li').allInnerTexts()).join())
        .toMatch(reason);
      await page.getByLabel(words.common.language).selectOption('he');
      await page.locator('.verdict li', { hasText: alphabets.he }).first().waitFor();
      await page.getByLabel(dictionaries.he.common.language).selectOption('en');
      await page.locator('.verdict li', { hasText: reason }).first().waitFor();
      await button(words.photo.retake).click();
    }
    const [stored] = await Promise.all([
      page.waitForResponse((reply) => reply.url().endsWith('/store_images') && reply.ok()),
      takePhoto(page, file(await encodeJpeg(sharp))),
    ]);
    const { images } = (await stored.json()) as { images: [{ url: string }] };
    await questionAfter(page, () => button(words.photo.useIt).click());
    const [shown] = await Promise.all([
      page.waitForResponse((reply) => reply.url().includes('/common/images/')),
      button(words.common.back).click(),
    ]);
    expect(shown.url()).toContain(images[0].url);

    // One that was stored and not used yet is kept by "back" too.
    await button(words.photo.retake).click();
    await takePhoto(page, file(await encodeJpeg(sharp)));
    await questionAfter(page, () => button(words.common.back).click());
    await questionAfter(page, () => button(words.intake.next).click());
    await page.locator('.verdict img').waitFor();
    await button(words.photo.useIt).waitFor();
  });

  test('without a mouse: every question takes the focus, and errors are announced', async () => {
    const { page, words, button } = await portal.patient();
    const tabTo = async (target: Locator) => {
      for (let presses = 0; !(await isFocused(target)); presses++) {
        expect(presses).toBeLessThan(30);
        await page.keyboard.press('Tab');
      }
    };
    const enter = () => questionAfter(page, () => page.keyboard.press('Enter'));
    const expectFocusOn = async ({ questionText }: NextQuestion) =>
      expect.poll(() => page.locator('h1:focus').allInnerTexts()).toEqual([questionText]);

    await tabTo(button(words.home.start));
    const safety = await enter();
    await expectFocusOn(safety);
    await tabTo(button(words.intake.next));
    await page.keyboard.press('Enter');
    const reason = page.locator('#error', { hasText: /\S/ });
    await reason.waitFor();
    await expect.poll(() => isFocused(reason)).toBe(true);
    await expect
      .poll(() => page.getByRole('group').first().getAttribute('aria-describedby'))
      .toContain('error');

    // The reason stands before the answers: the next stop is the first of them.
    await page.keyboard.press('Tab');
    const boxes = await page.getByRole('checkbox').all();
    await expect.poll(() => isFocused(boxes[0]!)).toBe(true);
    await tabTo(boxes.at(-1)!);
    await page.keyboard.press('Space');
    const age = await enter();
    await expectFocusOn(age);
    await tabTo(page.getByRole('textbox'));
    await page.keyboard.type('30');
    const gender = await enter();
    await expectFocusOn(gender);
    const [firstChoice] = await page.getByRole('radio').all();
    await tabTo(firstChoice!);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('input:checked').count()).toBe(1);
    await tabTo(button(words.common.back));
    await expectFocusOn(await enter());
  });

  test('without a mouse: a photo is taken and used, and an optional question skipped', async () => {
    const { page, words, button, next: closeUp } = await portal.patientWithin(upToPhoto);
    const tabTo = async (target: Locator) => {
      for (let presses = 0; !(await isFocused(target)); presses++) {
        expect(presses).toBeLessThan(30);
        await page.keyboard.press('Tab');
      }
    };
    const enter = () => questionAfter(page, () => page.keyboard.press('Enter'));
    await tabTo(button(words.photo.take));
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(button(words.photo.shutter))).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(button(words.photo.useIt))).toBe(true);
    const next = await enter();
    expect(next.questionId).not.toBe(closeUp.questionId);

    const optional = await answerUpTo(page, ({ skippable = false }) => skippable, next);
    await page.getByRole('heading', { level: 1, name: optional.questionText, exact: true }).waitFor();
    await tabTo(button(words.intake.skip));
    expect((await enter()).questionId).not.toBe(optional.questionId);
  });
});
