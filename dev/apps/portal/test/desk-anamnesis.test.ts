import { describe, expect, test } from 'vitest';
import { shippedDocuments } from '../../../../src/domain/catalogue/resources/shipped-documents.ts';
import { anamnesis } from '../../../../test/support/diagnosis.ts';
import { readAnamnesis, type Wording } from '../src/desk/anamnesis/read-anamnesis.ts';
import { isSamePlace } from '../src/desk/photos/same-place.ts';
import { en } from '../src/desk/i18n/en.ts';
import { he } from '../src/desk/i18n/he.ts';
import type { AnamnesisLabels } from '../src/gateway/desk-types.ts';

const labels = JSON.parse(shippedDocuments['anamnesis-labels.json']()) as AnamnesisLabels;
const english: Wording = { language: 'en', labels, words: en.anamnesis, yes: en.yes, no: en.no };
const hebrew: Wording = { language: 'he', labels, words: he.anamnesis, yes: he.yes, no: he.no };

describe('the anamnesis as a doctor reads it', () => {
  test('follows the order of a letter, the notable answers first, every answer in words', () => {
    const sections = readAnamnesis(anamnesis, english);
    expect(sections.map(({ name }) => name).slice(0, 5)).toEqual([
      'complaint',
      'lesion',
      'symptoms',
      'history',
      'medications',
    ]);
    const symptoms = sections.find(({ name }) => name === 'symptoms');
    expect(symptoms?.findings.map(({ notable }) => notable)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(symptoms?.findings[0]).toEqual({
      field: 'symptoms.itchSeverity',
      values: ['\u20687\u2069 of 10'],
      notable: true,
    });
    const values = sections.flatMap(({ findings }) => findings.flatMap((finding) => finding.values));
    expect(values.filter((value) => value.includes('_'))).toEqual([]);
    expect(values).toContain(
      '\u2068Hydrocortisone 1 % cream\u2069 · Cortisone cream · On the skin · For this skin problem · From one to two weeks · A little better',
    );
  });

  test('names every field that the gateway asks for, answered or not', () => {
    const named = new Set(
      readAnamnesis({}, english).flatMap(({ findings, unanswered }) => [
        ...findings.map(({ field }) => field),
        ...unanswered,
      ]),
    );
    const ofLists = /^(?:locations|medications|images)\.|^language$/;
    const missing = Object.keys(labels.fields).filter(
      (path) => !ofLists.test(path) && !named.has(path as never),
    );
    expect(missing).toEqual([]);
  });

  test('an emergency, a fever and a transplant are notable; "none" and "normal" are not', () => {
    const found = (given: Parameters<typeof readAnamnesis>[0]) =>
      readAnamnesis(given, hebrew).flatMap(({ findings }) =>
        findings.filter(({ notable }) => notable).map(({ field }) => field),
      );
    expect(
      found({
        symptoms: { emergency: ['fainting'], temperatureC: 38.6, systemic: ['none'] },
        history: { immuneStatus: 'transplant' },
        lesion: { blanching: 'non_blanching', differentFromOthers: true },
      }),
    ).toEqual([
      'lesion.blanching',
      'lesion.differentFromOthers',
      'symptoms.emergency',
      'symptoms.temperatureC',
      'history.immuneStatus',
    ]);
    expect(
      found({ symptoms: { emergency: ['none'] }, history: { immuneStatus: 'normal', cancerHistory: false } }),
    ).toEqual([]);
  });

  test('a medicine is read with its class, which stands for the name where that is missing', () => {
    const given = { drugClass: 'anticonvulsant', startedRelative: 'before_problem_3_to_28_days' } as const;
    const medicines = (...medications: NonNullable<Parameters<typeof readAnamnesis>[0]['medications']>) =>
      readAnamnesis({ medications }, english).find(({ name }) => name === 'medications')?.findings[0]?.values;
    const named = '\u2068Xyz\u2069 · Medicine against seizures · ';
    const [first, second] = medicines({ name: 'Xyz', ...given }, given) ?? [];
    expect(first?.startsWith(named)).toBe(true);
    expect(second).toBe(first?.replace(named, '\u2068Medicine against seizures\u2069 · '));
  });

  test('codes stand in for labels that are not there yet', () => {
    const [complaint] = readAnamnesis(
      { complaint: { duration: 'one_day' } },
      { ...english, labels: undefined },
    );
    expect(complaint?.findings[0]?.values).toEqual(['one day']);
  });
});

test('earlier photos are offered of the same place', () => {
  const elbow = { primary: 'arm', secondary: 'elbow_crease' } as const;
  expect(isSamePlace([elbow], [{ primary: 'leg' }, elbow])).toBe(true);
  expect(isSamePlace([elbow], [{ primary: 'arm' }])).toBe(true);
  expect(isSamePlace([elbow], [{ primary: 'arm', secondary: 'wrist' }])).toBe(false);
  expect(isSamePlace([{}], [{}])).toBe(false);
  expect(isSamePlace(undefined, [elbow])).toBe(false);
});
