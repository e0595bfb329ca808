import { globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../dev/apps/ai-service/diagnosis/catalogue.ts';
import { answerLabel } from '../dev/apps/ai-service/diagnosis/answer-label.ts';
import { flow, questionnaire } from '../dev/apps/ai-service/questions/flow.ts';
import { RecommendedAction } from '../src/domain/intake/triage/triage.schemas.ts';
import * as complaint from '../src/domain/intake/anamnesis/vocabulary/complaint.ts';
import * as exposures from '../src/domain/intake/anamnesis/vocabulary/exposures.ts';
import * as history from '../src/domain/intake/anamnesis/vocabulary/history.ts';
import * as appearance from '../src/domain/intake/anamnesis/vocabulary/lesion-appearance.ts';
import * as signs from '../src/domain/intake/anamnesis/vocabulary/lesion-signs.ts';
import * as locations from '../src/domain/intake/anamnesis/vocabulary/locations.ts';
import * as medications from '../src/domain/intake/anamnesis/vocabulary/medications.ts';
import * as patient from '../src/domain/intake/anamnesis/vocabulary/patient.ts';
import * as symptoms from '../src/domain/intake/anamnesis/vocabulary/symptoms.ts';
import { safetyQuestionnaire } from '../src/domain/intake/questions/safety-questionnaire.ts';
import { safetyQuestions } from '../src/domain/intake/questions/safety-questions.ts';

const root = join(import.meta.dirname, '..');
const translations = ['he', 'ar', 'es'] as const;

/** Every folder of message files; mails have lists of paragraphs and a test of their own. */
const areas = globSync('{src,dev}/**/messages/**/en.json', { cwd: root })
  .map((file) => dirname(file).split(sep).join('/'))
  .filter((area) => area !== 'src/domain/delivery/mails/messages')
  .toSorted();

type File = { [key: string]: string | boolean | File };

const read = (area: string, language: string) =>
  JSON.parse(readFileSync(join(root, area, `${language}.json`), 'utf8')) as File;

/** Texts by their path in the file, without the mark of a draft. */
function textsOf(file: File, path = ''): Map<string, unknown> {
  const texts = new Map<string, unknown>();
  for (const [key, value] of Object.entries(file)) {
    if (typeof value === 'object')
      for (const [inner, text] of textsOf(value, `${path}/${key}`)) texts.set(inner, text);
    else if (path !== '' || key !== '_machineDrafted') texts.set(`${path}/${key}`, value);
  }
  return texts;
}

/** What is the same in English and in the language: names, Latin terms, signs, and words that the two share. */
const sameAsEnglish: Readonly<Record<string, readonly string[]>> = {
  'src/domain/answers/templates/messages': [
    'he/joined',
    'he/treatment',
    'ar/treatment',
    'es/joined',
    'es/treatment',
    'es/certainties/probable',
  ],
  'dev/apps/ai-service/messages/disease-names': [
    'es/psoriasis',
    'es/angioedema',
    'es/candidal_intertrigo',
    'es/alopecia_areata',
    'es/dermatofibroma',
    'es/melanoma',
  ],
  'dev/apps/ai-service/messages/explanations': ['es/joined'],
  'src/domain/intake/anamnesis/messages': [
    'es/YesNo/no',
    'es/LocationSecondary/vulva',
    'es/FamilyHistory/psoriasis',
    'es/MedicalCondition/diabetes',
    'es/PastSkinCondition/psoriasis',
    'es/PregnancyStatus/not_pregnant',
    'es/RecentInfection/covid_19',
    'es/VaccinationStatus/none',
  ],
  'src/domain/intake/questions/messages': [
    'he/q_temperature/unit',
    'ar/q_temperature/unit',
    'es/q_temperature/unit',
  ],
  'src/domain/intake/red-flags/messages': ['he/and', 'es/and'],
};

const letters = { he: /[א-ת]/, ar: /[ء-ي]/, es: /[a-záéíóúñü]/i } as const;

test('all message files are found', () => {
  expect(areas).toEqual([
    'dev/apps/ai-service/messages/disease-names',
    'dev/apps/ai-service/messages/explanations',
    'dev/apps/ai-service/messages/image-issues',
    'dev/apps/ai-service/messages/notices',
    'dev/apps/ai-service/messages/questions',
    'dev/apps/ai-service/messages/triage-reasons',
    'src/domain/answers/templates/messages',
    'src/domain/cases/admission/messages',
    'src/domain/catalogue/resources/messages',
    'src/domain/delivery/news/messages',
    'src/domain/intake/anamnesis/messages',
    'src/domain/intake/questions/messages',
    'src/domain/intake/red-flags/messages',
    'src/domain/intake/triage/messages',
  ]);
});

describe.each(areas)('%s', (area) => {
  const english = textsOf(read(area, 'en'));

  test('English has texts, and is no draft', () => {
    expect(english.size).toBeGreaterThan(2);
    expect(read(area, 'en')).not.toHaveProperty('_machineDrafted');
    for (const [key, text] of english) expect(text, key).toMatch(/\S/);
  });

  describe.each(translations)('%s', (language) => {
    const file = read(area, language);
    const texts = textsOf(file);

    test('says at its top that a machine drafted it', () => {
      expect(Object.entries(file)[0]).toEqual(['_machineDrafted', true]);
    });

    test('has every text, and none that English does not have', () => {
      expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    });

    test('has texts in its own script, without white space around them', () => {
      const foreign = [...texts].filter(
        ([key, text]) =>
          typeof text !== 'string' ||
          text !== text.trim() ||
          // Joints such as "{first}, {second}" and the unit °C have no words.
          !(
            letters[language].test(text) ||
            key.endsWith('/unit') ||
            !/\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''))
          ),
      );
      expect(foreign).toEqual([]);
    });

    test('has the places of the English text', () => {
      const places = (text: unknown) => [...String(text).matchAll(/\{[^}]*\}/g)].map(String).toSorted();
      const different = [...texts].filter(
        ([key, text]) => places(text).join() !== places(english.get(key)).join(),
      );
      expect(different).toEqual([]);
    });

    test('translates, except for what is the same in both', () => {
      const same = [...texts]
        .filter(([key, text]) => text === english.get(key))
        .map(([key]) => `${language}${key}`);
      const allowed = (sameAsEnglish[area] ?? []).filter((entry) => entry.startsWith(language));
      expect(same.toSorted()).toEqual(allowed.toSorted());
    });

    test('is written without direction marks, which are added when it is shown', () => {
      expect([...texts].filter(([, text]) => /\p{Bidi_Control}/u.test(String(text)))).toEqual([]);
    });
  });
});

describe('there is a text for everything that can be said', () => {
  /** Assessments and photos have texts of their own. */
  const aboutThePatient = patient;
  const vocabularies = [
    complaint,
    exposures,
    history,
    appearance,
    signs,
    locations,
    medications,
    aboutThePatient,
    symptoms,
  ].flatMap((exported) => Object.values(exported).filter((value) => value instanceof z.ZodEnum));
  const idOf = (enumeration: z.ZodEnum) => enumeration.meta()?.id ?? '';
  const labels = (language: string) =>
    read('src/domain/intake/anamnesis/messages', language) as Record<string, Record<string, string>>;

  describe.each(['en', ...translations])('labels: %s', (language) => {
    const groups = labels(language);

    test('every option of every question, in the order of the enumeration', () => {
      for (const { id, options } of [...safetyQuestions, ...flow]) {
        if (options) expect(Object.keys(groups[idOf(options)] ?? {}), id).toEqual(options.options);
      }
    });

    test('every value that describes a patient, and nothing else', () => {
      for (const enumeration of vocabularies)
        expect(Object.keys(groups[idOf(enumeration)] ?? {}), idOf(enumeration)).toEqual(enumeration.options);
      expect(
        Object.keys(groups)
          .filter((name) => name !== '_machineDrafted')
          .toSorted(),
      ).toEqual(['YesNo', ...vocabularies.map(idOf)].toSorted());
    });
  });

  test.each(['en', ...translations] as const)('every question, and no other: %s', (language) => {
    for (const { id } of safetyQuestions)
      expect(safetyQuestionnaire.textOf(id, language).text, id).not.toBe(id);
    for (const { id } of flow) expect(questionnaire.textOf(id, language).text, id).not.toBe(id);
    const asked = new Set([...safetyQuestions, ...flow].map(({ id }) => id));
    const written = [
      'src/domain/intake/questions/messages',
      'dev/apps/ai-service/messages/questions',
    ].flatMap((area) => Object.keys(read(area, language)).filter((id) => id !== '_machineDrafted'));
    expect(written.filter((id) => !asked.has(id))).toEqual([]);
  });

  test.each(['en', ...translations])('help that names an option names it as it is shown: %s', (language) => {
    const questions = read('src/domain/intake/questions/messages', language) as Record<
      string,
      { help: string }
    >;
    expect(questions.q_med_class?.help).toContain(labels(language).MedicationClass?.unknown);
  });

  test('every safety answer that can be missing has a name', () => {
    const { fields } = read('src/domain/intake/red-flags/messages', 'en') as {
      fields: Record<string, string>;
    };
    const asked = new Set(safetyQuestions.map(({ field }) => field).filter((field) => field !== 'reporter'));
    expect([...asked].filter((field) => !Object.hasOwn(fields, field))).toEqual([]);
  });

  test('every answer that an explanation can name', () => {
    const named = catalogue.flatMap(({ hints }) =>
      hints.flatMap(({ field, anyOf }) => anyOf.map((value) => [field, value] as const)),
    );
    for (const [field, value] of named) {
      const label = answerLabel(field, value, 'he');
      expect(label, `${field} ${value}`).toMatch(letters.he);
    }
  });

  test('every disease, every recommended action', () => {
    expect(Object.keys(read('dev/apps/ai-service/messages/disease-names', 'en'))).toEqual(
      catalogue.map(({ slug }) => slug),
    );
    expect(Object.keys(read('src/domain/intake/triage/messages', 'en').actions ?? {})).toEqual(
      RecommendedAction.options,
    );
  });

  test('within a question no two options read alike', () => {
    for (const language of ['en', ...translations]) {
      for (const [name, group] of Object.entries(labels(language))) {
        if (typeof group !== 'object') continue;
        const texts = Object.values(group);
        expect(new Set(texts).size, `${language} ${name}: ${texts.join(' | ')}`).toBe(texts.length);
      }
    }
  });
});
