import { describe, expect, test } from 'vitest';
import { secondaryByPrimary } from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import type { Language } from '../../../../src/contract/language.ts';
import padFile from '../data/pad-likelihoods.json' with { type: 'json' };
import scinFile from '../data/scin-likelihoods.json' with { type: 'json' };
import { readAnswers } from '../diagnosis/answers.ts';
import { catalogue, isGrowth, LOCATION } from '../diagnosis/catalogue.ts';
import { weighHint, weighHintBesideTable, type Contribution } from '../diagnosis/hints.ts';
import { padTable } from '../diagnosis/pad.ts';
import { confidenceIn, predict } from '../diagnosis/predict.ts';
import { priorsGiven } from '../diagnosis/prior.ts';
import { rankDiseases } from '../diagnosis/rank.ts';
import { scinTable } from '../diagnosis/scin.ts';
import { melanomaCase, shinglesCase } from './typical-cases.ts';

const HAND_WEIGHTS_ONLY = [] as const;

const bitsOf = (field: string, anyOf: string[], weight: number, anamnesis: object) =>
  weighHint({ field, anyOf, weight }, readAnswers(anamnesis))?.bits;

const probabilityOf = (slug: string, anamnesis: object, tables?: typeof HAND_WEIGHTS_ONLY) =>
  rankDiseases(anamnesis, tables).find(({ disease }) => disease.slug === slug)?.probability ?? Number.NaN;

const only = (contributions: Contribution[], field: string, value: string) =>
  contributions.find((it) => it.field === field && it.values.includes(value));

describe('a hint', () => {
  const wheal = { lesion: { lesionTypes: ['wheal', 'papule'] } };

  test('counts its weight once, however many of its values were answered', () => {
    expect(bitsOf('lesion.lesionTypes', ['wheal'], 3, wheal)).toBe(3);
    expect(bitsOf('lesion.lesionTypes', ['wheal', 'papule'], 3, wheal)).toBe(3);
  });

  test('counts against the disease when its weight is negative', () => {
    expect(bitsOf('lesion.lesionTypes', ['wheal'], -2, wheal)).toBe(-2);
  });

  test('says nothing when its question was not answered, or answered with "unknown"', () => {
    expect(bitsOf('lesion.lesionTypes', ['wheal'], 3, {})).toBeUndefined();
    expect(
      bitsOf('lesion.lesionTypes', ['wheal'], 3, { lesion: { lesionTypes: ['not_sure'] } }),
    ).toBeUndefined();
    expect(
      bitsOf('complaint.duration', ['one_day'], 2, { complaint: { duration: 'unknown' } }),
    ).toBeUndefined();
  });

  test('of weight 2 or 3 costs 15 % of it when the answer is another one; a weaker or negative one costs nothing', () => {
    const nodule = { lesion: { lesionTypes: ['nodule'] } };
    expect(bitsOf('lesion.lesionTypes', ['wheal'], 3, nodule)).toBeCloseTo(-0.45);
    expect(bitsOf('lesion.lesionTypes', ['wheal'], 2, nodule)).toBeCloseTo(-0.3);
    expect(bitsOf('lesion.lesionTypes', ['wheal'], 1, nodule)).toBeUndefined();
    expect(bitsOf('lesion.lesionTypes', ['wheal'], -3, nodule)).toBeUndefined();
  });

  test('about an exact place counts half when only its region is known, and nothing when another place is', () => {
    const at = (secondary?: string) => ({ locations: [{ primary: 'arm', ...(secondary && { secondary }) }] });
    const elbowCrease = ['elbow_crease', 'knee_crease'];
    expect(bitsOf(LOCATION, elbowCrease, 2, at('elbow_crease'))).toBe(2);
    expect(bitsOf(LOCATION, elbowCrease, 2, at())).toBe(1);
    expect(bitsOf(LOCATION, elbowCrease, -2, at())).toBe(-1);
    expect(bitsOf(LOCATION, elbowCrease, 2, at('wrist'))).toBeCloseTo(-0.3);
    expect(bitsOf(LOCATION, ['arm'], 1, at('wrist'))).toBe(1);
  });

  test('reads what medicines have in common from all of them', () => {
    const medications = [
      { name: 'a', drugClass: 'nsaid' },
      { name: 'b', drugClass: 'allopurinol' },
    ];
    expect(bitsOf('medications[].drugClass', ['allopurinol'], 2, { medications })).toBe(2);
  });

  test('about an age band or a size band is answered by exact years and millimetres', () => {
    expect(bitsOf('patient.ageGroup', ['age_60_to_69'], 1, { patient: { ageYears: 60 } })).toBe(1);
    expect(bitsOf('patient.ageGroup', ['age_60_to_69'], 2, { patient: { ageYears: 59 } })).toBeCloseTo(-0.3);
    expect(bitsOf('lesion.size', ['from_2_to_6_mm'], 1, { lesion: { sizeMm: 6.5 } })).toBe(1);
  });

  test('about gender takes the sex at birth when the gender names none', () => {
    const patient = { gender: 'prefer_not_to_say', sexAtBirth: 'female' };
    expect(bitsOf('patient.gender', ['female'], 1, { patient })).toBe(1);
    expect(
      bitsOf('patient.gender', ['female'], 1, { patient: { gender: 'male', sexAtBirth: 'female' } }),
    ).toBeUndefined();
  });
});

describe('the prior', () => {
  test.each([
    ['growth_or_mole', 0.92],
    ['pigmentary_problem', 0.25],
    ['other', 0.12],
    ['wound_or_bite', 0.1],
    ['looks_healthy', 0.05],
    ['rash', 0.02],
    ['acne', 0.08],
    [undefined, 0.08],
  ])('of a growth, complaint %s, is %d', (category, share) => {
    const priors = priorsGiven(category, catalogue);
    const growths = catalogue.filter(isGrowth);
    const mass = growths.reduce((sum, { slug }) => sum + (priors.get(slug) ?? 0), 0);
    expect(growths).toHaveLength(11);
    expect(mass).toBeCloseTo(share, 12);
    expect([...priors.values()].reduce((sum, prior) => sum + prior, 0)).toBeCloseTo(1, 12);
  });

  test('keeps the proportions inside a group', () => {
    const priors = priorsGiven('rash', catalogue);
    expect((priors.get('urticaria') ?? 0) / (priors.get('scabies') ?? 0)).toBeCloseTo(0.07 / 0.007, 9);
    expect((priors.get('melanoma') ?? 0) / (priors.get('melanocytic_naevus') ?? 0)).toBeCloseTo(
      0.01 / 0.3,
      9,
    );
  });

  test('alone decides when nothing is answered', () => {
    const priors = priorsGiven(undefined, catalogue);
    for (const { disease, probability } of rankDiseases({})) {
      expect(probability).toBeCloseTo(priors.get(disease.slug) ?? 0, 12);
    }
    expect(predict({}).map(({ disease }) => disease)).toEqual([
      'atopic_dermatitis',
      'allergic_contact_dermatitis',
      'urticaria',
      'insect_bite',
      'folliculitis',
    ]);
  });
});

describe('the posterior', () => {
  test('sums to 1 over all 66 diseases', () => {
    const ranked = rankDiseases({ complaint: { category: 'rash' }, lesion: { lesionTypes: ['wheal'] } });
    expect(ranked).toHaveLength(66);
    expect(ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
  });

  test('shifts the odds of two diseases by 2 to the power of 0.7 times the difference in weight', () => {
    const odds = (anamnesis: object) =>
      probabilityOf('urticaria', anamnesis, HAND_WEIGHTS_ONLY) /
      probabilityOf('miliaria', anamnesis, HAND_WEIGHTS_ONLY);
    // A wheal is +3 for urticaria; miliaria has only a weak hint about lesion types, which costs nothing when missed.
    expect(odds({ lesion: { lesionTypes: ['wheal'] } }) / odds({})).toBeCloseTo(2 ** (0.7 * 3), 9);
  });

  test('is the same for the same answers, in whatever order they are written', () => {
    const one = {
      complaint: { category: 'rash', duration: 'one_day' },
      symptoms: { local: ['itching', 'pain'] },
    };
    const other = {
      symptoms: { local: ['pain', 'itching'] },
      complaint: { duration: 'one_day', category: 'rash' },
    };
    expect(predict(one)).toEqual(predict(one));
    expect(predict(other).map((it) => [it.disease, it.probability])).toEqual(
      predict(one).map((it) => [it.disease, it.probability]),
    );
  });

  test('ranks classic pictures first', () => {
    const first = (anamnesis: object) => predict(anamnesis)[0]?.disease;
    expect(
      first({
        complaint: { category: 'rash', duration: 'one_day' },
        lesion: { lesionTypes: ['wheal'] },
        symptoms: { local: ['itching'], timing: 'each_spot_under_24_hours' },
      }),
    ).toBe('urticaria');
    expect(first(shinglesCase)).toBe('herpes_zoster');
    expect(first(melanomaCase)).toBe('melanoma');
  });
});

describe('counted likelihoods', () => {
  const counted = (slug: string, anamnesis: object) => {
    const answers = readAnswers(anamnesis);
    return [...scinTable.weigh(slug, answers), ...padTable.weigh(slug, answers)];
  };

  test('speak in log2 of "how often with the disease" over "how often at all"', () => {
    const urticaria = scinFile.conditions.urticaria.bernoulli;
    const usual = scinFile.background.bernoulli;
    const contributions = counted('urticaria', { symptoms: { local: ['itching'] } });
    const itching = only(contributions, 'symptoms.local', 'itching');
    expect(itching?.basis).toBe('reported');
    expect(itching?.bits).toBeCloseTo(Math.log2(urticaria.sym_itching / usual.sym_itching), 2);
    const pain = only(contributions, 'symptoms.local', 'pain');
    expect(pain?.basis).toBe('not_reported');
    expect(pain?.bits).toBeCloseTo(Math.log2((1 - urticaria.sym_pain) / (1 - usual.sym_pain)), 2);
  });

  test('say nothing about questions that were not answered, nor about answers the data set did not offer', () => {
    expect(counted('urticaria', {})).toEqual([]);
    expect(counted('urticaria', { symptoms: { local: ['tenderness'] } })).toEqual([]);
    expect(counted('urticaria', { patient: { ageGroup: 'age_2_to_11' } })).toEqual([]);
    expect(counted('urticaria', { locations: [{ primary: 'other', secondary: 'other_site' }] })).toEqual([]);
    expect(counted('melanoma', { lesion: { elevation: 'depressed' } })).toEqual([]);
  });

  test('take the place of the hints they cover and leave the others', () => {
    const hint = (field: string, value: string) => {
      const answers = readAnswers({
        symptoms: { local: ['itching'] },
        lesion: { textures: ['dry_or_cracked'], distribution: 'flexural_surfaces' },
        locations: [{ primary: 'arm', secondary: 'elbow_crease' }],
      });
      const covers = (at: string, it?: string) => scinTable.covers('atopic_dermatitis', at, it);
      return weighHintBesideTable({ field, anyOf: [value], weight: 2 }, answers, covers)?.bits;
    };
    expect(hint('symptoms.local', 'itching')).toBeUndefined();
    expect(hint('lesion.textures', 'dry_or_cracked')).toBe(2);
    expect(hint('lesion.distribution', 'flexural_surfaces')).toBe(2);
    // The table knows the arm; the crease keeps the half that is its own.
    expect(hint(LOCATION, 'elbow_crease')).toBe(1);
    // A miss costs nothing where the table already weighs what was answered instead.
    expect(hint('lesion.textures', 'warty')).toBeUndefined();
    expect(hint('lesion.distribution', 'skin_folds')).toBeCloseTo(-0.3);
  });

  test('leave the mass of the growths where the prior put it: the expected ratio of PAD is 1', () => {
    const six = catalogue.filter(({ slug }) => padTable.conditions.has(slug));
    const mass = six.reduce((sum, { prior }) => sum + prior, 0);
    const expected = six.reduce((sum, { slug, prior }) => {
      const bits =
        only(counted(slug, { patient: { ageYears: 70 } }), 'patient.ageGroup', 'age_70_to_79')?.bits ?? 0;
      return sum + (prior / mass) * 2 ** bits;
    }, 0);
    expect(six).toHaveLength(6);
    expect(expected).toBeCloseTo(1, 2);
  });

  test('spread a decade of age over the two bands it straddles', () => {
    const ages = (slug: keyof typeof padFile.conditions) => padFile.conditions[slug].categorical.age;
    const share = (slug: keyof typeof padFile.conditions) =>
      ages(slug)['50_64'] / 3 + ages(slug)['65_79'] / 3;
    const bits = (slug: string) =>
      only(counted(slug, { patient: { ageGroup: 'age_60_to_69' } }), 'patient.ageGroup', 'age_60_to_69')
        ?.bits ?? 0;
    const difference = bits('squamous_cell_carcinoma') - bits('melanocytic_naevus');
    expect(difference).toBeCloseTo(
      Math.log2(share('squamous_cell_carcinoma') / share('melanocytic_naevus')),
      1,
    );
  });

  test('never let a missing sign speak against a cancer', () => {
    const quiet = { symptoms: { local: ['none'] }, lesion: { changes: ['none'], elevation: 'flat' } };
    for (const slug of ['melanoma', 'basal_cell_carcinoma', 'squamous_cell_carcinoma']) {
      const clearing = counted(slug, quiet).filter(({ basis, bits }) => basis === 'not_reported' && bits < 0);
      expect(clearing).toEqual([]);
    }
    expect(counted('actinic_keratosis', quiet).some(({ bits }) => bits < 0)).toBe(true);
  });

  test('do not make a bleeding mole less likely to be a melanoma', () => {
    const mole = (local: string[]) => ({ complaint: { category: 'growth_or_mole' }, symptoms: { local } });
    const naevus = (local: string[]) => probabilityOf('melanocytic_naevus', mole(local));
    const melanoma = (local: string[]) => probabilityOf('melanoma', mole(local));
    expect(melanoma(['bleeding']) / naevus(['bleeding'])).toBeGreaterThan(
      melanoma(['none']) / naevus(['none']),
    );
  });

  test('never weigh more than a factor of 8', () => {
    for (const slug of [...scinTable.conditions, ...padTable.conditions]) {
      const everything = counted(slug, {
        patient: { ageYears: 20, gender: 'female' },
        complaint: { category: 'nail_problem', duration: 'since_childhood' },
        locations: [
          { primary: 'foot', secondary: 'sole' },
          { primary: 'head_neck', secondary: 'ear' },
        ],
        lesion: { textures: ['fluid_filled'], changes: ['size', 'color'], sizeMm: 30, elevation: 'raised' },
        symptoms: { local: ['bleeding', 'pain'], systemic: ['fever', 'mouth_sores'] },
      });
      expect(everything.length).toBeGreaterThan(0);
      for (const { bits } of everything) expect(Math.abs(bits)).toBeLessThanOrEqual(3);
    }
  });
});

describe('a prediction', () => {
  test.each([
    [0.8, 8, 'high'],
    [0.8, 7, 'medium'],
    [0.79, 30, 'medium'],
    [0.5, 0, 'medium'],
    [0.49, 30, 'low'],
  ])('with p = %d from %d answered fields is of %s confidence', (probability, fields, confidence) => {
    expect(confidenceIn(probability, fields)).toBe(confidence);
  });

  test('is one of five, in falling order, with name and ICD-10', () => {
    const predictions = predict({ complaint: { category: 'growth_or_mole' } });
    expect(predictions).toHaveLength(5);
    const probabilities = predictions.map(({ probability }) => probability);
    expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a));
    expect(predictions[0]).toMatchObject({
      disease: 'melanocytic_naevus',
      name: 'Melanocytic naevus (mole)',
      icd10: 'D22.9',
    });
  });

  test('is explained by the answers that moved it, with path and direction, the strongest first', () => {
    const [first] = predict({
      complaint: { category: 'rash' },
      lesion: { lesionTypes: ['wheal'], textures: ['rough_or_flaky'] },
      symptoms: { timing: 'each_spot_under_24_hours' },
      history: { skinConditions: ['urticaria'] },
    });
    expect(first?.disease).toBe('urticaria');
    expect(first?.explanation).toContain(
      '“Wheal or hive: raised, itchy, comes and goes” speaks for it (lesion.lesionTypes, ×8.0)',
    );
    expect(first?.explanation).toContain('“Urticaria (hives)” speaks for it (history.skinConditions, ×4.0)');
    expect(
      first?.explanation.some((line) =>
        /^“Rough or flaky” speaks against it \(lesion\.textures, .* SCIN\)$/.test(line),
      ),
    ).toBe(true);
    const factors = first?.explanation.map((line) => Number(/×([\d.]+)/.exec(line)?.[1])) ?? [];
    expect(factors).toEqual(factors.toSorted((a, b) => b - a));
  });

  test('is explained in the language that was asked for', () => {
    const anamnesis = { lesion: { lesionTypes: ['wheal'] }, history: { skinConditions: ['urticaria'] } };
    const explanationIn = (language: Language) => predict(anamnesis, language)[0]?.explanation.join('\n');
    expect(explanationIn('es')).toContain(
      '«Urticaria (ronchas)» habla a favor (history.skinConditions, ×4.0)',
    );
    expect(explanationIn('he')).toContain(
      '"חרלת (סרפדת)" מגביר את הסבירות (\u2068history.skinConditions\u2069, \u2068×4.0\u2069)',
    );
    expect(explanationIn('ar')).toContain('(\u2068history.skinConditions\u2069، \u2068×4.0\u2069)');
  });

  test('is explained in lines that fit the gateway’s reply, however many places are affected', () => {
    const locations = Object.entries(secondaryByPrimary)
      .flatMap(([primary, places]) => places.map((secondary) => ({ primary, secondary })))
      .slice(0, 20);
    for (const language of ['en', 'he', 'ar', 'es'] as const) {
      const lines = predict({ complaint: { category: 'growth_or_mole' }, locations }, language).flatMap(
        ({ explanation }) => explanation,
      );
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
    }
  });

  test('never repeats what the patient wrote in free text', () => {
    const secret = 'my name is Jane Doe';
    const text = JSON.stringify(
      predict({ complaint: { category: 'rash', description: secret }, history: { allergyDetails: secret } }),
    );
    expect(text).not.toContain('Jane');
  });
});
