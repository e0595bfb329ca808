import { describe, expect, test } from 'vitest';
import padFile from '../data/pad-likelihoods.json' with { type: 'json' };
import scinFile from '../data/scin-likelihoods.json' with { type: 'json' };
import { catalogue, LOCATION } from '../diagnosis/catalogue.ts';
import { diseaseName } from '../diagnosis/disease-name.ts';
import { padTable } from '../diagnosis/pad.ts';
import { scinTable } from '../diagnosis/scin.ts';
import { issueText } from '../image/issue-text.ts';
import en from '../messages/image-issues/en.json' with { type: 'json' };
import { ImageQualityIssue } from '../../../../src/domain/intake/anamnesis/vocabulary/images.ts';
import { secondaryByPrimary } from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import { parseAnamnesis } from '../../../../src/domain/intake/anamnesis/parse-anamnesis.ts';

const isAccepted = (anamnesis: object) =>
  parseAnamnesis(anamnesis, { language: 'en', imageUrlHosts: [], partial: true }).ok;

/** Whether the questionnaire has this answer at this path: as one value, or as one of several. */
function isAnswer(field: string, value: string): boolean {
  if (field === LOCATION) {
    const region = Object.entries(secondaryByPrimary).find(([, places]) =>
      (places as readonly string[]).includes(value),
    );
    const location = region === undefined ? { primary: value } : { primary: region[0], secondary: value };
    return isAccepted({ locations: [location] });
  }
  const [section = '', name = ''] = field.split('.');
  if (section.endsWith('[]')) return isAccepted({ [section.slice(0, -2)]: [{ [name]: value }] });
  return isAccepted({ [section]: { [name]: value } }) || isAccepted({ [section]: { [name]: [value] } });
}

describe('the catalogue', () => {
  test('has 66 diseases, each once, with a name, an ICD-10 code, a prior and hints', () => {
    expect(catalogue).toHaveLength(66);
    expect(new Set(catalogue.map(({ slug }) => slug)).size).toBe(66);
    for (const { slug, name, icd10, prior, hints } of catalogue) {
      expect(slug).toMatch(/^[a-z_]+$/);
      expect(name).not.toBe('');
      expect(icd10, slug).toMatch(/^[A-Z]\d\d(\.\d+)?$/);
      expect(prior, slug).toBeGreaterThan(0);
      expect(hints.length, slug).toBeGreaterThan(0);
    }
  });

  test('has a name of its own in every language', () => {
    for (const language of ['en', 'he', 'ar', 'es'] as const) {
      const names = new Set(catalogue.map((disease) => diseaseName(disease, language)));
      expect(names.size, language).toBe(66);
    }
    const script = { he: /[א-ת]/, ar: /[ء-ي]/ };
    for (const disease of catalogue) {
      expect(diseaseName(disease, 'he')).toMatch(script.he);
      expect(diseaseName(disease, 'ar')).toMatch(script.ar);
    }
  });

  test('hints only at answers that the questionnaire has', () => {
    const unknown = catalogue.flatMap(({ slug, hints }) =>
      hints.flatMap(({ field, anyOf }) =>
        anyOf.filter((value) => !isAnswer(field, value)).map((value) => `${slug}: ${field} = ${value}`),
      ),
    );
    expect(unknown).toEqual([]);
    expect(isAnswer('lesion.colors', 'mauve')).toBe(false);
  });

  test('weighs every hint 1, 2 or 3, for or against', () => {
    const weights = new Set(catalogue.flatMap(({ hints }) => hints.map(({ weight }) => Math.abs(weight))));
    expect([...weights].toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });
});

describe('the likelihood tables', () => {
  interface Likelihoods {
    bernoulli: Record<string, number>;
    categorical: Record<string, Record<string, number>>;
  }
  const tables: Record<string, Record<string, Likelihoods>> = {
    scin: scinFile.conditions,
    pad: padFile.conditions,
  };

  test('are about diseases of the catalogue, each disease in one table', () => {
    const slugs = new Set(catalogue.map(({ slug }) => slug));
    for (const table of [scinTable, padTable]) {
      for (const slug of table.conditions) expect(slugs).toContain(slug);
    }
    expect([...scinTable.conditions].filter((slug) => padTable.conditions.has(slug))).toEqual([]);
    expect([scinTable.conditions.size, padTable.conditions.size]).toEqual([36, 6]);
  });

  test.each(Object.entries(tables))(
    '%s holds probabilities, and the bands of a question sum to 1',
    (_name, table) => {
      for (const [slug, { bernoulli, categorical }] of Object.entries(table)) {
        for (const p of Object.values(bernoulli)) expect(p).toSatisfy((it: number) => it >= 0 && it <= 1);
        for (const [feature, values] of Object.entries(categorical)) {
          const sum = Object.values(values).reduce((total, p) => total + p, 0);
          expect(Math.abs(sum - 1), `${slug} ${feature}`).toBeLessThan(0.01);
        }
      }
    },
  );

  test('have the same features for every disease and for the background', () => {
    const features = Object.keys(scinFile.background.bernoulli).toSorted();
    for (const { bernoulli } of Object.values(scinFile.conditions)) {
      expect(Object.keys(bernoulli).toSorted()).toEqual(features);
    }
  });
});

test('every image issue has a text in the four languages, and is a value of ImageQualityIssue', () => {
  const codes = Object.keys(en) as (keyof typeof en)[];
  for (const code of codes) {
    expect(ImageQualityIssue.options).toContain(code);
    const texts = (['en', 'he', 'ar', 'es'] as const).map((language) => issueText(code, language));
    expect(new Set(texts).size, code).toBe(4);
  }
});
