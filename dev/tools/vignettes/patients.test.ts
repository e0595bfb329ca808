import { describe, expect, test } from 'vitest';
import type { NextQuestion, PartialAnamnesis } from '../../packages/client/src/index.ts';
import { skippingPatient, willingPatient } from './patients.ts';
import { questionOf } from './scripted-gateway.ts';

const vignette = {
  anamnesis: {
    patient: { ageGroup: 'age_30_to_39', gender: 'female' },
    complaint: { category: 'rash' },
    reporter: 'self',
    locations: [
      { primary: 'leg', secondary: 'shin', side: 'left' },
      { primary: 'arm' },
      { primary: 'leg', secondary: 'thigh', side: 'right' },
    ],
    lesion: { lesionTypes: ['patch', 'bulla'], textures: [], differentFromOthers: true },
    symptoms: { temperatureC: 39.2 },
    medications: [{ name: 'Amoxicillin', startedRelative: 'before_problem_3_to_28_days' }],
  },
};

const willing = (question: NextQuestion, soFar: PartialAnamnesis = {}) =>
  willingPatient(vignette).answerTo(question, soFar);
const skipping = (question: NextQuestion, soFar: PartialAnamnesis = {}) =>
  skippingPatient(vignette).answerTo(question, soFar);

const choice = (fieldName: string, optionValues: string[], rest: Partial<NextQuestion> = {}) =>
  questionOf('q_x', fieldName, { questionType: 'radio', optionValues, ...rest });
const choices = (fieldName: string, optionValues: string[], rest: Partial<NextQuestion> = {}) =>
  choice(fieldName, optionValues, { questionType: 'checkbox', min: 1, ...rest });
const number = (fieldName: string, rest: Partial<NextQuestion> = {}) =>
  questionOf('q_x', fieldName, { questionType: 'number', min: 0, max: 120, ...rest });

describe('a willing patient', () => {
  test('answers as the vignette does', () => {
    expect(willing(choice('complaint.category', ['acne', 'rash']))).toBe('rash');
    expect(willing(choice('reporter', ['self']))).toBe('self');
    expect(willing(choices('lesion.lesionTypes', ['patch', 'macule', 'bulla']))).toEqual(['patch', 'bulla']);
    expect(willing(number('symptoms.temperatureC', { min: 34, max: 43 }))).toBe(39.2);
    expect(willing(number('patient.ageYears'))).toBe(34);
    expect(willing(questionOf('q_x', 'lesion.differentFromOthers', { questionType: 'bool' }))).toBe(true);
    expect(willing(questionOf('q_x', 'medications', { questionType: 'bool' }))).toBe(true);
    expect(willing(questionOf('q_x', 'medications[0].name'))).toBe('Amoxicillin');
  });

  test('matches the locations of the vignette in any order of the intake', () => {
    expect(willing(choices('locations[].primary', ['arm', 'leg', 'foot']))).toEqual(['leg', 'arm']);
    const soFar: PartialAnamnesis = { locations: [{ primary: 'arm' }, { primary: 'leg' }] };
    expect(willing(choices('locations[1].secondary', ['shin', 'thigh', 'calf']), soFar)).toEqual([
      'shin',
      'thigh',
    ]);
    const exact: PartialAnamnesis = {
      locations: [{ primary: 'arm' }, { primary: 'leg', secondary: 'thigh' }],
    };
    expect(willing(choice('locations[1].side', ['left', 'right']), exact)).toBe('right');
    expect(willing(choices('locations[0].secondary', ['elbow'], { skippable: true }), soFar)).toBeUndefined();
  });

  test('answers "none" where no option applies', () => {
    expect(willing(choices('lesion.textures', ['rough_or_flaky', 'none']))).toEqual(['none']);
    expect(willing(choices('lesion.textures', ['rough_or_flaky'], { min: 0 }))).toEqual([]);
  });

  test('leaves open what the vignette leaves open, and is unsure where an answer is required', () => {
    const values = ['yes', 'none', 'not_sure'];
    expect(willing(choice('lesion.blanching', values, { skippable: true }))).toBeUndefined();
    expect(willing(choice('lesion.blanching', values))).toBe('not_sure');
    expect(willing(choice('lesion.blanching', ['blanches', 'not_tested']))).toBe('not_tested');
    expect(willing(choices('lesion.changes', ['size', 'none']))).toEqual(['none']);
    expect(willing(number('symptoms.painSeverity', { max: 10 }))).toBe(0);
    expect(willing(number('patient.pregnancyWeeks', { min: 1 }))).toBe(1);
    expect(willing(questionOf('q_x', 'history.priorBiopsy', { questionType: 'bool' }))).toBe(false);
    expect(willing(questionOf('q_x', 'medications[1].name'))).toMatch(/./);
  });

  test('leaves out what is not offered', () => {
    expect(willing(choice('complaint.category', ['acne'], { skippable: true }))).toBeUndefined();
    expect(willing(choices('lesion.lesionTypes', ['bulla', 'macule']))).toEqual(['bulla']);
  });
});

describe('a skipping patient', () => {
  test('leaves every optional question open, photos included', () => {
    expect(skipping(choice('complaint.category', ['rash'], { skippable: true }))).toBeUndefined();
    const { takesPhoto } = skippingPatient(vignette);
    expect(takesPhoto(questionOf('q_photo', 'images', { skippable: true }))).toBe(false);
    expect(takesPhoto(questionOf('q_photo', 'images', { skippable: false }))).toBe(true);
  });

  test('answers the rest as a willing one does', () => {
    expect(skipping(choice('complaint.category', ['acne', 'rash']))).toBe('rash');
    expect(skipping(choice('lesion.blanching', ['blanches', 'not_tested']))).toBe('not_tested');
  });
});
