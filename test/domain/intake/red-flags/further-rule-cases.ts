import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import {
  aged,
  all,
  at,
  band,
  category,
  changed,
  colored,
  complaint,
  eyes,
  feels,
  fever,
  ill,
  immune,
  lesion,
  measured,
  mole,
  pregnant,
  screen,
  since,
  sores,
  started,
  surface,
  swollen,
  symptoms,
  takes,
  types,
} from './answers.ts';
import type { RuleCases } from './rule-cases.ts';

type Region = NonNullable<NonNullable<PartialAnamnesis['locations']>[number]['primary']>;

const on = (...primaries: Region[]): PartialAnamnesis => ({
  locations: primaries.map((primary) => ({ primary })),
});
const exposed = (
  ...recent: NonNullable<NonNullable<PartialAnamnesis['exposures']>['recent']>
): PartialAnamnesis => ({ exposures: { recent } });
const has = (
  ...medicalConditions: NonNullable<NonNullable<PartialAnamnesis['history']>['medicalConditions']>
): PartialAnamnesis => ({ history: { medicalConditions } });
const grows = (progression: NonNullable<NonNullable<PartialAnamnesis['complaint']>['progression']>) =>
  complaint({ progression });
const wide = lesion({ extent: 'from_10_to_30_percent' });
const leftCalf = { primary: 'leg', secondary: 'calf', side: 'left' } as const;
const leftElbow = { primary: 'arm', secondary: 'elbow', side: 'left' } as const;
const bothElbows = { ...leftElbow, side: 'both' } as const;
const rash = category('rash');
const week = since('less_than_one_week');

/** Rules that came with the guidelines which had none. */
export const furtherRuleCases: Readonly<Record<string, RuleCases>> = {
  RF34: {
    speaks: [
      all(rash, types('pustule'), wide, week, fever),
      all(
        rash,
        types('pustule'),
        lesion({ count: 'more_than_twenty' }),
        week,
        started('before_problem_under_72_hours'),
      ),
      all(rash, types('pustule'), lesion({ distribution: 'generalized' }), since('one_day'), ill('chills')),
    ],
    isSilent: [
      all(category('growth_or_mole'), types('pustule'), wide, week, fever),
      all(
        rash,
        types('pustule'),
        lesion({ count: 'six_to_twenty', extent: 'less_than_1_percent' }),
        week,
        fever,
      ),
      all(rash, types('pustule'), wide, since('one_to_three_months'), fever),
      all(rash, types('pustule'), wide, week, ill('none'), takes()),
    ],
  },
  RF35: {
    speaks: [
      all(rash, started('before_problem_3_to_28_days'), week, wide),
      all(rash, takes({ name: 'Amoxicillin', duration: 'less_than_one_week' }), week, wide),
      all(rash, complaint({ triggers: ['medication'] }), week, wide),
    ],
    isSilent: [
      all(rash, started('long_before'), week, wide),
      all(rash, takes({ name: 'Ointment', drugClass: 'moisturizer' }), week, wide),
      all(rash, takes({ name: 'para la cefalea', duration: 'less_than_one_week' }), week, wide),
      all(rash, started('before_problem_3_to_28_days'), week, lesion({ extent: 'single_spot' })),
    ],
  },
  RF36: {
    speaks: [
      all(rash, fever, wide, week, aged(30)),
      all(rash, ill('chills'), on('arm', 'leg', 'trunk_front', 'trunk_back'), since('one_day'), aged(16)),
    ],
    isSilent: [
      all(rash, fever, wide, week, aged(5)),
      all(rash, ill('fatigue'), wide, week, aged(30)),
      all(rash, fever, wide, since('more_than_one_year'), aged(30)),
    ],
  },
  RF37: {
    speaks: [
      all(on('mouth'), exposed('insect_bite')),
      all(on('head_neck'), exposed('insect_bite'), swollen('throat'), since('one_day')),
    ],
    isSilent: [all(on('arm'), exposed('insect_bite')), all(on('mouth'), exposed('new_food'))],
  },
  RF38: {
    speaks: [
      all(at('scrotum'), feels('pain'), fever, since('one_day'), grows('rapidly_worsening')),
      all(at('vulva'), feels('tenderness'), measured(38.5), week, swollen('genitals')),
      all(at('perineum'), feels('burning'), ill('chills'), week, colored('black')),
    ],
    isSilent: [
      all(at('groin_fold'), feels('pain'), fever, since('one_day'), grows('rapidly_worsening')),
      all(at('penis'), feels('itching'), fever, since('one_day'), grows('rapidly_worsening')),
      all(at('scrotum'), feels('pain'), ill('none'), since('one_day'), grows('rapidly_worsening')),
    ],
  },
  RF39: {
    speaks: [
      all(
        fever,
        symptoms({ systemic: ['fever', 'shortness_of_breath'], local: ['pain'] }),
        lesion({ skinTemperature: 'hot' }),
      ),
      all(
        symptoms({ systemic: ['chills', 'shortness_of_breath'], local: ['tenderness'] }),
        grows('rapidly_worsening'),
      ),
    ],
    isSilent: [
      all(symptoms({ systemic: ['fever'], local: ['pain'] }), lesion({ skinTemperature: 'hot' })),
      all(
        symptoms({ systemic: ['fever', 'shortness_of_breath'], local: ['none'] }),
        lesion({ skinTemperature: 'hot' }),
      ),
    ],
  },
  RF40: {
    speaks: [
      all(
        feels('pain'),
        lesion({ skinTemperature: 'hot' }),
        since('more_than_one_year'),
        grows('rapidly_worsening'),
      ),
      all(
        feels('tenderness'),
        lesion({ shape: 'linear', swellingSites: ['lymph_nodes'] }),
        week,
        grows('improving'),
      ),
      all(
        feels('pain'),
        lesion({ skinTemperature: 'hot', discharge: 'pus', swellingSites: ['hands_or_feet'] }),
        on('hand'),
        week,
        grows('improving'),
      ),
      all(feels('pain'), lesion({ skinTemperature: 'warm' }), since('one_day'), grows('rapidly_worsening')),
      all(
        feels('burning'),
        lesion({ skinTemperature: 'hot', colors: ['red'], swellingSites: ['face'] }),
        on('head_neck'),
        week,
      ),
    ],
    isSilent: [
      all(
        feels('itching'),
        lesion({ skinTemperature: 'warm' }),
        since('one_day'),
        grows('rapidly_worsening'),
      ),
      all(
        feels('tenderness'),
        lesion({ skinTemperature: 'warm' }),
        since('one_day'),
        grows('stable'),
        on('hand'),
      ),
      all(
        feels('pain'),
        lesion({ skinTemperature: 'hot' }),
        since('more_than_one_year'),
        grows('slowly_worsening'),
      ),
    ],
  },
  RF41: {
    speaks: [
      all(immune('chemotherapy'), fever),
      all(immune('asplenia'), measured(38)),
      all(takes({ name: 'Docetaxel' }), ill('chills')),
      all(takes({ drugClass: 'chemotherapy' }), measured(38.4)),
      ...['Fluorouracil', 'Fluorouracil 5 %', 'Bleomycin', 'Mitomicina', 'Amoxicillin; capecitabine'].map(
        (name) => all(takes({ name }), fever),
      ),
      all(takes({ name: 'Fluorouracil', route: 'injection' }), fever),
      all(takes({ name: 'Fluorouracil cream', route: 'oral' }), fever),
      ...['Capecitabine, cortisone cream', 'Capecitabina y crema', 'Capecitabine 500 mg cortisone cream'].map(
        (name) => all(takes({ name }), fever),
      ),
    ],
    isSilent: [
      all(immune('transplant'), fever),
      all(immune('chemotherapy'), ill('fatigue')),
      all(immune('normal'), takes({ name: 'Fluorouracil 5 %', route: 'topical' }), fever),
      all(immune('normal'), takes({ drugClass: 'chemotherapy', route: 'topical' }), fever),
      ...['Fluorouracil 0,5 % cream', 'Fluorouracilo crema', 'Fluorouracil קרם', 'Fluorouracil كريم'].map(
        (name) => all(immune('normal'), takes({ name }), fever),
      ),
    ],
  },
  RF42: {
    speaks: [
      all(fever, wide, week, types('patch'), colored('red'), screen('fainting')),
      all(symptoms({ systemic: ['fever', 'vomiting'] }), wide, since('one_day'), types('macule'), aged(24)),
    ],
    isSilent: [
      all(
        symptoms({ systemic: ['fever', 'vomiting'] }),
        wide,
        week,
        types('vesicle'),
        aged(24),
        screen('none'),
      ),
      all(symptoms({ systemic: ['fever'] }), wide, week, types('macule'), aged(24), screen('none')),
      all(
        symptoms({ systemic: ['fever', 'vomiting'] }),
        lesion({ extent: 'single_spot' }),
        week,
        types('macule'),
        aged(24),
      ),
    ],
  },
  RF43: {
    speaks: [
      all(exposed('animal_bite'), lesion({ discharge: 'pus' })),
      all(exposed('animal_bite'), lesion({ skinTemperature: 'hot' }), since('one_day')),
      all(exposed('animal_bite'), feels('tenderness'), grows('rapidly_worsening')),
    ],
    isSilent: [
      all(exposed('insect_bite'), category('wound_or_bite'), lesion({ skinTemperature: 'hot' })),
      all(
        exposed('animal_bite'),
        lesion({ skinTemperature: 'normal', discharge: 'none' }),
        ill('none'),
        feels('none'),
        grows('improving'),
      ),
    ],
  },
  RF44: {
    speaks: [
      all(exposed('animal_bite'), { exposures: { recent: ['animal_bite'], travelRegion: 'south_asia' } }),
    ],
    isSilent: [
      { exposures: { recent: ['animal_bite'], travelRegion: 'none' } },
      { exposures: { recent: ['insect_bite'], travelRegion: 'africa' } },
    ],
  },
  RF45: {
    speaks: [
      all(on('foot'), types('ulcer'), has('diabetes')),
      all(on('foot'), category('wound_or_bite'), has('diabetes')),
      all(on('foot'), feels('pain'), lesion({ skinTemperature: 'warm' }), has('diabetes')),
      all(at('toenail'), lesion({ discharge: 'pus' }), has('diabetes')),
    ],
    isSilent: [
      all(on('leg'), types('ulcer'), has('diabetes')),
      all(on('foot'), types('ulcer'), has('none')),
      all(
        on('foot'),
        types('patch'),
        surface('scaly'),
        rash,
        feels('itching'),
        lesion({ skinTemperature: 'normal' }),
        has('diabetes'),
      ),
    ],
  },
  RF46: {
    speaks: [
      all(on('foot'), types('ulcer'), has('diabetes'), fever),
      all(on('foot'), colored('black'), has('diabetes')),
    ],
    isSilent: [
      all(on('foot'), types('ulcer'), has('diabetes'), ill('none'), colored('red'), grows('stable')),
    ],
  },
  RF47: {
    speaks: [
      all(types('ulcer'), feels('pain'), grows('rapidly_worsening')),
      all(surface('ulcerated'), feels('burning'), grows('spreading_within_hours')),
    ],
    isSilent: [
      all(types('ulcer'), feels('none'), grows('rapidly_worsening')),
      all(types('ulcer'), feels('pain'), grows('slowly_worsening')),
    ],
  },
  RF48: {
    speaks: [
      all(
        on('leg'),
        lesion({ skinTemperature: 'cool', colors: ['white'] }),
        symptoms({ local: ['pain'], painSeverity: 8 }),
        since('one_day'),
      ),
      all(on('foot'), lesion({ skinTemperature: 'cool', colors: ['blue'] }), feels('numbness'), week),
    ],
    isSilent: [
      all(
        on('hand'),
        lesion({ skinTemperature: 'cool', colors: ['white'] }),
        feels('numbness'),
        since('more_than_one_year'),
      ),
      all(
        on('hand'),
        lesion({ skinTemperature: 'cool', colors: ['white'] }),
        feels('numbness'),
        complaint({ duration: 'one_day', course: 'recurrent' }),
      ),
      all(
        on('leg'),
        lesion({ skinTemperature: 'warm', colors: ['red'] }),
        feels('numbness'),
        since('one_day'),
      ),
    ],
  },
  RF49: {
    speaks: [
      {
        ...all(swollen('limb'), feels('pain'), week),
        locations: [{ primary: 'leg', secondary: 'calf', side: 'left' }],
      },
      { ...all(swollen('limb'), feels('pain'), week), locations: [leftCalf, bothElbows] },
      {
        ...all(swollen('limb'), feels('pain'), week),
        locations: [{ secondary: 'calf', side: 'left' }, bothElbows],
      },
      {
        ...all(
          swollen('limb'),
          feels('tenderness'),
          since('one_day'),
          lesion({ swellingSites: ['limb'], distribution: 'unilateral' }),
        ),
        locations: [{ primary: 'leg' }],
      },
      {
        ...all(swollen('limb'), feels('pain'), week),
        locations: [leftCalf, { primary: 'foot', side: 'right' }],
      },
      { ...all(swollen('limb'), feels('pain'), week), locations: [leftElbow] },
      {
        ...all(swollen('limb'), feels('pain', 'itching'), exposed('insect_bite'), types('wheal'), week),
        locations: [leftCalf],
      },
      {
        ...all(swollen('limb'), feels('pain'), week, grows('rapidly_worsening')),
        locations: [{ primary: 'leg', side: 'both' }],
      },
      {
        ...all(swollen('not_sure'), feels('pain'), types('no_visible_lesion'), week),
        locations: [leftCalf],
      },
    ],
    isSilent: [
      {
        ...all(swollen('limb'), feels('pain', 'itching'), exposed('insect_bite'), types('wheal'), week),
        locations: [leftElbow],
      },
      { ...all(swollen('limb'), feels('pain'), week), locations: [{ primary: 'leg', side: 'both' }] },
      { ...all(swollen('limb'), feels('pain'), week), locations: [{ primary: 'leg' }, leftElbow] },
      {
        ...all(swollen('limb'), feels('pain'), since('more_than_one_year')),
        locations: [{ primary: 'leg', side: 'left' }],
      },
      { ...all(swollen('limb'), feels('itching'), week), locations: [{ primary: 'leg', side: 'left' }] },
    ],
  },
  RF50: {
    speaks: [all(on('leg'), feels('bleeding'), since('one_day'), has('venous_insufficiency'))],
    isSilent: [
      all(on('leg'), feels('bleeding'), since('one_day'), has('none')),
      all(on('arm'), feels('bleeding'), since('one_day'), has('venous_insufficiency')),
    ],
  },
  RF51: {
    speaks: [
      all(types('bulla'), since('one_to_three_months'), aged(78)),
      all(types('erosion'), ill('mouth_sores'), since('one_to_four_weeks'), aged(55)),
    ],
    isSilent: [
      all(types('bulla'), since('one_day'), aged(78)),
      all(types('bulla'), since('one_to_four_weeks'), exposed('insect_bite')),
      all(types('bulla'), complaint({ duration: 'one_to_four_weeks', triggers: ['friction_or_pressure'] })),
      all(types('vesicle'), since('one_to_three_months'), aged(78)),
    ],
  },
  RF52: {
    speaks: [all(types('bulla'), since('one_to_three_months'), wide)],
    isSilent: [
      all(types('bulla'), since('one_day'), wide),
      all(types('bulla'), since('one_to_three_months'), lesion({ extent: 'single_spot' })),
    ],
  },
  RF53: {
    speaks: [
      all(aged(0), measured(35.8)),

      all(aged(0), measured(38)),
      all(aged(0), fever),
      all({ patient: { ageYears: 0, ageMonths: 2 } }, ill('chills')),
    ],
    isSilent: [
      all(aged(0), measured(36.5), ill('none')),

      all({ patient: { ageYears: 0, ageMonths: 3 } }, measured(39)),
      all(aged(0), fever, measured(37.9)),
      all(aged(1), measured(39)),
    ],
  },
  RF54: {
    speaks: [
      all({ patient: { ageYears: 0, ageMonths: 0 } }, types('vesicle')),
      all({ patient: { ageMonths: 0 } }, types('erosion')),
    ],
    isSilent: [
      all({ patient: { ageYears: 0, ageMonths: 1 } }, types('vesicle')),
      all(aged(0), types('vesicle')),
    ],
  },
  RF55: {
    speaks: [all({ patient: { ageYears: 0, ageMonths: 0 } }, types('pustule'))],
    isSilent: [
      all({ patient: { ageYears: 0, ageMonths: 4 } }, types('pustule')),
      all({ patient: { ageYears: 0, ageMonths: 0 } }, types('papule')),
    ],
  },
  RF56: {
    speaks: [
      all(aged(0), colored('purple', 'blue'), types('patch'), since('one_day')),
      all(
        { patient: { ageYears: 0, babyMobility: 'not_yet' } },
        colored('blue'),
        since('less_than_one_week'),
      ),
    ],
    isSilent: [
      all(
        { patient: { ageYears: 0, babyMobility: 'moves_alone' } },
        colored('blue'),
        types('patch'),
        since('one_day'),
      ),
      all(aged(0), colored('blue', 'grey'), types('patch'), since('since_childhood')),
      all(aged(3), colored('purple', 'blue'), types('patch'), since('one_day')),
    ],
  },
  RF57: {
    speaks: [
      all(aged(6), fever, eyes('redness'), week, types('macule'), wide),
      all(
        { history: { measlesVaccination: 'none' } },
        measured(39),
        since('one_day'),
        types('papule'),
        at('face'),
      ),
    ],
    isSilent: [
      all(fever, eyes('none'), { history: { measlesVaccination: 'complete' } }, week, types('macule'), wide),
      all(fever, eyes('redness'), week, types('vesicle'), wide),
      all(ill('none'), eyes('redness'), week, types('macule'), wide),
    ],
  },
  RF58: {
    speaks: [
      all(aged(6), symptoms({ systemic: ['fever', 'sore_throat'] }), week, rash, wide),
      all(
        aged(6),
        symptoms({ systemic: ['fever', 'sore_throat'] }),
        week,
        rash,
        lesion({ textures: ['rough_or_flaky'] }),
      ),
    ],
    isSilent: [
      all(
        aged(15),
        symptoms({ systemic: ['fever', 'sore_throat'] }),
        since('more_than_five_years'),
        rash,
        wide,
      ),
      all(aged(30), symptoms({ systemic: ['fever', 'sore_throat'] }), week, rash, wide),
      all(aged(6), symptoms({ systemic: ['fever'] }), week, rash, wide),
    ],
  },
  RF59: {
    speaks: [
      all(aged(0), types('nodule'), colored('red'), changed('size'), at('eyelid')),
      all(aged(0), types('plaque', 'ulcer'), colored('red'), changed('size'), at('chest')),
    ],
    isSilent: [
      all(aged(0), types('nodule'), colored('red'), changed('size'), at('chest'), surface('none')),
      all(aged(4), types('nodule'), colored('red'), changed('size'), at('eyelid')),
    ],
  },
  RF60: {
    speaks: [
      all(pregnant, takes({ drugClass: 'retinoid', route: 'oral' })),
      all(pregnant, takes({ name: 'Isotretinoin 20 mg' })),
      all(pregnant, takes({ name: 'Roaccutane', drugClass: 'other' })),
    ],
    isSilent: [
      all(pregnant, takes({ drugClass: 'retinoid', route: 'topical' })),
      all({ patient: { gender: 'male' } }, takes({ drugClass: 'retinoid', route: 'oral' })),
      all({ patient: { pregnancyStatus: 'not_pregnant' } }, takes({ drugClass: 'retinoid' })),
      all(pregnant, category('acne'), takes()),
    ],
  },
  RF61: {
    speaks: [
      all(pregnant, feels('itching'), types('no_visible_lesion')),
      all(pregnant, feels('itching'), at('palm'), types('no_visible_lesion')),
      all(pregnant, feels('itching'), lesion({ distribution: 'palms_and_soles' })),
    ],
    isSilent: [
      all(
        pregnant,
        feels('itching'),
        types('papule', 'plaque'),
        surface('scaly'),
        lesion({ lesionTypes: ['papule', 'plaque'], distribution: 'symmetrical' }),
        on('trunk_front'),
      ),
      all(pregnant, feels('pain'), types('no_visible_lesion')),
      all(
        { patient: { pregnancyStatus: 'pregnant', pregnancyWeeks: 10 } },
        feels('itching'),
        types('no_visible_lesion'),
      ),
    ],
  },
  RF62: {
    speaks: [
      all(on('head_neck'), eyes('pain')),
      all(at('cheek'), eyes('light_sensitivity'), week),
      all(eyes('blurred_vision'), since('one_day')),
    ],
    isSilent: [
      all(on('head_neck'), eyes('redness', 'discharge')),
      all(on('head_neck'), eyes('pain'), since('more_than_one_year')),
    ],
  },
  RF63: {
    speaks: [
      all(at('nose'), surface('shiny_pearly')),
      all(at('eyelid'), lesion({ border: 'rolled_raised' }), since('more_than_one_year')),
    ],
    isSilent: [
      all(at('cheek'), surface('shiny_pearly')),
      all(at('nose'), surface('shiny_pearly'), since('one_day')),
    ],
  },
  RF64: {
    speaks: [
      {
        ...all(surface('scaly', 'crusted'), aged(56), since('three_to_twelve_months')),
        locations: [{ primary: 'trunk_front', secondary: 'breast', side: 'left' }, bothElbows],
      },
      {
        ...all(surface('scaly', 'crusted'), aged(56), since('three_to_twelve_months')),
        locations: [{ primary: 'trunk_front', secondary: 'breast', side: 'left' }],
      },
      { ...all(types('erosion'), aged(60)), locations: [{ primary: 'trunk_front', secondary: 'nipple' }] },
    ],
    isSilent: [
      {
        ...all(surface('scaly'), aged(56)),
        locations: [{ primary: 'trunk_front', secondary: 'under_breast', side: 'both' }],
      },
      {
        ...all(surface('scaly'), aged(56)),
        locations: [{ primary: 'trunk_front', secondary: 'breast', side: 'both' }],
      },
      {
        ...all(surface('scaly'), aged(20)),
        locations: [{ primary: 'trunk_front', secondary: 'breast', side: 'left' }],
      },
    ],
  },
  RF65: {
    speaks: [
      all(rash, ill('muscle_weakness'), since('one_to_three_months')),
      {
        ...all(rash, colored('purple'), since('one_to_three_months'), ill('fatigue')),
        locations: [
          { primary: 'head_neck', secondary: 'eyelid' },
          { primary: 'hand', secondary: 'knuckles' },
        ],
      },
    ],
    isSilent: [
      all(rash, ill('fatigue'), on('arm'), since('one_to_three_months')),
      all(rash, ill('muscle_weakness'), since('one_day')),
    ],
  },
  RF66: {
    speaks: [
      all(on('mouth'), types('ulcer'), since('one_to_three_months')),
      all(sores('mouth'), ill('mouth_sores'), since('three_to_twelve_months')),
    ],
    isSilent: [
      all(on('mouth'), types('ulcer'), since('one_day')),
      all(on('mouth'), types('ulcer'), complaint({ duration: 'one_to_three_months', course: 'recurrent' })),
      all(on('arm'), types('ulcer'), since('one_to_three_months'), sores('none')),
    ],
  },
  RF67: {
    speaks: [
      all(on('groin_genitals'), types('ulcer')),

      all(at('vulva'), types('ulcer')),
      all(at('penis'), types('nodule')),
      all(at('perianal'), feels('bleeding'), since('one_to_three_months')),
    ],
    isSilent: [
      all(on('groin_genitals'), types('papule'), feels('itching')),

      all(at('pubic_area'), types('ulcer')),
      all(at('vulva'), types('patch'), surface('none'), feels('itching')),
    ],
  },
  RF68: {
    speaks: [
      all(ill('night_sweats'), since('more_than_five_years'), swollen('lymph_nodes')),

      all(ill('weight_loss'), since('one_to_three_months')),
      all(ill('night_sweats'), since('three_to_twelve_months')),
    ],
    isSilent: [
      all(ill('night_sweats'), since('since_childhood'), swollen('none'), types('plaque'), surface('scaly')),
      all(ill('weight_loss'), since('one_day')),
      all(ill('fatigue'), since('one_to_three_months')),
    ],
  },
  RF69: {
    speaks: [
      all(category('acne'), fever, grows('rapidly_worsening')),
      all(category('acne'), ill('joint_pain'), types('ulcer')),
      all(category('acne'), ill('chills'), feels('tenderness')),
    ],
    isSilent: [
      all(category('acne'), ill('none'), grows('rapidly_worsening')),
      all(rash, fever, grows('rapidly_worsening')),
    ],
  },
  RF70: {
    speaks: [
      all(grows('rapidly_worsening'), feels('pain')),
      all(grows('spreading_within_hours'), fever, since('one_day')),
    ],
    isSilent: [
      all(grows('slowly_worsening'), feels('pain')),
      all(grows('rapidly_worsening'), feels('itching'), ill('none')),
      all(grows('rapidly_worsening'), feels('pain'), since('more_than_one_year')),
    ],
  },
  RF71: {
    speaks: [
      all(swollen('tongue'), since('one_day')),
      all(swollen('throat'), complaint({ onsetSpeed: 'minutes' })),
      all(swollen('tongue', 'lips'), week, grows('rapidly_worsening')),
    ],
    isSilent: [
      all(swollen('lips'), since('one_day')),
      all(swollen('tongue'), since('more_than_one_year'), grows('stable')),
    ],
  },
  RF72: {
    speaks: [
      all(
        on('head_neck'),
        swollen('eyelids'),
        feels('tenderness'),
        lesion({ skinTemperature: 'warm', swellingSites: ['eyelids'] }),
      ),
      all(at('eyelid'), swollen('eyelids'), feels('pain'), grows('rapidly_worsening')),
    ],
    isSilent: [
      all(
        on('head_neck'),
        swollen('eyelids'),
        feels('itching'),
        lesion({ skinTemperature: 'warm', swellingSites: ['eyelids'] }),
      ),
      all(
        on('head_neck'),
        swollen('eyelids'),
        feels('pain'),
        lesion({ skinTemperature: 'normal', swellingSites: ['eyelids'] }),
        grows('stable'),
      ),
    ],
  },
  RF73: {
    speaks: [
      all(exposed('animal_bite'), on('head_neck'), since('one_day')),
      all(exposed('animal_bite'), on('hand'), week),
    ],
    isSilent: [
      all(exposed('animal_bite'), on('leg'), since('one_day')),
      all(exposed('insect_bite'), on('hand'), since('one_day')),
    ],
  },
  RF74: {
    speaks: [
      all(on('leg'), feels('tenderness'), has('venous_insufficiency'), lesion({ skinTemperature: 'warm' })),
      all(on('leg'), feels('pain'), lesion({ arrangement: 'linear' }), since('one_day')),
      all({ locations: [leftCalf, bothElbows] }, feels('pain'), lesion({ arrangement: 'linear' })),
    ],
    isSilent: [
      all(on('leg'), feels('itching'), has('venous_insufficiency'), lesion({ skinTemperature: 'warm' })),
      all(
        on('leg'),
        feels('pain'),
        has('venous_insufficiency'),
        lesion({ skinTemperature: 'warm' }),
        since('more_than_one_year'),
      ),
    ],
  },
  RF75: {
    speaks: [
      all(exposed('tick_bite'), ill('muscle_weakness')),
      all(exposed('tick_bite'), ill('muscle_weakness'), since('one_to_four_weeks')),
    ],
    isSilent: [
      all(exposed('tick_bite'), ill('fatigue')),
      all(exposed('insect_bite'), ill('muscle_weakness')),
    ],
  },
  RF76: {
    speaks: [
      all(surface('peeling_in_sheets'), feels('burning'), started('before_problem_3_to_28_days')),
      all(surface('peeling_in_sheets'), feels('pain'), ill('chills')),
    ],
    isSilent: [
      all(surface('peeling_in_sheets'), feels('itching'), started('before_problem_3_to_28_days')),
      all(surface('peeling'), feels('pain'), fever),
    ],
  },
  RF77: {
    speaks: [
      all(aged(0), { patient: { ageYears: 0, ageMonths: 0 } }, colored('yellow'), types('no_visible_lesion')),
      all({ patient: { ageYears: 0, ageMonths: 0 } }, colored('yellow'), category('pigmentary_problem')),
      all(aged(0), colored('yellow'), types('no_visible_lesion')),
    ],
    isSilent: [
      all({ patient: { ageYears: 0, ageMonths: 0 } }, colored('yellow', 'red'), types('pustule')),
      all({ patient: { ageYears: 0, ageMonths: 8 } }, colored('yellow'), types('no_visible_lesion')),
      all(aged(62), colored('yellow'), types('no_visible_lesion')),
    ],
  },
  RF78: {
    speaks: [
      all(colored('yellow'), types('no_visible_lesion'), on('generalized')),
      all(colored('yellow'), category('pigmentary_problem'), lesion({ distribution: 'generalized' })),
      all(ill('dark_urine'), feels('itching'), types('no_visible_lesion')),
    ],
    isSilent: [
      all(colored('yellow'), types('papule'), on('generalized')),
      all(colored('yellow'), types('no_visible_lesion'), on('hand')),
      all(colored('yellow'), types('no_visible_lesion'), on('generalized'), since('since_childhood')),
      all(ill('none'), feels('itching'), types('no_visible_lesion')),
    ],
  },
  RF79: {
    speaks: [
      all(rash, ill('dark_urine', 'joint_pain')),
      all(rash, ill('dark_urine'), swollen('joints')),
      all(rash, ill('dark_urine'), swollen('eyelids')),
    ],
    isSilent: [
      all(rash, ill('joint_pain')),
      all(rash, ill('dark_urine'), swollen('none')),
      all(category('growth_or_mole'), ill('dark_urine', 'joint_pain')),
    ],
  },
  RF80: {
    speaks: [
      all(
        immune('chemotherapy'),
        { exposures: { contactsAffected: 'household_same_rash' } },
        category('looks_healthy'),
        week,
      ),
      all(
        immune('transplant'),
        exposed('similar_rash_contact'),
        types('no_visible_lesion'),
        since('one_day'),
      ),
      all(
        takes({ drugClass: 'biologic' }),
        { exposures: { contactsAffected: 'school_or_work' } },
        types('vesicle'),
        since('one_to_four_weeks'),
      ),
    ],
    isSilent: [
      all(
        immune('normal'),
        takes(),
        has('none'),
        exposed('similar_rash_contact'),
        category('looks_healthy'),
        week,
      ),
      all(
        immune('transplant'),
        { exposures: { contactsAffected: 'none', recent: ['none'] } },
        types('vesicle'),
        week,
      ),
      all(immune('transplant'), exposed('similar_rash_contact'), types('papule'), rash, week),
    ],
  },
  RF81: {
    speaks: [
      all(rash, week, takes({ drugClass: 'anticonvulsant', startedRelative: 'before_problem_3_to_28_days' })),
      all(rash, since('one_day'), takes({ name: 'Zyloric', startedRelative: 'before_problem_4_to_8_weeks' })),
      all(rash, week, takes({ name: 'Co-trimoxazole', startedRelative: 'before_problem_under_72_hours' })),
      ...['Lamictal 25 mg', 'Tegretol', 'Trileptal', 'fenitoína', 'alopurinol', 'Zyloprim', 'Septrin'].map(
        (name) => all(rash, week, takes({ name, startedRelative: 'before_problem_3_to_28_days' })),
      ),
      ...['Sulfatrim', 'Sulfatiazol', 'sulfa', 'Sulfasalazine and ferrous sulfate'].map((name) =>
        all(rash, week, takes({ name, startedRelative: 'before_problem_3_to_28_days' })),
      ),
    ],
    isSilent: [
      all(rash, week, takes({ drugClass: 'anticonvulsant', startedRelative: 'long_before' })),
      all(rash, week, takes({ drugClass: 'anticonvulsant', duration: 'more_than_six_months' })),
      all(rash, week, takes({ drugClass: 'antibiotic', startedRelative: 'before_problem_3_to_28_days' })),
      ...['Ferrous sulfate', 'Sulfato ferroso', 'Salbutamol sulfate 2 mg', 'Eisensulfat', 'sulfatos'].map(
        (name) => all(rash, week, takes({ name, startedRelative: 'before_problem_3_to_28_days' })),
      ),
      all(mole, week, takes({ drugClass: 'anticonvulsant', startedRelative: 'before_problem_3_to_28_days' })),
    ],
  },
  RF82: {
    speaks: [
      all(on('foot'), lesion({ skinTemperature: 'cool', colors: ['black'] })),
      all(on('foot'), lesion({ skinTemperature: 'cool' }), feels('numbness', 'burning')),
      all(
        on('leg'),
        lesion({ skinTemperature: 'cool' }),
        feels('pain'),
        symptoms({ painSeverity: 7, local: ['pain'] }),
      ),
    ],
    isSilent: [
      all(on('foot'), lesion({ skinTemperature: 'warm', colors: ['black'] })),
      all(
        on('hand'),
        lesion({ skinTemperature: 'cool' }),
        feels('numbness'),
        complaint({ course: 'seasonal' }),
      ),
      all(on('foot'), lesion({ skinTemperature: 'cool', distribution: 'symmetrical' }), feels('numbness')),
      all(on('trunk_front'), lesion({ skinTemperature: 'cool' }), feels('numbness')),
    ],
  },
  RF83: {
    speaks: [
      all(on('arm', 'leg'), lesion({ lesionTypes: ['patch'], colors: ['purple'] }), feels('bleeding')),
      all(on('leg', 'mouth'), types('purpura'), feels('bleeding'), week),
    ],
    isSilent: [
      all(on('arm'), lesion({ lesionTypes: ['patch'], colors: ['purple'] }), feels('bleeding')),
      all(on('arm', 'leg'), lesion({ lesionTypes: ['patch'], colors: ['purple'] }), feels('itching')),
      all(on('arm', 'leg'), types('purpura'), feels('bleeding'), since('more_than_five_years')),
    ],
  },
  RF84: {
    speaks: [
      all(rash, since('one_day'), ill('chills', 'headache', 'vomiting'), types('macule'), colored('purple')),
      all(rash, week, ill('fever', 'headache', 'vomiting'), lesion({ blanching: 'non_blanching' })),
    ],
    isSilent: [
      all(rash, since('one_day'), ill('fever', 'headache', 'vomiting'), lesion({ blanching: 'blanches' })),
      all(rash, since('one_day'), ill('fever', 'headache', 'vomiting'), types('wheal')),
      all(rash, since('one_day'), ill('fever', 'headache'), types('purpura')),
      all(rash, since('one_to_three_months'), ill('fever', 'headache', 'vomiting'), types('purpura')),
    ],
  },
  RF85: {
    speaks: [
      all(
        { locations: [{ primary: 'head_neck', secondary: 'ear', side: 'left' }, bothElbows] },
        ill('muscle_weakness'),
        feels('burning'),
        week,
      ),
      all(
        { locations: [{ primary: 'head_neck', secondary: 'ear', side: 'left' }] },
        ill('muscle_weakness'),
        feels('burning'),
        week,
      ),
      all(
        on('head_neck'),
        lesion({ distribution: 'unilateral' }),
        ill('muscle_weakness'),
        feels('pain'),
        week,
      ),
    ],
    isSilent: [
      all(on('leg'), lesion({ distribution: 'unilateral' }), ill('muscle_weakness'), feels('pain'), week),
      all(
        on('head_neck'),
        lesion({ distribution: 'symmetrical' }),
        ill('muscle_weakness'),
        feels('pain'),
        week,
      ),
      all(on('head_neck'), lesion({ distribution: 'unilateral' }), ill('fatigue'), feels('pain'), week),
      all(
        on('head_neck'),
        lesion({ distribution: 'unilateral' }),
        ill('muscle_weakness'),
        feels('pain'),
        since('more_than_one_year'),
      ),
    ],
  },
  RF86: {
    speaks: [
      all(category('wound_or_bite'), feels('numbness'), since('one_day')),
      all(
        category('wound_or_bite'),
        feels('numbness'),
        complaint({ category: 'wound_or_bite', duration: 'less_than_one_week', onsetSpeed: 'minutes' }),
      ),
    ],
    isSilent: [
      all(category('wound_or_bite'), feels('pain'), since('one_day')),
      all(category('wound_or_bite'), feels('numbness'), since('one_to_three_months')),
      all(rash, feels('numbness'), since('one_day')),
      all(
        feels('numbness'),
        complaint({ category: 'wound_or_bite', duration: 'one_day', onsetSpeed: 'weeks' }),
      ),
    ],
  },
  RF87: {
    speaks: [
      all(pregnant, { locations: [{ primary: 'leg', side: 'both' }] }, feels('pain'), week, swollen('limb')),
      all(
        pregnant,
        { locations: [{ primary: 'leg', secondary: 'calf', side: 'left' }] },
        feels('tenderness'),
        week,
        lesion({ skinTemperature: 'warm' }),
      ),
      all(
        pregnant,
        { locations: [leftCalf, bothElbows] },
        feels('tenderness'),
        week,
        lesion({ skinTemperature: 'warm' }),
      ),
      all(
        { patient: { pregnancyStatus: 'postpartum' } },
        on('leg'),
        feels('pain'),
        week,
        lesion({ distribution: 'unilateral', swellingSites: ['limb'] }),
      ),
    ],
    isSilent: [
      all(
        { patient: { pregnancyStatus: 'not_pregnant' } },
        { locations: [{ primary: 'leg', side: 'left' }] },
        feels('tenderness'),
        week,
        lesion({ skinTemperature: 'warm' }),
      ),
      all(
        pregnant,
        { locations: [{ primary: 'leg', side: 'both' }] },
        feels('pain'),
        since('three_to_twelve_months'),
        swollen('limb'),
      ),
      all(
        pregnant,
        { locations: [{ primary: 'leg', side: 'left' }] },
        feels('pain'),
        week,
        lesion({ skinTemperature: 'normal', swellingSites: ['none'] }),
      ),
    ],
  },
  RF88: {
    speaks: [all(aged(0), ill('shortness_of_breath')), all(band('age_0_to_1'), ill('shortness_of_breath'))],
    isSilent: [all(aged(30), ill('shortness_of_breath')), all(aged(0), ill('fatigue'))],
  },
  RF89: {
    speaks: [
      all(pregnant, types('vesicle'), ill('shortness_of_breath'), week),
      all(immune('transplant'), types('vesicle'), ill('shortness_of_breath')),
      all(aged(40), types('vesicle'), wide, ill('shortness_of_breath'), week),
    ],
    isSilent: [
      all(pregnant, types('papule'), ill('shortness_of_breath'), week),
      all(pregnant, types('vesicle'), ill('fatigue'), week),
      all(pregnant, types('vesicle'), ill('shortness_of_breath'), since('more_than_one_year')),
    ],
  },
};
