import { describe, expect, test } from 'vitest';
import { flow } from '../../../../dev/ai-service/questions/flow.ts';
import { placesOf } from '../../../../dev/ai-service/questions/places.ts';
import type { PartialAnamnesis } from '../../../../src/domain/anamnesis/anamnesis.ts';
import { ruleCases } from '../../../domain/red-flags/rule-cases.ts';

/** The questionnaire of the research: id, type, field, enumeration, and R where the answer is required. */
const questionnaire = `
  q_safety checkbox symptoms.emergency EmergencySymptom R
  q_photo_close camera images - R
  q_photo_overview camera images - o
  q_category radio complaint.category ComplaintCategory R
  q_location checkbox locations[].primary LocationPrimary R
  q_location_detail checkbox locations[].secondary LocationSecondary o
  q_side radio locations[].side LocationSide o
  q_duration radio complaint.duration Duration R
  q_onset radio complaint.onsetSpeed OnsetSpeed o
  q_progression radio complaint.progression Progression o
  q_symptoms checkbox symptoms.local LocalSymptom R
  q_itch number symptoms.itchSeverity 0-10 o
  q_pain number symptoms.painSeverity 0-10 o
  q_pain_type radio symptoms.painCharacter PainCharacter o
  q_systemic checkbox symptoms.systemic SystemicSymptom R
  q_temperature number symptoms.temperatureC 34-43 o
  q_types checkbox lesion.lesionTypes LesionType o
  q_textures checkbox lesion.textures Texture o
  q_colors checkbox lesion.colors Color o
  q_surface checkbox lesion.surfaceChanges SurfaceChange o
  q_blanching radio lesion.blanching Blanching o
  q_extent radio lesion.extent BodySurfaceExtent o
  q_distribution radio lesion.distribution Distribution o
  q_arrangement radio lesion.arrangement Arrangement o
  q_warmth radio lesion.skinTemperature SkinTemperature o
  q_swelling checkbox lesion.swellingSites SwellingSite o
  q_mucosa checkbox lesion.mucosalSites MucosalSite o
  q_eyes checkbox lesion.eyeSymptoms EyeSymptom o
  q_count radio lesion.count LesionCount o
  q_size radio lesion.size Size o
  q_changes checkbox lesion.changes LesionChange growth
  q_symmetry radio lesion.symmetry Symmetry o
  q_border radio lesion.border BorderDefinition o
  q_color_pattern radio lesion.colorPattern ColorPattern o
  q_elevation radio lesion.elevation Elevation o
  q_different bool lesion.differentFromOthers - o
  q_nails checkbox lesion.nailChanges NailChange o
  q_hair checkbox lesion.hairChanges HairChange o
  q_triggers checkbox complaint.triggers Trigger o
  q_exposures checkbox exposures.recent Exposure o
  q_contacts radio exposures.contactsAffected ContactsAffected o
  q_sun radio exposures.sunExposure SunExposure o
  q_med_any bool medications - R
  q_med_name text medications[].name 1-120 R
  q_med_purpose radio medications[].purpose MedicationPurpose o
  q_med_duration radio medications[].duration MedicationDuration R
  q_med_improvement radio medications[].improvement MedicationImprovement R
  q_med_start radio medications[].startedRelative MedicationStart o
  q_skin_history checkbox history.skinConditions PastSkinCondition o
  q_medical checkbox history.medicalConditions MedicalCondition o
  q_immune radio history.immuneStatus ImmuneStatus R
  q_family checkbox history.familyHistory FamilyHistory o
  q_age number patient.ageYears 0-120 R
  q_gender radio patient.gender Gender R
  q_pregnant radio patient.pregnancyStatus PregnancyStatus R
  q_sun_reaction radio patient.sunReaction SunReaction o
  q_impact radio complaint.impact Impact o
  q_notes text complaint.description 0-1000 o`;

test('asks the 58 questions of the research, in its order', () => {
  const rows = flow.map(({ id, type, field, options, range, required }) => {
    const answers = options?.meta()?.id ?? (range ? `${range.min ?? 0}-${range.max}` : '-');
    const isRequired = typeof required === 'function' ? 'growth' : required ? 'R' : 'o';
    return `  ${id} ${type} ${field} ${answers} ${isRequired}`;
  });
  expect(rows).toHaveLength(58);
  expect(`\n${rows.join('\n')}`).toBe(questionnaire);
});

describe('is asked under the conditions of the research and not otherwise', () => {
  type Case = [id: string, askedOf: PartialAnamnesis, notAskedOf: PartialAnamnesis];
  const category = (category: NonNullable<PartialAnamnesis['complaint']>['category']): PartialAnamnesis => ({
    complaint: { category },
  });
  const duration = (duration: NonNullable<PartialAnamnesis['complaint']>['duration']): PartialAnamnesis => ({
    complaint: { duration },
  });
  const rash = category('rash');
  const acne = category('acne');
  const growth = category('growth_or_mole');
  const pigment = category('pigmentary_problem');
  const photo = { url: '/api/common/images/0198a0b0-0000-7000-8000-000000000001' };
  const woman = { gender: 'female', ageYears: 30 } as const;

  const cases: Case[] = [
    ['q_photo_overview', { images: [photo] }, { images: [{ ...photo, quality: { isValid: false } }] }],
    [
      'q_photo_overview',
      { images: [{ ...photo, quality: { isValid: true } }] },
      { images: [{ ...photo, quality: { isValid: false } }] },
    ],
    ['q_location_detail', { locations: [{ primary: 'arm' }] }, { locations: [] }],
    ['q_side', { locations: [{ primary: 'arm' }] }, { locations: [{ primary: 'mouth' }] }],
    [
      'q_side',
      { locations: [{ primary: 'head_neck', secondary: 'ear' }] },
      { locations: [{ primary: 'head_neck' }] },
    ],
    [
      'q_side',
      { locations: [{ primary: 'buttocks', secondary: 'buttock' }] },
      { locations: [{ primary: 'buttocks', secondary: 'gluteal_cleft' }] },
    ],
    ['q_onset', duration('one_day'), duration('one_to_three_months')],
    ['q_onset', duration('less_than_one_week'), duration('unknown')],
    ['q_onset', duration('one_to_four_weeks'), {}],
    ['q_itch', { symptoms: { local: ['pain', 'itching'] } }, { symptoms: { local: ['pain'] } }],
    ['q_pain', { symptoms: { local: ['pain'] } }, { symptoms: { local: ['itching'] } }],
    ['q_pain', { symptoms: { local: ['burning'] } }, { symptoms: { local: ['none'] } }],
    ['q_pain', { symptoms: { local: ['tenderness'] } }, {}],
    ['q_pain_type', { symptoms: { painSeverity: 4 } }, { symptoms: { painSeverity: 3 } }],
    ['q_temperature', { symptoms: { systemic: ['fever'] } }, { symptoms: { systemic: ['fatigue'] } }],
    ['q_temperature', { symptoms: { systemic: ['chills'] } }, {}],
    ['q_types', rash, category('hair_loss')],
    ['q_types', growth, category('other_hair_problem')],
    ['q_types', acne, category('nail_problem')],
    ['q_surface', rash, category('looks_healthy')],
    ['q_blanching', { ...rash, lesion: { colors: ['red'] } }, { ...acne, lesion: { colors: ['red'] } }],
    ['q_blanching', { ...rash, lesion: { colors: ['purple'] } }, { ...rash, lesion: { colors: ['brown'] } }],
    ['q_blanching', { ...rash, lesion: { lesionTypes: ['purpura'] } }, rash],
    ['q_extent', rash, acne],
    ['q_distribution', rash, growth],
    ['q_arrangement', rash, { ...rash, lesion: { count: 'single' } }],
    ['q_arrangement', { ...rash, lesion: { count: 'two_to_five' } }, growth],
    ['q_warmth', { symptoms: { local: ['pain'] } }, { symptoms: { local: ['tenderness'] } }],
    ['q_warmth', { symptoms: { systemic: ['fever'] } }, { symptoms: { systemic: ['chills'] } }],
    ['q_swelling', { lesion: { lesionTypes: ['wheal'] } }, { lesion: { lesionTypes: ['papule'] } }],
    ['q_swelling', { complaint: { onsetSpeed: 'minutes' } }, { complaint: { onsetSpeed: 'days' } }],
    ['q_swelling', { complaint: { onsetSpeed: 'hours' } }, {}],
    [
      'q_swelling',
      { medications: [{ startedRelative: 'before_problem_4_to_8_weeks' }] },
      { medications: [{ startedRelative: 'long_before' }] },
    ],
    ['q_mucosa', { lesion: { lesionTypes: ['vesicle'] } }, { lesion: { lesionTypes: ['papule'] } }],
    ['q_mucosa', { lesion: { lesionTypes: ['bulla'] } }, {}],
    ['q_mucosa', { lesion: { lesionTypes: ['erosion'] } }, { symptoms: { systemic: ['chills'] } }],
    ['q_mucosa', { symptoms: { systemic: ['mouth_sores'] } }, { symptoms: { systemic: ['none'] } }],
    ['q_mucosa', { symptoms: { systemic: ['fever'] } }, {}],
    ...(['eyelid', 'around_eye', 'forehead', 'nose'] as const).map((secondary): Case => [
      'q_eyes',
      { locations: [{ primary: 'arm' }, { primary: 'head_neck', secondary }] },
      { locations: [{ primary: 'head_neck', secondary: 'cheek' }] },
    ]),
    ['q_count', rash, acne],
    ['q_count', growth, {}],
    ['q_size', growth, rash],
    ['q_size', category('wound_or_bite'), acne],
    ['q_size', { ...rash, lesion: { count: 'single' } }, { ...rash, lesion: { count: 'two_to_five' } }],
    ...[
      'q_changes',
      'q_symmetry',
      'q_border',
      'q_color_pattern',
      'q_elevation',
      'q_different',
      'q_sun',
    ].flatMap((id): Case[] => [
      [id, growth, rash],
      [id, pigment, {}],
    ]),
    ['q_nails', category('nail_problem'), rash],
    ['q_hair', category('hair_loss'), rash],
    ['q_hair', category('other_hair_problem'), category('nail_problem')],
    ['q_triggers', rash, growth],
    ['q_triggers', acne, {}],
    ['q_exposures', duration('one_day'), duration('three_to_twelve_months')],
    ['q_exposures', duration('one_to_three_months'), duration('since_childhood')],
    ['q_contacts', { symptoms: { local: ['itching'] } }, { symptoms: { local: ['pain'] } }],
    ['q_contacts', rash, growth],
    ...['q_med_name', 'q_med_purpose', 'q_med_duration', 'q_med_improvement', 'q_med_start'].map(
      (id): Case => [id, { medications: [{}] }, { medications: [] }],
    ),
    ['q_family', growth, rash],
    ['q_family', pigment, {}],
    [
      'q_family',
      { ...rash, lesion: { surfaceChanges: ['silvery_scale'] } },
      { ...rash, lesion: { surfaceChanges: ['scaly'] } },
    ],
    ['q_pregnant', { patient: woman }, { patient: { ...woman, gender: 'male' } }],
    ['q_pregnant', { patient: { ...woman, ageYears: 12 } }, { patient: { ...woman, ageYears: 11 } }],
    ['q_pregnant', { patient: { ...woman, ageYears: 55 } }, { patient: { ...woman, ageYears: 56 } }],
    ['q_pregnant', { patient: { ...woman, gender: 'other' } }, { patient: { ...woman, sexAtBirth: 'male' } }],
    [
      'q_pregnant',
      { patient: { gender: 'male', sexAtBirth: 'female', ageYears: 30 } },
      { patient: { ageYears: 30 } },
    ],
    [
      'q_pregnant',
      { patient: { gender: 'female', ageGroup: 'age_50_to_59' } },
      { patient: { gender: 'female', ageGroup: 'age_60_to_69' } },
    ],
    ['q_impact', duration('one_to_three_months'), duration('one_to_four_weeks')],
    ['q_impact', duration('more_than_five_years'), duration('unknown')],
    ['q_impact', duration('since_childhood'), {}],
  ];

  const isAsked = (id: string, anamnesis: PartialAnamnesis) =>
    placesOf(anamnesis).some(({ question, isAsked }) => question.id === id && isAsked);

  test.each(cases)('%s of %j and not of %j', (id, askedOf, notAskedOf) => {
    expect(isAsked(id, askedOf)).toBe(true);
    expect(isAsked(id, notAskedOf)).toBe(false);
  });

  test('and all others are always asked', () => {
    const conditional = new Set(cases.map(([id]) => id));
    const always = flow.filter(({ id }) => !conditional.has(id)).map(({ id }) => id);
    expect(always).toHaveLength(18);
    for (const id of always) expect(isAsked(id, {}), id).toBe(true);
  });

  test('the changes of a growth are required, those of a pigmentary problem are not', () => {
    const isRequired = (anamnesis: PartialAnamnesis) =>
      placesOf(anamnesis).find(({ questionId }) => questionId === 'q_changes')?.isRequired;
    expect([isRequired(growth), isRequired(pigment)]).toEqual([true, false]);
  });
});

describe('what red flags read', () => {
  const fieldsOf = (value: unknown, path = ''): string[] => {
    if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
      return value.flatMap((item) => fieldsOf(item, `${path}[]`));
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
    return Object.entries(value).flatMap(([key, item]) =>
      fieldsOf(item, path === '' ? key : `${path}.${key}`),
    );
  };
  // The smallest anamneses that make every branch of every rule speak hold what the rules read and nothing else.
  const read = new Set(
    Object.values(ruleCases)
      .flatMap(({ speaks }) => speaks.flatMap((anamnesis) => fieldsOf(anamnesis)))
      .map((field) => (field === 'patient.ageGroup' ? 'patient.ageYears' : field)),
  ).add('lesion.colorPattern'); // Of RF22's seven-point checklist, which has cases of its own.

  test('is asked even when 35 questions were asked before, and nothing else is', () => {
    const marked = flow.filter((question) => question.readByRedFlags).map(({ field }) => field);
    const asked = flow.map(({ field }) => field).filter((field) => read.has(field));
    // Whether there was a medicine at all decides whether its start is asked.
    expect(marked.toSorted()).toEqual([...asked, 'medications'].toSorted());
  });

  test('is asked, except for three fields that the research gives no question', () => {
    const fields = new Set(flow.map(({ field }) => field));
    expect([...read].filter((field) => !fields.has(field)).toSorted()).toEqual([
      'lesion.discharge',
      'lesion.shape',
      'lesion.sizeMm',
    ]);
  });
});
