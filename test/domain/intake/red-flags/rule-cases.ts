import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import {
  at,
  started,
  all,
  fever,
  measured,
  takes,
  types,
  surface,
  swollen,
  sores,
  eyes,
  changed,
  colored,
  lesion,
  feels,
  ill,
  screen,
  symptoms,
  since,
  category,
  complaint,
  aged,
  band,
  immune,
  nonBlanching,
  outOfProportion,
  spreading,
  dermatomal,
  eczema,
  pregnant,
  mole,
} from './answers.ts';

/**
 * For every rule, hand-written from its text: small anamneses that meet it, at least one for each of its branches and
 * for each lay word of its findings, and near misses that must not.
 */
export interface RuleCases {
  speaks: PartialAnamnesis[];
  isSilent: PartialAnamnesis[];
}

const recurrent = complaint({ course: 'recurrent' });
const coldSores: PartialAnamnesis = { history: { skinConditions: ['cold_sores'] } };
const bothElbows = { primary: 'arm', secondary: 'elbow', side: 'both' } as const;
const places = (...locations: NonNullable<PartialAnamnesis['locations']>): PartialAnamnesis => ({
  locations,
});
const newMedicine = started('before_problem_3_to_28_days');

/** The rules of the first catalogue; `further-rule-cases.ts` has those that came after. */
export const firstRuleCases: Readonly<Record<string, RuleCases>> = {
  RF01: {
    speaks: [
      screen('difficulty_breathing'),
      screen('throat_tightness'),
      screen('tongue_swelling'),
      screen('noisy_breathing'),
    ],
    isSilent: [screen('fainting'), screen('none'), screen(), ill('shortness_of_breath')],
  },
  RF02: {
    speaks: [
      all(types('wheal'), screen('confusion'), ill('headache'), since('one_day')),
      all(types('wheal'), screen('fainting'), since('one_day')),
      all(types('wheal'), screen('difficulty_breathing'), since('one_day')),
      all(types('wheal'), ill('vomiting'), since('one_day')),
      all(types('wheal'), ill('shortness_of_breath'), since('one_day')),
      all(swollen('lips'), ill('vomiting'), since('one_day')),
      all(swollen('face'), ill('vomiting'), since('one_day')),
      all(swollen('eyelids'), screen('fainting'), since('one_day')),
    ],
    isSilent: [
      all(types('papule'), screen('fainting'), since('one_day')),
      all(swollen('limb'), screen('fainting'), since('one_day')),
      all(types('wheal'), screen('fainting'), since('less_than_one_week')),
    ],
  },
  RF03: {
    speaks: [
      all(swollen('lips'), complaint({ onsetSpeed: 'minutes' }), screen('none')),
      all(swollen('tongue'), complaint({ onsetSpeed: 'hours' }), screen('none')),
      all(swollen('throat'), complaint({ onsetSpeed: 'hours' }), screen('fainting')),
      all(swollen('face'), complaint({ onsetSpeed: 'minutes' }), screen()),
      all(
        swollen('lips'),
        complaint({ onsetSpeed: 'days' }),
        screen('none'),
        takes({ name: 'ibuprofen 400 mg, ramipril' }),
      ),
    ],
    isSilent: [
      all(swollen('eyelids'), complaint({ onsetSpeed: 'minutes' }), screen('none')),
      all(swollen('lips'), complaint({ onsetSpeed: 'days' }), screen('none')),
      all(
        swollen('lips'),
        complaint({ onsetSpeed: 'days' }),
        screen('none'),
        takes({ name: 'vitamins, since April' }),
      ),
      all(swollen('lips'), complaint({ onsetSpeed: 'minutes' }), screen('tongue_swelling')),
    ],
  },
  RF04: {
    speaks: [
      all(sores('mouth'), fever, surface('peeling')),
      all(sores('anus', 'nose'), fever, feels('pain')),
      all(sores('mouth'), started('before_problem_under_72_hours'), feels('pain')),
      all(sores('lips'), started('before_problem_3_to_28_days'), feels('burning')),
      all(sores('eyes'), started('before_problem_4_to_8_weeks'), types('bulla')),
      all(sores('genitals'), fever, types('erosion')),
      all(sores('mouth'), measured(38), surface('peeling_in_sheets')),
      all(sores('lips'), newMedicine, feels('pain'), coldSores, at('lips', 'chest')),
      all(sores('mouth'), newMedicine, feels('pain'), coldSores, at('lips')),
      all(sores('eyes'), newMedicine, feels('pain'), coldSores, at('lips')),
      all(sores('genitals'), newMedicine, types('bulla', 'erosion'), coldSores, at('lips', 'chest')),
    ],
    isSilent: [
      all(sores('lips'), newMedicine, feels('pain'), coldSores, at('lips')),
      all(sores('none'), fever, feels('pain')),
      all(sores('mouth'), started('long_before'), feels('pain')),
      all(sores('mouth'), started('after_problem_started'), feels('pain')),
      all(sores('mouth'), measured(37.9), feels('pain')),
      all(sores('mouth'), fever, feels('itching'), types('vesicle')),
    ],
  },
  RF05: {
    speaks: [
      all(types('bulla'), lesion({ extent: 'from_10_to_30_percent' })),
      all(types('bulla'), lesion({ extent: 'from_30_to_50_percent' })),
      all(surface('peeling_in_sheets'), lesion({ extent: 'from_50_to_90_percent' })),
      all(surface('peeling_in_sheets'), lesion({ extent: 'over_90_percent' })),
    ],
    isSilent: [
      all(types('vesicle'), lesion({ extent: 'over_90_percent' })),
      all(surface('peeling'), lesion({ extent: 'over_90_percent' })),
      all(types('bulla'), lesion({ extent: 'from_1_to_10_percent' })),
      all(types('bulla'), lesion({ extent: 'single_spot' })),
      all(types('bulla'), lesion({ extent: 'unknown' })),
    ],
  },
  RF06: {
    speaks: [
      all(nonBlanching, screen('fainting'), ill('chills'), complaint({ progression: 'rapidly_worsening' })),
      all(nonBlanching, fever),
      all(nonBlanching, measured(38)),
      all(nonBlanching, screen('stiff_neck')),
      all(nonBlanching, screen('confusion')),
      all(nonBlanching, screen('drowsy_child')),
      all(nonBlanching, screen('mottled_or_blue_skin')),
      all(nonBlanching, spreading),
    ],
    isSilent: [
      all(lesion({ blanching: 'blanches' }), fever),
      all(lesion({ blanching: 'not_tested' }), fever),
      all(nonBlanching, measured(37.9)),
    ],
  },
  RF07: {
    speaks: [
      all(nonBlanching, since('one_day')),
      all(nonBlanching, since('less_than_one_week')),
      all(nonBlanching, since('unknown')),
      all(nonBlanching, since('more_than_one_year'), spreading),
      all(nonBlanching, since('one_to_three_months'), fever),
      all(nonBlanching, since('one_to_three_months'), measured(39.2), ill('headache')),
    ],
    isSilent: [
      all(nonBlanching, since('one_to_three_months'), measured(37.9), ill('headache')),
      all(nonBlanching, since('one_to_four_weeks')),
      all(
        nonBlanching,
        since('more_than_one_year'),
        complaint({ onsetSpeed: 'days', progression: 'stable' }),
      ),
      all(lesion({ blanching: 'not_tested' }), since('one_day')),
    ],
  },
  RF08: {
    speaks: [
      all(outOfProportion, colored('red', 'blue'), complaint({ progression: 'rapidly_worsening' })),
      all(symptoms({ painSeverity: 8, local: ['tingling'] }), spreading),
      all(outOfProportion, fever),
      all(outOfProportion, measured(39.5)),
      all(outOfProportion, spreading),
      all(outOfProportion, colored('black')),
      all(outOfProportion, colored('grey')),
      all(symptoms({ painSeverity: 8, local: ['numbness'] }), colored('purple')),
      all(symptoms({ painSeverity: 10, local: ['numbness'] }), spreading),
    ],
    isSilent: [
      all(symptoms({ painCharacter: 'throbbing' }), fever),
      all(symptoms({ painSeverity: 7, local: ['numbness'] }), spreading),
    ],
  },
  RF09: {
    speaks: [
      all(screen('confusion'), lesion({ skinTemperature: 'warm', discharge: 'clear' }), types('erosion')),
      all(screen('fainting', 'stiff_neck', 'drowsy_child'), fever),
      all(screen('confusion'), lesion({ skinTemperature: 'hot' })),
      all(screen('very_fast_heartbeat'), lesion({ discharge: 'pus' })),
      all(screen('mottled_or_blue_skin'), fever),
      all(screen('unable_to_drink'), types('ulcer')),
      all(screen('confusion'), measured(38)),
    ],
    isSilent: [
      all(
        screen('confusion'),
        lesion({
          skinTemperature: 'normal',
          discharge: 'none',
          lesionTypes: ['papule'],
          surfaceChanges: ['none'],
        }),
        ill('none'),
      ),
      all(screen('none'), fever),
    ],
  },
  RF10: {
    speaks: [
      all(lesion({ skinTemperature: 'hot' }), symptoms({ systemic: ['fever'], local: ['burning'] })),
      all(lesion({ skinTemperature: 'warm' }), symptoms({ systemic: ['fever'], local: ['pain'] })),
      all(lesion({ skinTemperature: 'hot' }), symptoms({ systemic: ['chills'], local: ['tenderness'] })),
    ],
    isSilent: [
      all(lesion({ skinTemperature: 'normal' }), symptoms({ systemic: ['fever'], local: ['pain'] })),
      all(lesion({ skinTemperature: 'cool' }), symptoms({ systemic: ['fever'], local: ['pain'] })),
      all(lesion({ skinTemperature: 'hot' }), symptoms({ systemic: ['fatigue'], local: ['pain'] })),
    ],
  },
  RF11: {
    speaks: [
      all(at('eyelid'), ill('chills'), swollen('eyelids')),
      all(at('eyelid'), eyes('pain_on_movement')),
      all(at('around_eye'), eyes('blurred_vision')),
      all(at('eyelid'), fever, swollen('eyelids')),
      all(at('around_eye'), measured(38.2), swollen('eyelids')),
    ],
    isSilent: [
      all(at('forehead'), eyes('pain_on_movement')),
      all(at('eyelid'), eyes('redness', 'pain')),
      all(at('eyelid'), fever, swollen('face')),
    ],
  },
  RF12: {
    speaks: [
      lesion({ extent: 'over_90_percent' }),
      all(lesion({ extent: 'from_50_to_90_percent' }), ill('chills')),
      all(lesion({ extent: 'from_50_to_90_percent' }), ill('fever')),
      all(lesion({ extent: 'from_50_to_90_percent' }), measured(39.2)),
    ],
    isSilent: [
      all(lesion({ extent: 'from_50_to_90_percent' }), ill('fatigue')),
      all(lesion({ extent: 'from_50_to_90_percent' }), measured(37.9), ill('fatigue')),
      all(lesion({ extent: 'from_30_to_50_percent' }), ill('fever', 'chills')),
      all(lesion({ extent: 'unknown' }), ill('fever')),
    ],
  },
  RF13: {
    speaks: [
      all(eczema, types('vesicle'), fever, complaint({ progression: 'slowly_worsening' })),
      all(eczema, types('vesicle'), feels('burning'), spreading),
      all(eczema, types('vesicle'), fever, complaint({ progression: 'rapidly_worsening' })),
      all(eczema, types('erosion'), feels('pain'), spreading),
      all(eczema, types('pustule'), measured(38), spreading),
    ],
    isSilent: [
      all({ history: { skinConditions: ['psoriasis'] } }, types('vesicle'), fever, spreading),
      all(eczema, types('bulla'), fever, spreading),
    ],
  },
  RF14: {
    speaks: [
      all(started('before_problem_4_to_8_weeks'), fever, lesion({ extent: 'from_30_to_50_percent' })),
      all(started('before_problem_4_to_8_weeks'), ill('chills'), swollen('face')),
      all(started('before_problem_3_to_28_days'), fever, swollen('face')),
      all(started('before_problem_4_to_8_weeks'), measured(38), swollen('lymph_nodes')),
      all(started('before_problem_4_to_8_weeks'), fever, lesion({ extent: 'from_50_to_90_percent' })),
      all(started('before_problem_4_to_8_weeks'), fever, lesion({ extent: 'over_90_percent' })),
    ],
    isSilent: [
      all(started('before_problem_under_72_hours'), fever, swollen('face')),
      all(started('long_before'), fever, swollen('face')),
      all(started('before_problem_4_to_8_weeks'), fever, swollen('lips')),
    ],
  },
  RF15: {
    speaks: [
      all(types('vesicle'), at('cheek'), dermatomal),
      all(types('vesicle'), at('forehead'), lesion({ distribution: 'unilateral' })),
      all(types('vesicle'), at('eyelid'), dermatomal),
      all(types('vesicle'), at('around_eye'), eyes('redness')),
      all(types('vesicle'), at('nose'), eyes('pain')),
      all(types('vesicle'), at('nose'), eyes('light_sensitivity')),
      all(types('vesicle'), at('nose'), eyes('blurred_vision')),
      all(types('vesicle'), places({ secondary: 'forehead', side: 'left' }, bothElbows)),
    ],
    isSilent: [
      all(types('vesicle'), places({ secondary: 'forehead', side: 'both' }, { ...bothElbows, side: 'left' })),
      all(
        types('vesicle'),
        places({ secondary: 'forehead', side: 'left' }, { secondary: 'nose', side: 'right' }),
      ),
      all(types('bulla'), at('forehead'), dermatomal),
      all(types('vesicle'), at('nose'), lesion({ distribution: 'symmetrical', arrangement: 'grouped' })),
      all(types('vesicle'), at('nose'), eyes('discharge', 'pain_on_movement')),
    ],
  },
  RF16: {
    speaks: [
      all(types('vesicle'), dermatomal, since('one_day'), aged(50)),
      all(types('vesicle'), dermatomal, since('less_than_one_week'), band('age_50_to_59')),
      all(types('vesicle'), dermatomal, since('one_day'), immune('asplenia')),
      all(types('vesicle'), dermatomal, since('one_day'), immune('unknown')),
      all(types('vesicle'), dermatomal, since('one_day'), aged(70), coldSores, at('ear', 'chin', 'lips')),
      all(types('vesicle'), dermatomal, recurrent, since('one_day'), aged(70), at('chin', 'lips')),
      all(
        types('vesicle'),
        since('one_day'),
        aged(70),
        places({ secondary: 'chest', side: 'left' }, bothElbows),
      ),
    ],
    isSilent: [
      all(
        types('vesicle'),
        since('one_day'),
        aged(70),
        places({ secondary: 'chest', side: 'both' }, bothElbows),
      ),
      all(
        types('vesicle'),
        since('one_day'),
        aged(70),
        places({ secondary: 'knee', side: 'left' }, { ...bothElbows, side: 'right' }),
      ),
      all(
        types('vesicle'),
        lesion({ distribution: 'symmetrical' }),
        since('one_day'),
        aged(70),
        places({ secondary: 'chest', side: 'left' }, bothElbows),
      ),
      all(dermatomal, at('lips'), recurrent, since('one_day'), types('vesicle'), feels('pain'), aged(60)),
      all(dermatomal, at('lips'), coldSores, since('one_day'), types('vesicle'), feels('pain'), aged(60)),
      all(types('vesicle'), dermatomal, since('one_day'), aged(49)),
      all(types('vesicle'), dermatomal, since('one_day'), band('age_40_to_49')),
      all(types('vesicle'), dermatomal, since('one_day'), band('unknown')),
      all(types('vesicle'), dermatomal, since('one_day'), immune('normal')),
      all(types('vesicle'), dermatomal, since('one_to_four_weeks'), aged(80)),
      all(types('vesicle'), lesion({ arrangement: 'linear' }), since('one_day'), aged(80)),
      all(types('papule'), dermatomal, since('one_day'), aged(80)),
    ],
  },
  RF17: {
    speaks: [
      all(immune('transplant'), types('papule'), ill('chills')),
      all(immune('immunosuppressive_medication'), fever),
      all(immune('transplant'), measured(38)),
      all(immune('chemotherapy'), types('vesicle')),
      all(immune('hiv_uncontrolled'), types('ulcer')),
      all(immune('hiv_uncontrolled'), types('plaque'), surface('ulcerated')),
      all(immune('asplenia'), types('purpura')),
      ...['Tacrolimus', 'Rapamycin'].map((name) => all(takes({ name }), fever)),
      ...['Amoxicillin and methotrexate', 'Ibuprofeno y metotrexato', 'Augmentin + Humira'].map((name) =>
        all(immune('normal'), takes({ name }), fever),
      ),
      all(takes({ name: 'Tacrolimus', route: 'oral' }), fever),
      all(takes({ name: 'Adalimumab', route: 'injection' }), fever),
      all(takes({ name: 'Dexamethasone', duration: 'two_to_six_months' }), fever),
      all(takes({ drugClass: 'oral_steroid', name: 'Cream', duration: 'two_to_six_months' }), fever),
      all(takes({ drugClass: 'oral_steroid', route: 'suppository' }), fever),
    ],
    isSilent: [
      all(immune('normal'), fever),
      all(immune('unknown'), fever),
      all(immune('normal'), takes({ name: 'Tacrolimus', route: 'topical' }), fever),
      all(immune('normal'), takes({ name: 'Tacrolimus 0.1% ointment' }), fever),
      all(
        immune('normal'),
        takes({ name: 'Protopic 1 mg/g', drugClass: 'immunosuppressant', route: 'topical' }),
        fever,
      ),
      all(immune('normal'), takes({ name: 'Ciclosporin', route: 'eye_drops' }), fever),
      ...(['eye_drops', 'topical', 'nasal', 'inhaled'] as const).map((route) =>
        all(
          immune('normal'),
          takes({ name: 'Dexamethasone', route, duration: 'more_than_six_months' }),
          fever,
        ),
      ),
      all(immune('normal'), takes({ name: 'Dexametasona colirio', duration: 'more_than_six_months' }), fever),
    ],
  },
  RF18: {
    speaks: [
      all(aged(0), fever),
      all(aged(0), measured(38)),
      all(aged(0), types('vesicle')),
      all(aged(0), types('bulla')),
      all(band('age_0_to_1'), types('purpura')),
    ],
    isSilent: [
      all(aged(1), fever),
      all(band('age_2_to_11'), fever),
      all(band('unknown'), fever),
      all(aged(0), types('papule'), measured(37.9)),
    ],
  },
  RF19: {
    speaks: [
      all(aged(5), surface('peeling'), feels('pain'), sores('anus')),
      all(aged(5), surface('peeling'), feels('pain'), sores('genitals')),
      all(aged(5), surface('peeling'), feels('pain'), sores('eyes')),
      all(aged(5), surface('peeling'), feels('pain'), sores('lips')),
      all(aged(5), surface('peeling'), feels('pain'), sores('nose')),
      all(aged(5), surface('peeling'), feels('pain'), sores('mouth')),
      all(aged(5), surface('peeling'), feels('pain'), sores('none')),
      all(aged(0), surface('peeling_in_sheets'), feels('tenderness'), sores()),
      all(band('age_2_to_11'), surface('peeling'), feels('pain'), sores('none')),
    ],
    isSilent: [
      all(aged(6), surface('peeling'), feels('pain'), sores('none')),
      all(band('age_12_to_17'), surface('peeling'), feels('pain'), sores('none')),
      all(aged(5), surface('scaly'), feels('pain'), sores('none')),
      all(aged(5), surface('peeling'), feels('itching'), sores('none')),
    ],
  },
  RF20: {
    speaks: [
      all(aged(4), fever, since('less_than_one_week'), eyes('pain'), sores('mouth')),
      all(aged(4), ill('chills'), since('less_than_one_week'), eyes('redness')),
      all(aged(4), fever, since('less_than_one_week'), eyes('redness')),
      all(aged(0), measured(38), since('one_to_four_weeks'), sores('lips')),
      all(band('age_2_to_11'), fever, since('unknown'), swollen('hands_or_feet')),
    ],
    isSilent: [
      all(aged(5), fever, since('less_than_one_week'), eyes('redness')),
      all(aged(4), fever, since('one_day'), eyes('redness')),
      all(aged(4), fever, since('less_than_one_week'), swollen('limb')),
    ],
  },
  RF21: {
    speaks: [
      all(
        pregnant,
        category('rash'),
        ill('joint_pain'),
        complaint({ category: 'rash', duration: 'one_day' }),
      ),

      all(pregnant, types('vesicle')),
      all(pregnant, types('vesicle'), recurrent, at('lips', 'chest')),
      all({ patient: { pregnancyWeeks: 28 } }, types('vesicle')),
      all({ patient: { pregnancyWeeks: 28, sexAtBirth: 'female', gender: 'male' } }, types('vesicle')),
      all(pregnant, fever, category('rash')),
      all(pregnant, measured(38), category('rash')),
      all(pregnant, { exposures: { contactsAffected: 'household_same_rash' } }),
    ],
    isSilent: [
      all({ patient: { pregnancyStatus: 'postpartum' } }, types('vesicle')),
      all({ patient: { pregnancyStatus: 'unknown' } }, types('vesicle')),
      all(pregnant, types('vesicle'), recurrent, at('lips')),
      all({ patient: { pregnancyWeeks: 28, sexAtBirth: 'male' } }, types('vesicle')),
      all(pregnant, types('bulla'), category('rash')),
      all(pregnant, fever, category('growth_or_mole')),
      all(pregnant, { exposures: { contactsAffected: 'household_itching' } }),
    ],
  },
  RF22: {
    speaks: [
      all(mole, colored('brown'), feels('itching'), lesion({ colors: ['brown'], differentFromOthers: true })),

      all(mole, changed('size'), lesion({ sizeMm: 7 })),
      all(category('pigmentary_problem'), changed('color'), lesion({ size: 'from_7_to_10_mm' })),
      all(changed('shape', 'inflammation'), colored('brown')),
      all(changed('size', 'sensation'), colored('black')),
      all(changed('size', 'bleeding'), colored('blue')),
    ],
    isSilent: [
      all(
        mole,
        feels('itching'),
        since('more_than_five_years'),
        lesion({ colors: ['brown'], differentFromOthers: true, changes: ['none'] }),
      ),

      all(mole, changed('size')),
      all(mole, changed('size'), lesion({ sizeMm: 6.9 })),
      all(category('rash'), changed('size'), lesion({ sizeMm: 7 })),
      all(changed('size', 'inflammation'), colored('red')),
    ],
  },
  RF23: {
    speaks: [
      all(
        mole,
        lesion({ elevation: 'raised', textures: ['firm_or_hard'], changes: ['size'] }),
        since('one_to_four_weeks'),
      ),
      all(
        mole,
        lesion({ elevation: 'slightly_raised', textures: ['firm_or_hard'], changes: ['size'] }),
        since('one_to_three_months'),
      ),
    ],
    isSilent: [
      all(
        mole,
        lesion({ elevation: 'flat', textures: ['firm_or_hard'], changes: ['size'] }),
        since('one_to_four_weeks'),
      ),
      all(
        mole,
        lesion({ elevation: 'raised', textures: ['soft'], changes: ['size'] }),
        since('one_to_four_weeks'),
      ),
      all(
        mole,
        lesion({ elevation: 'raised', textures: ['firm_or_hard'], changes: ['color'] }),
        since('one_to_four_weeks'),
      ),
      all(
        mole,
        lesion({ elevation: 'raised', textures: ['firm_or_hard'], changes: ['size'] }),
        since('more_than_one_year'),
      ),
      all(
        category('rash'),
        lesion({ elevation: 'raised', textures: ['firm_or_hard'], changes: ['size'] }),
        since('one_to_four_weeks'),
      ),
    ],
  },
  RF24: {
    speaks: [
      all(
        aged(40),
        lesion({ count: 'single' }),
        surface('ulcerated'),
        since('one_to_three_months'),
        category('rash'),
      ),
      all(
        aged(66),
        category('nail_problem'),
        feels('bleeding'),
        complaint({ category: 'nail_problem', duration: 'three_to_twelve_months' }),
        lesion({ count: 'single', lesionTypes: ['nodule'] }),
      ),

      all(
        aged(40),
        lesion({ count: 'two_to_five' }),
        surface('ulcerated'),
        since('one_to_three_months'),
        mole,
      ),
      all(aged(40), lesion({ count: 'single' }), surface('ulcerated'), since('one_to_three_months'), mole),
      all(
        band('age_40_to_49'),
        lesion({ count: 'single' }),
        surface('crusted'),
        since('three_to_twelve_months'),
        category('wound_or_bite'),
      ),
      all(
        aged(90),
        lesion({ count: 'single' }),
        feels('bleeding'),
        since('more_than_one_year'),
        category('other'),
      ),
    ],
    isSilent: [
      all(
        aged(66),
        surface('crusted'),
        feels('itching'),
        complaint({ category: 'nail_problem', duration: 'three_to_twelve_months' }),
        lesion({ count: 'single', surfaceChanges: ['crusted'] }),
      ),

      all(aged(39), lesion({ count: 'single' }), surface('ulcerated'), since('one_to_three_months'), mole),
      all(
        aged(40),
        lesion({ count: 'single' }),
        surface('golden_crust'),
        feels('pain'),
        since('one_to_three_months'),
        mole,
      ),
      all(aged(40), lesion({ count: 'single' }), surface('ulcerated'), since('one_to_four_weeks'), mole),
      all(
        aged(40),
        lesion({ count: 'six_to_twenty' }),
        surface('ulcerated'),
        since('one_to_three_months'),
        category('rash'),
      ),
    ],
  },
  RF25: {
    speaks: [
      all(immune('transplant'), category('rash'), lesion({ count: 'single', changes: ['size'] })),

      all(immune('chemotherapy'), changed('size'), mole),
      all(immune('transplant'), changed('size'), mole),
      all(immune('immunosuppressive_medication'), changed('new_lesion'), mole),
    ],
    isSilent: [
      all(immune('transplant'), changed('color'), mole),
      all(immune('transplant'), changed('size'), category('rash')),
    ],
  },
  RF26: {
    speaks: [
      all(at('sole'), colored('brown'), changed('shape')),
      all(at('sole'), colored('blue'), changed('size')),
      all(at('heel'), colored('brown'), changed('size')),
      all(at('sole'), colored('brown'), changed('size')),
      all(at('palm'), colored('black'), changed('color')),
      all(at('fingernail'), colored('black'), changed('size')),
      all(at('toenail'), colored('brown'), changed('color')),
      lesion({ nailChanges: ['widening_dark_streak'] }),
    ],
    isSilent: [lesion({ nailChanges: ['dark_streak'] })],
  },
  RF27: {
    speaks: [
      all(surface('shiny_pearly'), since('more_than_five_years')),
      all(surface('shiny_pearly'), since('three_to_twelve_months')),
      all(surface('shiny_pearly'), since('more_than_one_year')),
    ],
    isSilent: [
      all(surface('crusted'), since('more_than_one_year')),
      all(surface('shiny_pearly'), since('one_to_three_months')),
    ],
  },
  RF28: {
    speaks: [
      all(
        category('rash'),
        since('one_to_four_weeks'),
        lesion({ shape: 'ring', sizeMm: 110, surfaceChanges: ['none'] }),
      ),

      all({ exposures: { recent: ['insect_bite'] } }, lesion({ shape: 'ring', size: 'over_50_mm' })),
      all({ exposures: { recent: ['tick_bite'] } }, lesion({ shape: 'ring', size: 'from_11_to_20_mm' })),
      all({ exposures: { recent: ['tick_bite'] } }, lesion({ shape: 'oval', size: 'over_50_mm' })),
      all({ exposures: { recent: ['tick_bite'] } }, lesion({ shape: 'ring', size: 'from_21_to_50_mm' })),
      all({ exposures: { recent: ['tick_bite'] } }, lesion({ changes: ['size'], size: 'over_50_mm' })),
    ],
    isSilent: [
      all(
        { exposures: { recent: ['insect_bite'] } },
        lesion({ shape: 'ring', size: 'over_50_mm', changes: ['none'] }),
        complaint({ progression: 'stable' }),
      ),
      all(
        { exposures: { recent: ['tick_bite'] } },
        lesion({
          shape: 'oval',
          arrangement: 'isolated',
          colorPattern: 'uniform',
          size: 'from_2_to_6_mm',
          changes: ['none'],
        }),
      ),
    ],
  },
  RF29: {
    speaks: [
      all(types('purpura'), ill('joint_pain')),
      all(types('purpura'), ill('abdominal_pain')),
      all(types('purpura'), ill('dark_urine')),
    ],
    isSilent: [
      all(types('macule'), ill('joint_pain')),
      all(types('purpura'), ill('fever', 'muscle_weakness')),
    ],
  },
  RF30: {
    speaks: [
      all(lesion({ distribution: 'palms_and_soles' }), { exposures: { recent: ['new_sexual_partner'] } }),
      all(lesion({ distribution: 'palms_and_soles' }), sores('genitals')),
    ],
    isSilent: [
      all(lesion({ distribution: 'generalized' }), sores('genitals')),
      all(aged(5), lesion({ distribution: 'palms_and_soles' }), sores('mouth')),
      all(
        aged(30),
        lesion({ distribution: 'palms_and_soles' }),
        types('vesicle'),
        sores('mouth'),
        since('one_day'),
      ),
      all(lesion({ distribution: 'palms_and_soles' }), { exposures: { recent: ['travel'] } }),
    ],
  },
  RF31: {
    speaks: [symptoms({ painSeverity: 8 }), symptoms({ painSeverity: 10 })],
    isSilent: [symptoms({ painSeverity: 7 }), symptoms({ itchSeverity: 10 })],
  },
  RF32: {
    speaks: [complaint({ impact: 'thoughts_of_self_harm' })],
    isSilent: [complaint({ impact: 'severe' })],
  },
  RF33: {
    speaks: [
      screen('fainting'),
      screen('confusion'),
      screen('stiff_neck'),
      screen('very_fast_heartbeat'),
      screen('mottled_or_blue_skin'),
      screen('unable_to_drink'),
      screen('drowsy_child'),
    ],
    isSilent: [screen('none'), screen()],
  },
};
