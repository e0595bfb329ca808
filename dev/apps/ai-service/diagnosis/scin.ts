import table from '../data/scin-likelihoods.json' with { type: 'json' };
import type { Answers, Site } from './answers.ts';
import { LOCATION } from './catalogue.ts';
import type { Contribution } from './hints.ts';
import { logRatio, type FittedTable, type LikelihoodFile, type Likelihoods } from './fitted.ts';

/** SCIN's yes/no features by the answers that imply them. */
const features: Record<string, Record<string, string>> = {
  'lesion.textures': {
    raised_or_bumpy: 'tex_raised_or_bumpy',
    flat: 'tex_flat',
    rough_or_flaky: 'tex_rough_or_flaky',
    fluid_filled: 'tex_fluid_filled',
  },
  'symptoms.local': {
    itching: 'sym_itching',
    burning: 'sym_burning',
    pain: 'sym_pain',
    bleeding: 'sym_bleeding',
    bothersome_appearance: 'sym_bothersome_appearance',
  },
  'lesion.changes': { size: 'sym_increasing_size', color: 'sym_darkening' },
  'symptoms.systemic': {
    fever: 'sys_fever',
    chills: 'sys_chills',
    fatigue: 'sys_fatigue',
    joint_pain: 'sys_joint_pain',
    mouth_sores: 'sys_mouth_sores',
    shortness_of_breath: 'sys_shortness_of_breath',
  },
  [LOCATION]: {
    head_neck: 'loc_head_or_neck',
    arm: 'loc_arm',
    palm: 'loc_palm',
    back_of_hand: 'loc_back_of_hand',
    trunk_front: 'loc_torso_front',
    trunk_back: 'loc_torso_back',
    groin_genitals: 'loc_genitalia_or_groin',
    buttocks: 'loc_buttocks',
    leg: 'loc_leg',
    top_of_foot: 'loc_foot_top_or_side',
    side_of_foot: 'loc_foot_top_or_side',
    sole: 'loc_foot_sole',
  },
};

/** Features with one of several values, in SCIN's spelling. */
const categories: Record<string, { feature: string; spell: (value: string) => string }> = {
  'complaint.category': {
    feature: 'cat',
    spell: (value) => (value === 'other' ? 'OTHER_ISSUE_DESCRIPTION' : value.toUpperCase()),
  },
  'complaint.duration': { feature: 'dur', spell: (value) => value.toUpperCase() },
  'patient.ageGroup': { feature: 'age', spell: (value) => value.toUpperCase() },
  'patient.gender': { feature: 'sex', spell: (value) => value.toUpperCase() },
};

/** Growths have tables of their own (PAD-UFES-20), counted on far more cases. */
const countedElsewhere = new Set(['squamous_cell_carcinoma', 'actinic_keratosis']);

export function createScinTable({
  background,
  conditions,
}: LikelihoodFile & { background: Likelihoods }): FittedTable {
  const own = new Map(Object.entries(conditions).filter(([slug]) => !countedElsewhere.has(slug)));
  return {
    conditions: new Set(own.keys()),
    covers(_slug, field, value) {
      const categorical = categories[field];
      if (categorical !== undefined) {
        return (
          value === undefined ||
          categorical.spell(value) in (background.categorical[categorical.feature] ?? {})
        );
      }
      const covered = features[field];
      return covered !== undefined && (value === undefined || value in covered || value === 'none');
    },
    weigh(slug, answers) {
      const likelihoods = own.get(slug);
      if (likelihoods === undefined) return [];
      return [
        ...weighFeatures(likelihoods, background, answers),
        ...weighCategories(likelihoods, background, answers),
      ];
    },
  };
}

export const scinTable = createScinTable(table);

function weighFeatures(
  { bernoulli }: Likelihoods,
  background: Likelihoods,
  answers: Answers,
): Contribution[] {
  return Object.entries(features).flatMap(([field, byValue]) => {
    const given = field === LOCATION ? scinPlaces(answers.sites) : (answers.values.get(field) ?? []);
    // SCIN offered only these answers: an answer outside its list does not exclude the others.
    if (!given.some((value) => value in byValue || value === 'none')) return [];
    const reported = new Set(given.map((value) => byValue[value]));
    return [...new Set(Object.values(byValue))].map((feature): Contribution => {
      const present = reported.has(feature);
      const likelihood = bernoulli[feature] ?? 0;
      const usual = background.bernoulli[feature] ?? 0;
      return {
        field,
        values: Object.keys(byValue).filter((value) => byValue[value] === feature),
        bits: present ? logRatio(likelihood, usual) : logRatio(1 - likelihood, 1 - usual),
        basis: present ? 'reported' : 'not_reported',
        source: 'SCIN',
      };
    });
  });
}

function weighCategories(
  { categorical }: Likelihoods,
  background: Likelihoods,
  answers: Answers,
): Contribution[] {
  return Object.entries(categories).flatMap(([field, { feature, spell }]): Contribution[] => {
    const values = answers.values.get(field) ?? [];
    const value = spell(values[0] ?? '');
    const usual = background.categorical[feature]?.[value];
    if (usual === undefined) return [];
    const bits = logRatio(categorical[feature]?.[value] ?? 0, usual);
    return [{ field, values, bits, basis: 'reported', source: 'SCIN' }];
  });
}

/** SCIN divides hand and foot and has no finer sites elsewhere. */
function scinPlaces(sites: readonly Site[]): string[] {
  return sites.flatMap(({ primary, secondary }) => {
    if (primary !== 'hand' && primary !== 'foot') return [primary];
    if (secondary === 'knuckles') return ['back_of_hand'];
    if (secondary === 'heel') return ['sole'];
    return secondary === undefined ? [] : [secondary];
  });
}
