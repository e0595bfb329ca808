import table from '../data/pad-likelihoods.json' with { type: 'json' };
import type { Answers, Site } from './answers.ts';
import { catalogue, LOCATION } from './catalogue.ts';
import { logRatio, type FittedTable, type LikelihoodFile, type Likelihoods } from './fitted.ts';
import type { Contribution } from './hints.ts';

/** PAD asks yes or no; each is an answer of one of our multiple-choice questions. */
const features: Record<string, { field: string; values: readonly string[] }> = {
  itch: { field: 'symptoms.local', values: ['itching'] },
  hurt: { field: 'symptoms.local', values: ['pain'] },
  bleed: { field: 'symptoms.local', values: ['bleeding'] },
  grew: { field: 'lesion.changes', values: ['size'] },
  changed: { field: 'lesion.changes', values: ['color', 'shape'] },
  elevation: { field: 'lesion.elevation', values: ['raised', 'slightly_raised'] },
};

const coveredValues: Record<string, readonly string[]> = {
  'symptoms.local': ['none', 'itching', 'pain', 'bleeding'],
  'lesion.changes': ['none', 'size', 'color', 'shape'],
  'lesion.elevation': ['flat', 'raised', 'slightly_raised'],
  [LOCATION]: ['scalp', 'face', 'nose', 'ear', 'lips', 'trunk_back', 'forearm', 'hand', 'foot'],
};
const coveredQuestions = new Set(['patient.ageGroup', 'lesion.size']);

/**
 * None of PAD's 52 melanomas was reported to bleed. That reflects how its cases were collected, not how melanomas behave,
 * and would lower the score of a bleeding mole: here the hand weight stays.
 */
const isDistrusted = (slug: string, feature: string) => slug === 'melanoma' && feature === 'bleed';

/** What an answer's likelihood is in the usual case. */
type Usually = (likelihood: (of: Likelihoods) => number) => number;

export function createPadTable({ conditions: counted }: LikelihoodFile): FittedTable {
  const conditions = new Map(Object.entries(counted));
  const usually = mixtureOf(conditions);
  return {
    conditions: new Set(conditions.keys()),
    covers(slug, field, value) {
      if (coveredQuestions.has(field)) return true;
      const values = coveredValues[field];
      if (values === undefined || value === undefined) return values !== undefined;
      return values.includes(value) && !(isDistrusted(slug, 'bleed') && value === 'bleeding');
    },
    weigh(slug, answers) {
      const likelihoods = conditions.get(slug);
      if (likelihoods === undefined) return [];
      const contributions = [
        ...weighFeatures(slug, likelihoods, usually, answers),
        ...weighBands(likelihoods, usually, answers),
      ];
      return contributions.filter((contribution) => !(malignant.has(slug) && clears(contribution)));
    },
  };
}

export const padTable = createPadTable(table);

const malignant = new Set(
  catalogue.filter(({ category }) => category === 'malignant').map(({ slug }) => slug),
);

/**
 * An unreported sign never counts against a cancer: patients miss bleeding and change, and PAD's cancers were referred
 * because of such signs. Among PAD's own rows this raises the share of cancers among the first five.
 */
const clears = ({ basis, bits }: Contribution) => basis === 'not_reported' && bits < 0;

function weighFeatures(
  slug: string,
  { bernoulli }: Likelihoods,
  usually: Usually,
  answers: Answers,
): Contribution[] {
  return Object.entries(features).flatMap(([feature, { field, values }]): Contribution[] => {
    const given = answers.values.get(field) ?? [];
    if (!given.some((value) => coveredValues[field]?.includes(value)) || isDistrusted(slug, feature))
      return [];
    const present = given.some((value) => values.includes(value));
    const likelihood = (of: Likelihoods) =>
      (present ? of.bernoulli[feature] : 1 - (of.bernoulli[feature] ?? 0)) ?? 0;
    return [
      {
        field,
        values: present ? values.filter((value) => given.includes(value)) : values,
        bits: logRatio(likelihood({ bernoulli, categorical: {} }), usually(likelihood)),
        basis: present ? 'reported' : 'not_reported',
        source: 'PAD-UFES-20',
      },
    ];
  });
}

/** Age, diameter and region of the body: the share of a table's bands that an answer falls into. */
function weighBands(likelihoods: Likelihoods, usually: Usually, answers: Answers): Contribution[] {
  const bands: [field: string, feature: string, weights: Record<string, number>][] = [
    ['patient.ageGroup', 'age', ageWeights(answers)],
    ['lesion.size', 'diameter', diameterWeights(answers)],
    [LOCATION, 'region', regionWeights(answers.sites)],
  ];
  return bands.flatMap(([field, feature, weights]): Contribution[] => {
    if (Object.keys(weights).length === 0) return [];
    const likelihood = (of: Likelihoods) =>
      Object.entries(weights).reduce(
        (sum, [band, weight]) => sum + weight * (of.categorical[feature]?.[band] ?? 0),
        0,
      );
    return [
      {
        field,
        values: answers.values.get(field) ?? [],
        bits: logRatio(likelihood(likelihoods), usually(likelihood)),
        basis: 'reported',
        source: 'PAD-UFES-20',
      },
    ];
  });
}

/** PAD publishes no background: it is the mean of its six classes under the catalogue's priors. */
function mixtureOf(conditions: ReadonlyMap<string, Likelihoods>): Usually {
  const weighted = catalogue.flatMap(({ slug, prior }) => {
    const likelihoods = conditions.get(slug);
    return likelihoods === undefined ? [] : [{ likelihoods, prior }];
  });
  const mass = weighted.reduce((sum, { prior }) => sum + prior, 0);
  return (likelihood) =>
    weighted.reduce((sum, { likelihoods, prior }) => sum + (prior / mass) * likelihood(likelihoods), 0);
}

/** Half-open, in years. */
export const ageBands: Readonly<Record<string, readonly [from: number, to: number]>> = {
  lt30: [0, 30],
  '30_49': [30, 50],
  '50_64': [50, 65],
  '65_79': [65, 80],
  '80p': [80, 121],
};

/** Assumes equally common years within a band, so that a decade may straddle two. */
function ageWeights(answers: Answers): Record<string, number> {
  const interval =
    answers.ageYears === undefined ? yearsOf(answers) : [answers.ageYears, answers.ageYears + 1];
  const [from, to] = interval;
  if (from === undefined || to === undefined) return {};
  return Object.fromEntries(
    Object.entries(ageBands).flatMap(([band, [start, end]]) => {
      const overlap = Math.min(to, end) - Math.max(from, start);
      return overlap > 0 ? [[band, overlap / (end - start)]] : [];
    }),
  );
}

function yearsOf({ values }: Answers): readonly number[] {
  const [from, last] = (values.get('patient.ageGroup')?.[0]?.match(/\d+/g) ?? []).map(Number);
  return from === undefined ? [] : [from, (last ?? 120) + 1];
}

function diameterWeights({ sizeMm, values }: Answers): Record<string, number> {
  const size = values.get('lesion.size')?.[0];
  if (sizeMm !== undefined) return { [diameterBand(sizeMm)]: 1 };
  return size === undefined ? {} : { [diameterOfSize[size] ?? 'gt_20mm']: 1 };
}

export const diameterBand = (mm: number) => {
  if (mm < 6) return 'lt_6mm';
  if (mm <= 10) return '6_10mm';
  return mm <= 20 ? '10_20mm' : 'gt_20mm';
};

const diameterOfSize: Record<string, string> = {
  under_2_mm: 'lt_6mm',
  from_2_to_6_mm: 'lt_6mm',
  from_7_to_10_mm: '6_10mm',
  from_11_to_20_mm: '10_20mm',
};

/** PAD's regions by our exact site, else by our region; regions that PAD lacks are absent. */
const regions: Record<string, readonly string[]> = {
  head_neck: ['FACE', 'NOSE', 'EAR', 'SCALP', 'LIP', 'NECK'],
  scalp: ['SCALP'],
  nose: ['NOSE'],
  ear: ['EAR'],
  behind_ear: ['EAR'],
  lips: ['LIP'],
  neck_front: ['NECK'],
  neck_side: ['NECK'],
  nape: ['NECK'],
  trunk_front: ['CHEST', 'ABDOMEN'],
  chest: ['CHEST'],
  breast: ['CHEST'],
  under_breast: ['CHEST'],
  collarbone: ['CHEST'],
  trunk_back: ['BACK'],
  arm: ['ARM', 'FOREARM'],
  forearm: ['FOREARM'],
  wrist: ['FOREARM'],
  hand: ['HAND'],
  leg: ['THIGH'],
  foot: ['FOOT'],
};
/** The fallback for a region whose exact site has no entry above. */
const restOf: Record<string, readonly string[]> = {
  head_neck: ['FACE'],
  trunk_front: ['ABDOMEN'],
  arm: ['ARM'],
};

function regionWeights(sites: readonly Site[]): Record<string, number> {
  const named = sites.flatMap(({ primary, secondary }) => {
    if (secondary === undefined) return regions[primary] ?? [];
    return regions[secondary] ?? restOf[primary] ?? regions[primary] ?? [];
  });
  return Object.fromEntries(named.map((region) => [region, 1]));
}
