import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import {
  aged,
  all,
  at,
  category,
  colored,
  complaint,
  eyes,
  feels,
  fever,
  ill,
  immune,
  lesion,
  pregnant,
  since,
  spreading,
  surface,
  swollen,
  symptoms,
  types,
} from './answers.ts';
import type { RuleCases } from './rule-cases.ts';

type Exposures = NonNullable<PartialAnamnesis['exposures']>;
type Region = NonNullable<NonNullable<PartialAnamnesis['locations']>[number]['primary']>;

const on = (...primaries: Region[]): PartialAnamnesis => ({
  locations: primaries.map((primary) => ({ primary })),
});
const exposed = (...recent: NonNullable<Exposures['recent']>): PartialAnamnesis => ({
  exposures: { recent },
});
const been = (travelRegion: NonNullable<Exposures['travelRegion']>): PartialAnamnesis => ({
  exposures: { travelRegion },
});
const near = (contactsAffected: NonNullable<Exposures['contactsAffected']>): PartialAnamnesis => ({
  exposures: { contactsAffected },
});
const has = (
  ...medicalConditions: NonNullable<NonNullable<PartialAnamnesis['history']>['medicalConditions']>
): PartialAnamnesis => ({ history: { medicalConditions } });
const hiv = has('hiv');
const onset = (onsetSpeed: NonNullable<NonNullable<PartialAnamnesis['complaint']>['onsetSpeed']>) =>
  complaint({ onsetSpeed });
const worse = complaint({ progression: 'rapidly_worsening' });
const today = since('one_day');
const week = since('less_than_one_week');
const weeks = since('one_to_four_weeks');
const years = since('more_than_five_years');
const notTested = lesion({ blanching: 'not_tested' });
const legPain = all(on('leg'), feels('pain'));
const newborn: PartialAnamnesis = { patient: { ageYears: 0, ageMonths: 0 } };

/** The rules of the third round, each with the answer that excludes it. */
export const thirdRuleCases: Readonly<Record<string, RuleCases>> = {
  RF90: {
    speaks: [
      all(fever, legPain, types('macule'), colored('red'), notTested, spreading),
      all(ill('chills'), legPain, types('papule'), colored('brown'), notTested, today),
      all(fever, legPain, types('macule'), colored('grey'), notTested, years, worse),
      all(fever, legPain, types('not_sure'), colored('not_sure'), notTested, week),
      all(fever, on('generalized'), feels('pain'), types('macule'), notTested, spreading),
    ],
    isSilent: [
      all(fever, legPain, types('macule'), colored('brown'), lesion({ blanching: 'blanches' }), spreading),
      all(fever, legPain, types('macule'), colored('red'), notTested, week),
      all(fever, legPain, types('patch'), colored('red'), notTested, spreading),
      all(fever, on('leg'), feels('itching'), types('macule'), colored('brown'), notTested, spreading),
      all(
        fever,
        legPain,
        types('macule'),
        colored('brown'),
        notTested,
        years,
        complaint({ progression: 'stable' }),
      ),
      all(ill('fatigue'), legPain, types('macule'), colored('brown'), notTested, spreading),
    ],
  },
  RF91: {
    speaks: [
      all(on('generalized'), feels('itching'), ill('vomiting'), onset('minutes'), today),
      all(on('generalized'), feels('itching'), ill('shortness_of_breath'), onset('hours'), years, worse),
      all(on('hand'), exposed('insect_bite'), ill('abdominal_pain'), onset('minutes'), today),
      all(on('hand'), complaint({ triggers: ['food'], onsetSpeed: 'minutes' }), ill('vomiting'), today),
    ],
    isSilent: [
      all(on('generalized'), feels('itching'), ill('fatigue'), onset('minutes'), today),
      all(on('generalized'), feels('itching'), ill('vomiting'), onset('days'), today),
      all(on('generalized'), feels('pain'), ill('vomiting'), onset('minutes'), today, exposed('none')),
      all(
        on('generalized'),
        feels('itching'),
        ill('vomiting'),
        onset('minutes'),
        years,
        complaint({ progression: 'stable' }),
      ),
    ],
  },
  RF92: {
    speaks: [
      all(fever, been('africa')),
      all(ill('chills'), been('southeast_asia')),
      all(fever, exposed('travel')),
      all(fever, been('oceania')),
    ],
    isSilent: [
      all(fever, been('europe')),
      all(fever, been('none')),
      all(ill('headache'), been('africa')),
      all(fever, exposed('travel'), { exposures: { recent: ['travel'], travelRegion: 'europe' } }),
    ],
  },
  RF93: {
    speaks: [
      all(fever, weeks, has('heart_disease'), ill('fever', 'weight_loss')),
      all(fever, weeks, has('heart_disease'), on('hand')),
      all(ill('fever', 'night_sweats'), since('one_to_three_months'), on('foot')),
      all(ill('chills', 'fatigue'), since('unknown'), has('heart_disease')),
    ],
    isSilent: [
      all(fever, week, has('heart_disease'), ill('fever', 'weight_loss')),
      all(ill('weight_loss'), weeks, has('heart_disease')),
      all(ill('fever', 'headache'), weeks, has('heart_disease'), on('trunk_front')),
      all(ill('fever', 'weight_loss'), weeks, has('none'), on('trunk_front')),
    ],
  },
  RF94: {
    speaks: [
      all(colored('black'), types('ulcer'), swollen('limb'), week),
      all(colored('black'), surface('crusted'), swollen('lymph_nodes'), week),
      all(colored('black'), types('patch', 'bulla'), week, lesion({ count: 'single' })),
      all(colored('black'), types('patch'), feels('pain'), today, worse),
      all(
        colored('black'),
        types('patch'),
        symptoms({ local: ['pain'], painSeverity: 6 }),
        today,
        onset('hours'),
      ),
      all(colored('purple'), types('bulla'), feels('pain'), week),
      all(colored('not_sure'), types('ulcer'), swollen('limb'), week),
      all(colored('grey'), types('ulcer'), swollen('not_sure'), years, worse),
    ],
    isSilent: [
      all(colored('black'), types('nodule'), category('growth_or_mole'), feels('pain'), worse, week),
      all(colored('black'), types('ulcer'), swollen('limb'), years, complaint({ progression: 'stable' })),
      all(colored('red'), types('ulcer'), swollen('limb'), week),
      all(
        colored('purple', 'yellow'),
        types('patch'),
        symptoms({ local: ['tenderness'], painSeverity: 1 }),
        week,
      ),
      all(colored('black'), types('patch'), feels('none'), week, worse),
    ],
  },
  RF95: {
    speaks: [all(newborn, near('household_same_rash')), all(newborn, near('chickenpox_or_shingles'))],
    isSilent: [
      all(newborn, near('none')),
      all({ patient: { ageYears: 0, ageMonths: 6 } }, near('household_same_rash')),
      all(aged(30), near('household_same_rash')),
    ],
  },
  RF96: {
    speaks: [
      all(aged(30), near('meningitis')),
      all(pregnant, near('measles')),
      all(pregnant, near('rubella_or_slapped_cheek')),
      all(immune('transplant'), near('chickenpox_or_shingles')),
      all({ patient: { ageYears: 0, ageMonths: 8 } }, near('measles')),
      all(aged(20), near('measles'), { history: { measlesVaccination: 'none' } }),
    ],
    isSilent: [
      all(
        aged(30),
        immune('normal'),
        { patient: { ageYears: 30, pregnancyStatus: 'not_pregnant' } },
        near('chickenpox_or_shingles'),
      ),
      all(aged(20), near('measles'), { history: { measlesVaccination: 'complete' } }),
      all(pregnant, near('household_itching')),
    ],
  },
  RF97: {
    speaks: [
      all(ill('facial_weakness'), today),
      all(ill('facial_weakness'), week, onset('hours')),
      all(ill('facial_weakness'), years, worse),
      all(ill('facial_weakness'), since('unknown')),
    ],
    isSilent: [
      all(ill('facial_weakness'), weeks, onset('days'), complaint({ progression: 'stable' })),
      all(ill('muscle_weakness'), today),
    ],
  },
  RF98: {
    speaks: [all(ill('facial_weakness'), weeks), all(ill('facial_weakness'), week)],
    isSilent: [all(ill('facial_weakness'), years), all(ill('fatigue'), week)],
  },
  RF99: {
    speaks: [
      all(exposed('cosmetic_injection'), feels('pain'), today),
      all(exposed('cosmetic_injection'), colored('white'), feels('none'), week),
      all(exposed('cosmetic_injection'), feels('none'), worse, years),
      all(exposed('cosmetic_injection'), feels('numbness'), week),
    ],
    isSilent: [
      all(
        exposed('cosmetic_injection'),
        feels('none'),
        colored('pink'),
        ill('none'),
        complaint({ progression: 'stable' }),
        week,
      ),
      all(exposed('new_cosmetic'), feels('pain'), on('trunk_front'), today),
      all(exposed('cosmetic_injection'), feels('pain'), years, complaint({ progression: 'stable' })),
    ],
  },
  RF100: {
    speaks: [
      all(exposed('cosmetic_injection'), eyes('blurred_vision'), today),
      all(exposed('cosmetic_injection'), ill('muscle_weakness'), week),
      all(exposed('cosmetic_injection'), ill('facial_weakness'), week),
    ],
    isSilent: [
      all(exposed('cosmetic_injection'), eyes('none'), ill('none'), today),
      all(exposed('none'), eyes('blurred_vision'), on('trunk_front'), today),
    ],
  },
  RF101: {
    speaks: [
      exposed('snake_bite'),
      all(exposed('snake_bite'), week),
      all(exposed('snake_bite'), years, worse),
    ],
    isSilent: [
      all(exposed('snake_bite'), since('three_to_twelve_months'), complaint({ progression: 'stable' })),
      all(exposed('insect_bite'), category('wound_or_bite')),
    ],
  },
  RF102: {
    speaks: [all(exposed('human_bite'), at('forearm')), all(exposed('needlestick'), today)],
    isSilent: [
      all(exposed('needlestick'), since('three_to_twelve_months'), complaint({ progression: 'stable' })),
      all(exposed('wound_or_cut'), category('wound_or_bite')),
    ],
  },
  RF103: {
    speaks: [
      all(aged(40), hiv, colored('purple'), types('nodule'), feels('none')),
      all(aged(40), hiv, colored('purple'), types('plaque'), feels('none')),
      all(aged(40), hiv, on('head_neck'), lesion({ shape: 'umbilicated' })),
    ],
    isSilent: [
      all(aged(40), has('none'), colored('purple'), types('nodule'), feels('none')),
      all(aged(40), hiv, colored('purple'), types('plaque'), feels('itching')),
      all(aged(40), hiv, colored('red'), types('nodule'), feels('none')),
      all(aged(9), hiv, on('head_neck'), lesion({ shape: 'umbilicated' })),
    ],
  },
  RF104: {
    speaks: [
      all(category('rash'), types('macule'), colored('brown'), notTested, week),
      all(category('pigmentary_problem'), types('macule'), colored('not_sure'), notTested, years, worse),
    ],
    isSilent: [
      all(category('rash'), types('macule'), colored('brown'), lesion({ blanching: 'blanches' }), week),
      all(category('growth_or_mole'), types('macule'), colored('brown'), notTested, week),
      all(category('rash'), types('macule'), colored('pink'), notTested, week),
      all(
        category('rash'),
        types('macule'),
        colored('brown'),
        notTested,
        years,
        complaint({ progression: 'stable' }),
      ),
    ],
  },
};
