import {
  type Answer,
  createDermagate,
  inMemory,
  type NextQuestion,
} from '../../dev/packages/client/src/index.ts';
import type { Language } from '../../dev/apps/portal/src/i18n/texts.ts';
import {
  emptyIntake,
  type Intake,
  reduceIntake,
  stateOf,
} from '../../dev/apps/portal/src/patient/intake/intake.ts';
import { gateway } from '../../dev/tools/intake/backends.ts';
import type { Page } from 'playwright-core';
import type { Account } from './accounts.ts';

export interface BegunIntake {
  intake: Intake;
  asked: NextQuestion[];
  /** The question that comes next, or the end. */
  next: NextQuestion;
}

export interface IntakeAnswers {
  answerTo: (question: NextQuestion) => Answer;
  photo: Uint8Array;
  /** The question before which the patient stops; without it, all are answered. */
  until?: (question: NextQuestion) => boolean;
}

/**
 * An intake that the account has begun through the API, as the portal would store it: a question that is answered by
 * clicks costs a browser a quarter of a second.
 */
export async function beginIntake(
  baseUrl: string,
  account: Account,
  language: Language,
  { answerTo, photo, until = () => false }: IntakeAnswers,
): Promise<BegunIntake> {
  const backend = gateway(createDermagate({ baseUrl, tokens: inMemory(account) }), language);
  const file = new Uint8Array(photo);
  const asked: NextQuestion[] = [];
  let intake = emptyIntake;
  for (;;) {
    const next = await backend.nextQuestion(stateOf(intake));
    if (next.isComplete || until(next)) return { intake, asked, next };
    asked.push(next);
    const question = { ...next, language };
    const answer = next.questionType === 'camera' ? await backend.keepPhoto(file) : answerTo(next);
    const verdict = next.questionType === 'camera' ? await backend.judgePhoto(file) : undefined;
    const quality = verdict && { isValid: verdict.isValid, score: verdict.score };
    intake = reduceIntake(
      intake,
      answer === undefined
        ? { type: 'skipped', question }
        : { type: 'answered', question, answer, ...(quality && { quality }) },
    );
  }
}

/** Stores it in this tab as if its questions had been answered here: the browser's Back leads to each of them. */
export async function storeIntake(page: Page, userUuid: string, intake: Intake): Promise<void> {
  const item = [`dermagate.intake.${userUuid}`, JSON.stringify(intake)];
  await page.evaluate(`sessionStorage.setItem(...${JSON.stringify(item)});
    history.replaceState({ at: 0 }, '', '/');
    for (let at = 0; at <= ${intake.steps.length}; at++) history.pushState({ at }, '', '/intake');`);
}
