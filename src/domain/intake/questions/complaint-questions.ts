import * as complaint from '../anamnesis/vocabulary/complaint.ts';
import * as history from '../anamnesis/vocabulary/history.ts';
import * as appearance from '../anamnesis/vocabulary/lesion-appearance.ts';
import * as signs from '../anamnesis/vocabulary/lesion-signs.ts';
import * as locations from '../anamnesis/vocabulary/locations.ts';
import * as medications from '../anamnesis/vocabulary/medications.ts';
import * as patient from '../anamnesis/vocabulary/patient.ts';
import * as symptoms from '../anamnesis/vocabulary/symptoms.ts';
import { ageBelow, has } from '../red-flags/conditions.ts';
import { febrile, painful } from '../red-flags/findings/illness.ts';
import { all, not, onlyIfShown, some } from '../red-flags/answer-logic.ts';
import { needsExactPlace } from './exact-places.ts';
import { isPaired } from './paired-places.ts';
import type { Question } from './question.ts';

const safety = true;
const isSkin = not(has('complaint.category', 'hair_loss', 'other_hair_problem', 'nail_problem'));
/** Many scaly patches that a person calls a change of colour are not judged as a mole. */
const patchesOfColor = all(
  has('complaint.category', 'pigmentary_problem'),
  has('lesion.lesionTypes', 'patch', 'plaque'),
  has('lesion.changes', 'size', 'shape', 'color'),
);
/** A sore or bleeding nail or scalp may have an ulcer or a lump. */
const isSore = some(painful, has('symptoms.local', 'bleeding'));

/** The remaining answers that the rules read: base questions first, then those that only some answers require. */
export const complaintQuestions: readonly Question[] = [
  {
    id: 'q_category',
    type: 'radio',
    field: 'complaint.category',
    options: complaint.ComplaintCategory,
    required: true,
  },
  {
    id: 'q_duration',
    type: 'radio',
    field: 'complaint.duration',
    options: complaint.Duration,
    required: true,
  },
  {
    id: 'q_types',
    type: 'checkbox',
    field: 'lesion.lesionTypes',
    options: appearance.LesionType,
    when: isSkin,
    required: true,
  },
  {
    id: 'q_types',
    type: 'checkbox',
    field: 'lesion.lesionTypes',
    options: appearance.LesionType,
    when: all(not(isSkin), isSore),
    safety,
  },
  {
    id: 'q_immune',
    type: 'radio',
    field: 'history.immuneStatus',
    options: history.ImmuneStatus,
    required: true,
  },
  {
    id: 'q_progression',
    type: 'radio',
    field: 'complaint.progression',
    options: complaint.Progression,
    safety,
  },
  {
    id: 'q_colors',
    type: 'checkbox',
    field: 'lesion.colors',
    options: appearance.Color,
    safety,
  },
  {
    id: 'q_med_name',
    type: 'text',
    field: 'medications[].name',
    range: { min: 1, max: 120 },
    safety,
  },
  {
    id: 'q_med_class',
    type: 'radio',
    field: 'medications[].drugClass',
    options: medications.MedicationClass,
    safety,
  },
  { id: 'q_mucosa', type: 'checkbox', field: 'lesion.mucosalSites', options: signs.MucosalSite, safety },
  { id: 'q_blanching', type: 'radio', field: 'lesion.blanching', options: signs.Blanching, safety },
  {
    id: 'q_surface',
    type: 'checkbox',
    field: 'lesion.surfaceChanges',
    options: signs.SurfaceChange,
    when: some(isSkin, isSore),
    safety,
  },
  {
    id: 'q_swelling',
    type: 'checkbox',
    field: 'lesion.swellingSites',
    options: signs.SwellingSite,
    safety,
  },
  {
    id: 'q_warmth',
    type: 'radio',
    field: 'lesion.skinTemperature',
    options: signs.SkinTemperature,
    safety,
  },
  { id: 'q_eyes', type: 'checkbox', field: 'lesion.eyeSymptoms', options: signs.EyeSymptom, safety },
  {
    id: 'q_extent',
    type: 'radio',
    field: 'lesion.extent',
    options: appearance.BodySurfaceExtent,
    safety,
  },
  { id: 'q_count', type: 'radio', field: 'lesion.count', options: appearance.LesionCount, safety },
  {
    id: 'q_count',
    type: 'radio',
    field: 'lesion.count',
    options: appearance.LesionCount,
    when: patchesOfColor,
    required: true,
  },
  {
    id: 'q_surface',
    type: 'checkbox',
    field: 'lesion.surfaceChanges',
    options: signs.SurfaceChange,
    when: all(patchesOfColor, has('lesion.count', 'more_than_twenty', 'confluent')),
    required: true,
  },
  {
    id: 'q_location_detail',
    type: 'checkbox',
    field: 'locations[].secondary',
    options: locations.LocationSecondary,
    whenAt: needsExactPlace,
    safety,
  },
  {
    id: 'q_side',
    type: 'radio',
    field: 'locations[].side',
    options: locations.LocationSide,
    whenAt: isPaired,
    safety,
  },
  {
    id: 'q_changes',
    type: 'checkbox',
    field: 'lesion.changes',
    options: signs.LesionChange,
    safety,
  },
  { id: 'q_onset', type: 'radio', field: 'complaint.onsetSpeed', options: complaint.OnsetSpeed, safety },
  {
    id: 'q_pain_type',
    type: 'radio',
    field: 'symptoms.painCharacter',
    options: symptoms.PainCharacter,
    safety,
  },
  {
    id: 'q_distribution',
    type: 'radio',
    field: 'lesion.distribution',
    options: appearance.Distribution,
    safety,
  },
  {
    id: 'q_arrangement',
    type: 'radio',
    field: 'lesion.arrangement',
    options: appearance.Arrangement,
    safety,
  },
  { id: 'q_discharge', type: 'radio', field: 'lesion.discharge', options: signs.Discharge, safety },
  { id: 'q_textures', type: 'checkbox', field: 'lesion.textures', options: signs.Texture, safety },
  { id: 'q_elevation', type: 'radio', field: 'lesion.elevation', options: appearance.Elevation, safety },
  { id: 'q_shape', type: 'radio', field: 'lesion.shape', options: appearance.Shape, safety },
  {
    id: 'q_color_pattern',
    type: 'radio',
    field: 'lesion.colorPattern',
    options: appearance.ColorPattern,
    safety,
  },
  { id: 'q_border', type: 'radio', field: 'lesion.border', options: appearance.BorderDefinition, safety },
  { id: 'q_symmetry', type: 'radio', field: 'lesion.symmetry', options: appearance.Symmetry, safety },
  { id: 'q_size', type: 'radio', field: 'lesion.size', options: appearance.Size, safety },
  { id: 'q_different', type: 'bool', field: 'lesion.differentFromOthers', safety },
  { id: 'q_nails', type: 'checkbox', field: 'lesion.nailChanges', options: signs.NailChange, safety },
  {
    id: 'q_temperature',
    type: 'number',
    field: 'symptoms.temperatureC',
    range: { min: 34, max: 43, step: 0.1 },
    when: febrile,
  },
  {
    id: 'q_baby_moves',
    type: 'radio',
    field: 'patient.babyMobility',
    options: patient.BabyMobility,
    when: all(ageBelow(2), onlyIfShown(has('lesion.colors', 'purple', 'blue', 'black'))),
    required: true,
  },
];
