import * as appearance from '../../../src/domain/anamnesis/enums/lesion-appearance.ts';
import * as signs from '../../../src/domain/anamnesis/enums/lesion-signs.ts';
import { any } from '../../../src/domain/red-flags/findings.ts';
import { is, isMark, isNot, isRash } from './conditions.ts';
import type { Question } from './question.ts';

const safety = { readByRedFlags: true } as const;

/** What it looks and feels like from outside. */
export const appearanceQuestions: readonly Question[] = [
  {
    id: 'q_types',
    type: 'checkbox',
    field: 'lesion.lesionTypes',
    options: appearance.LesionType,
    when: isNot('hair_loss', 'other_hair_problem', 'nail_problem'),
    ...safety,
  },
  { id: 'q_textures', type: 'checkbox', field: 'lesion.textures', options: signs.Texture, ...safety },
  { id: 'q_colors', type: 'checkbox', field: 'lesion.colors', options: appearance.Color, ...safety },
  {
    id: 'q_surface',
    type: 'checkbox',
    field: 'lesion.surfaceChanges',
    options: signs.SurfaceChange,
    when: isNot('looks_healthy'),
    ...safety,
  },
  {
    id: 'q_blanching',
    type: 'radio',
    field: 'lesion.blanching',
    options: signs.Blanching,
    when: (findings) =>
      isRash(findings) &&
      (any(findings.lesion.colors, 'red', 'purple') || any(findings.lesion.lesionTypes, 'purpura')),
    ...safety,
  },
  {
    id: 'q_extent',
    type: 'radio',
    field: 'lesion.extent',
    options: appearance.BodySurfaceExtent,
    when: isRash,
    ...safety,
  },
  {
    id: 'q_distribution',
    type: 'radio',
    field: 'lesion.distribution',
    options: appearance.Distribution,
    when: isRash,
    ...safety,
  },
  {
    id: 'q_arrangement',
    type: 'radio',
    field: 'lesion.arrangement',
    options: appearance.Arrangement,
    // The count is asked later; until then nobody has said that there is only one.
    when: (findings) => isRash(findings) && !any(findings.lesion.count, 'single'),
    ...safety,
  },
  {
    id: 'q_warmth',
    type: 'radio',
    field: 'lesion.skinTemperature',
    options: signs.SkinTemperature,
    when: ({ symptoms }) => any(symptoms.local, 'pain') || any(symptoms.systemic, 'fever'),
    ...safety,
  },
  {
    id: 'q_swelling',
    type: 'checkbox',
    field: 'lesion.swellingSites',
    options: signs.SwellingSite,
    when: ({ lesion, complaint, newDrug }) =>
      any(lesion.lesionTypes, 'wheal') || any(complaint.onsetSpeed, 'minutes', 'hours') || newDrug,
    ...safety,
  },
  {
    id: 'q_mucosa',
    type: 'checkbox',
    field: 'lesion.mucosalSites',
    options: signs.MucosalSite,
    when: ({ lesion, symptoms }) =>
      any(lesion.lesionTypes, 'vesicle', 'bulla', 'erosion') ||
      any(symptoms.systemic, 'mouth_sores', 'fever'),
    ...safety,
  },
  {
    id: 'q_eyes',
    type: 'checkbox',
    field: 'lesion.eyeSymptoms',
    options: signs.EyeSymptom,
    when: ({ isAt }) => isAt('eyelid', 'around_eye', 'forehead', 'nose'),
    ...safety,
  },
  {
    id: 'q_count',
    type: 'radio',
    field: 'lesion.count',
    options: appearance.LesionCount,
    when: is('rash', 'growth_or_mole'),
    ...safety,
  },
  {
    id: 'q_size',
    type: 'radio',
    field: 'lesion.size',
    options: appearance.Size,
    when: (findings) =>
      is('growth_or_mole', 'wound_or_bite')(findings) || any(findings.lesion.count, 'single'),
    ...safety,
  },
  {
    id: 'q_changes',
    type: 'checkbox',
    field: 'lesion.changes',
    options: signs.LesionChange,
    when: isMark,
    required: is('growth_or_mole'),
    ...safety,
  },
  { id: 'q_symmetry', type: 'radio', field: 'lesion.symmetry', options: appearance.Symmetry, when: isMark },
  {
    id: 'q_border',
    type: 'radio',
    field: 'lesion.border',
    options: appearance.BorderDefinition,
    when: isMark,
  },
  {
    id: 'q_color_pattern',
    type: 'radio',
    field: 'lesion.colorPattern',
    options: appearance.ColorPattern,
    when: isMark,
    ...safety,
  },
  {
    id: 'q_elevation',
    type: 'radio',
    field: 'lesion.elevation',
    options: appearance.Elevation,
    when: isMark,
    ...safety,
  },
  { id: 'q_different', type: 'bool', field: 'lesion.differentFromOthers', when: isMark },
  {
    id: 'q_nails',
    type: 'checkbox',
    field: 'lesion.nailChanges',
    options: signs.NailChange,
    when: is('nail_problem'),
    ...safety,
  },
  {
    id: 'q_hair',
    type: 'checkbox',
    field: 'lesion.hairChanges',
    options: signs.HairChange,
    when: is('hair_loss', 'other_hair_problem'),
  },
];
