import { expect, test } from 'vitest';
import type { NextQuestion } from 'dermagate-client';
import type { AskedQuestion } from '../src/gateway/asked-question.ts';
import {
  emptyIntake,
  type Intake,
  type IntakeEvent,
  reduceIntake,
  stateOf,
} from '../src/patient/intake/intake.ts';
import { finalSteps, openSafetyQuestions, unsureAnswers } from '../src/patient/intake/final-answers.ts';

const question = (
  questionId: string,
  fieldName: string,
  questionType: NextQuestion['questionType'] = 'radio',
): NextQuestion => ({
  questionId,
  fieldName,
  questionType,
  questionText: '',
  options: [],
  isComplete: false,
});

const after = (...events: IntakeEvent[]): Intake => events.reduce(reduceIntake, emptyIntake);

const category = question('q_category', 'complaint.category');
const itch = question('q_itch', 'symptoms.itchSeverity', 'number');
const places = question('q_location', 'locations[].primary', 'checkbox');
const photo = question('q_photo_close', 'images', 'camera');

test('answers go into the field of their question, and skipped questions are listed', () => {
  const intake = after(
    { type: 'answered', question: category, answer: 'rash' },
    { type: 'answered', question: places, answer: ['arm', 'hand'] },
    { type: 'skipped', question: itch },
  );
  expect(stateOf(intake)).toEqual({
    anamnesis: { complaint: { category: 'rash' }, locations: [{ primary: 'arm' }, { primary: 'hand' }] },
    skippedQuestions: ['q_itch'],
  });
});

test('the verdict on a photo stays with that photo', () => {
  const overview = question('q_photo_overview', 'images', 'camera');
  const intake = after(
    { type: 'answered', question: photo, answer: '/a', quality: { isValid: false, score: 0.2 } },
    { type: 'answered', question: overview, answer: '/b' },
  );
  expect(stateOf(intake).anamnesis.images).toEqual([
    { url: '/a', quality: { isValid: false, score: 0.2, measuredBy: 'ai_service' } },
    { url: '/b' },
  ]);
});

test('back removes the last answer from the request and offers it again with its question', () => {
  const answered = { type: 'answered', question: places, answer: ['arm', 'hand'] } as const;
  const intake = after({ type: 'skipped', question: itch }, answered, { type: 'went-back' });
  expect(stateOf(intake)).toEqual({ anamnesis: {}, skippedQuestions: ['q_itch'] });
  expect(intake.drafts['q_location']?.answer).toEqual(['arm', 'hand']);
  expect(reduceIntake(intake, answered).drafts).toEqual({});
});

test('back keeps an entry that was not sent, valid or not, and offers it again with its question', () => {
  const { questionId, questionType, fieldName } = itch;
  const left = { questionId, questionType, fieldName, answer: 'twe' };
  const answered = { type: 'answered', question: places, answer: ['arm'] } as const;
  const intake = after(answered, { type: 'went-back', left });
  expect(stateOf(intake).anamnesis).toEqual({});
  expect(intake.drafts).toMatchObject({ q_location: { answer: ['arm'] }, q_itch: { answer: 'twe' } });
});

test('any change of the answers discards the submission and the diagnosis', () => {
  const image_validity = { isValid: true, score: 1, issues: [] };
  const red_flags = { hasRedFlags: false, flags: [], urgency: 'low' } as const;
  const findings = { predictions: [], red_flags: { ...red_flags, flags: [] }, image_validity };
  const diagnosis = { findings, language: 'en', madeAt: '2026-01-01T00:00:00.000Z' } as const;
  const sent = after(
    { type: 'answered', question: category, answer: 'rash' },
    { type: 'submitted' },
    { type: 'diagnosed', diagnosis },
  );
  expect(sent).toMatchObject({ submitted: true, diagnosis, steps: [{ answer: 'rash' }] });
  for (const change of [
    { type: 'went-back' },
    { type: 'skipped', question: itch },
    { type: 'answered', question: itch, answer: 3 },
    { type: 'started-again' },
  ] as const) {
    expect(Object.keys(reduceIntake(sent, change))).toEqual(['steps', 'drafts']);
  }
});

test('a requested diagnosis keeps its key until it arrives, is abandoned, or the answers change', () => {
  const asked = { key: '0b6f2c8e-1111-4222-8333-444455556666', language: 'en' } as const;
  const waiting = after(
    { type: 'answered', question: category, answer: 'rash' },
    { type: 'submitted' },
    { type: 'diagnosis-asked', asked },
  );
  expect(waiting.askedDiagnosis).toEqual(asked);
  const image_validity = { isValid: true, score: 1, issues: [] };
  const red_flags = { hasRedFlags: false, flags: [], urgency: 'low' } as const;
  const findings = { predictions: [], red_flags: { ...red_flags, flags: [] }, image_validity };
  const diagnosis = { findings, language: 'en', madeAt: '2026-01-01T00:00:00.000Z' } as const;
  for (const end of [
    { type: 'diagnosed', diagnosis },
    { type: 'diagnosis-abandoned' },
    { type: 'answered', question: itch, answer: 3 },
    { type: 'went-back' },
  ] as const) {
    expect(reduceIntake(waiting, end)).not.toHaveProperty('askedDiagnosis');
  }
});

test('back over a skipped question asks it again', () => {
  const intake = after({ type: 'skipped', question: itch }, { type: 'went-back' });
  expect(stateOf(intake)).toEqual({ anamnesis: {}, skippedQuestions: [] });
});

test('back at the first question, and starting over, leave an empty intake', () => {
  expect(after({ type: 'went-back' })).toEqual(emptyIntake);
  const intake = after({ type: 'answered', question: category, answer: 'rash' }, { type: 'started-again' });
  expect(intake).toEqual(emptyIntake);
});

const three: IntakeEvent[] = [
  { type: 'answered', question: category, answer: 'rash' },
  { type: 'answered', question: places, answer: ['arm'] },
  { type: 'skipped', question: itch },
];

test('a change removes its answer, offers it again, and lets later answers wait', () => {
  const intake = after(...three, { type: 'changed', index: 0 });
  expect(intake.steps).toEqual([]);
  expect(intake.drafts['q_category']?.answer).toBe('rash');
  expect(intake.ahead?.map(({ questionId }) => questionId)).toEqual(['q_location', 'q_itch']);
});

test('back from a changed question restores everything, submission and diagnosis included', () => {
  const sent = after(...three, { type: 'submitted' });
  const intake = [{ type: 'changed', index: 1 }, { type: 'went-back' }] as const;
  expect(intake.reduce<Intake>(reduceIntake, sent)).toBe(sent);
});

test('answers wait until their question returns; those whose question does not become drafts', () => {
  const changed = after(...three, { type: 'changed', index: 0 });
  const begun = reduceIntake(changed, { type: 'answered', question: category, answer: 'acne' });
  expect(begun.before).toBeUndefined();
  const [waiting] = begun.ahead ?? [];
  const repeated = reduceIntake(begun, { type: 'repeated', question: places, step: waiting! });
  expect(stateOf(repeated).anamnesis).toEqual({
    complaint: { category: 'acne' },
    locations: [{ primary: 'arm' }],
  });
  expect(repeated.ahead?.map(({ questionId }) => questionId)).toEqual(['q_itch']);
  const completed = reduceIntake(repeated, { type: 'completed' });
  expect(completed.ahead).toBeUndefined();
  expect(completed.steps).toBe(repeated.steps);
  expect(Object.keys(completed.drafts)).toEqual(['q_itch']);
});

test('a step stores the words of its question and its answer', () => {
  const question: AskedQuestion = {
    ...places,
    questionText: '¿Dónde?',
    options: ['Brazo', 'Mano'],
    optionValues: ['arm', 'hand'],
    language: 'es',
  };
  const [step] = after({ type: 'answered', question, answer: ['hand'] }).steps;
  expect(step?.wording).toEqual({ language: 'es', question: '¿Dónde?', labels: ['Mano'] });
});

test('a question that is skipped and answered later counts once and is no longer open', () => {
  const safety = { ...itch, safety: true };
  const open = after({ type: 'skipped', question: safety });
  expect([finalSteps(open).length, openSafetyQuestions(open)]).toEqual([1, 1]);
  const asked = reduceIntake(open, { type: 'answered', question: safety, answer: 3 });
  expect(finalSteps(asked).map(({ answer }) => answer)).toEqual([3]);
  expect(openSafetyQuestions(asked)).toBe(0);
  expect(openSafetyQuestions(after({ type: 'skipped', question: itch }))).toBe(0);
});

test('answers "I do not know" are counted, alone and among others', () => {
  const intake = after(
    { type: 'answered', question: category, answer: 'unknown' },
    { type: 'answered', question: places, answer: ['arm', 'not_sure'] },
    { type: 'answered', question: itch, answer: 0 },
  );
  expect(unsureAnswers(intake)).toBe(2);
  const base: NonNullable<Intake['base']> = {
    history: { immuneStatus: 'unknown' },
    lesion: { colors: ['red'], lesionTypes: ['papule', 'not_sure'] },
  };
  expect(unsureAnswers({ ...intake, base })).toBe(4);
});

test('an intake survives being stored as JSON', () => {
  const intake = after(
    { type: 'answered', question: photo, answer: '/a', quality: { isValid: true, score: 0.9 } },
    { type: 'skipped', question: itch },
    { type: 'answered', question: category, answer: 'rash' },
    { type: 'went-back' },
  );
  expect(JSON.parse(JSON.stringify(intake))).toEqual(intake);
});

test('a person who was to be chosen later is chosen once, and asked for again where the answers no longer fit', () => {
  const later = after({ type: 'person-postponed' }, { type: 'answered', question: category, answer: 'rash' });
  expect(later.personLater).toBe(true);
  const chosen = reduceIntake(later, { type: 'person-chosen', person: { uuid: 'child', relation: 'child' } });
  expect(chosen).not.toHaveProperty('personLater');
  expect(reduceIntake(later, { type: 'started-again' })).toEqual(emptyIntake);
});
