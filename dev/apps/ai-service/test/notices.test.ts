import { describe, expect, test } from 'vitest';
import { readAnswers } from '../diagnosis/answers.ts';
import { type NoticeCode, noticesOf, noticeText } from '../diagnosis/notices.ts';
import { diagnose } from '../diagnosis/predict.ts';
import { rankDiseases } from '../diagnosis/rank.ts';
import en from '../messages/notices/en.json' with { type: 'json' };
import { Language } from '../../../../src/contract/language.ts';
import { melanomaCase, shinglesCase } from './typical-cases.ts';

const noticesAbout = (anamnesis: object, answered = 9): NoticeCode[] =>
  noticesOf(readAnswers(anamnesis), answered, rankDiseases(anamnesis));

const rash = { complaint: { category: 'rash' } };

describe('a notice says what is not known about the probabilities', () => {
  test('nothing more than what the service is, where enough was measured', () => {
    expect(noticesAbout({ ...rash, patient: { ageYears: 18 } })).toEqual(['reference']);
  });

  test('of fewer than five answers', () => {
    expect(noticesAbout(rash, 4)).toContain('few_answers');
    expect(noticesAbout(rash, 5)).not.toContain('few_answers');
    const said = (anamnesis: object) => diagnose(anamnesis, 'en').notice.includes(en.few_answers);
    expect(said(rash)).toBe(true);
    expect(
      said({
        ...rash,
        patient: { ageYears: 40, gender: 'female' },
        locations: [{ primary: 'arm' }],
        lesion: { lesionTypes: ['papule'], textures: ['flat'] },
        symptoms: { local: ['itching'] },
      }),
    ).toBe(false);
  });

  test.each(['nail_problem', 'hair_loss', 'acne', 'wound_or_bite', 'pigmentary_problem', undefined])(
    'of the complaint %s, of which the data sets have few cases or none',
    (category) => {
      expect(noticesAbout({ complaint: { category } })).toContain('complaint_not_measured');
    },
  );

  test.each(['rash', 'growth_or_mole', 'looks_healthy', 'other'])('but not of %s', (category) => {
    expect(noticesAbout({ complaint: { category } })).not.toContain('complaint_not_measured');
  });

  test.each([
    ['herpes_zoster', shinglesCase],
    ['melanoma', melanomaCase],
  ])('of %s as first prediction, which hardly any measured row had', (slug, anamnesis) => {
    expect(rankDiseases(anamnesis)[0]?.disease.slug).toBe(slug);
    expect(noticesAbout(anamnesis)).toContain('disease_not_measured');
    expect(noticesAbout(rash)).not.toContain('disease_not_measured');
  });

  test.each([
    [{ ageYears: 0 }, true],
    [{ ageYears: 17 }, true],
    [{ ageGroup: 'age_2_to_11' }, true],
    [{ ageYears: 18 }, false],
    [{ ageGroup: 'age_80_or_above' }, false],
    [{}, false],
  ])('of people under 18: %j %s', (patient, expected) => {
    expect(noticesAbout({ ...rash, patient }).includes('age_not_measured')).toBe(expected);
  });

  test('of growths, measured where skin cancer is common', () => {
    expect(noticesAbout({ complaint: { category: 'growth_or_mole' } })).toContain('growths_of_one_clinic');
    expect(noticesAbout(rash)).not.toContain('growths_of_one_clinic');
  });
});

test.each(Language.options)('all notices together fit a reply of 1,000 characters in %s', (language) => {
  expect(noticeText(Object.keys(en) as NoticeCode[], language).length).toBeLessThanOrEqual(1000);
});
