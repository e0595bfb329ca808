// Invented rows in the format of the two data sets' files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first line of `scin_cases.csv`, release 1.0.0. */
const scinHeader =
  'case_id,source,release,year,age_group,sex_at_birth,fitzpatrick_skin_type,race_ethnicity_american_indian_or_alaska_native,race_ethnicity_asian,race_ethnicity_black_or_african_american,race_ethnicity_hispanic_latino_or_spanish_origin,race_ethnicity_middle_eastern_or_north_african,race_ethnicity_native_hawaiian_or_pacific_islander,race_ethnicity_white,race_ethnicity_other_race,race_ethnicity_prefer_not_to_answer,textures_raised_or_bumpy,textures_flat,textures_rough_or_flaky,textures_fluid_filled,body_parts_head_or_neck,body_parts_arm,body_parts_palm,body_parts_back_of_hand,body_parts_torso_front,body_parts_torso_back,body_parts_genitalia_or_groin,body_parts_buttocks,body_parts_leg,body_parts_foot_top_or_side,body_parts_foot_sole,body_parts_other,condition_symptoms_bothersome_appearance,condition_symptoms_bleeding,condition_symptoms_increasing_size,condition_symptoms_darkening,condition_symptoms_itching,condition_symptoms_burning,condition_symptoms_pain,condition_symptoms_no_relevant_experience,other_symptoms_fever,other_symptoms_chills,other_symptoms_fatigue,other_symptoms_joint_pain,other_symptoms_mouth_sores,other_symptoms_shortness_of_breath,other_symptoms_no_relevant_symptoms,related_category,condition_duration,image_1_path,image_2_path,image_3_path,image_1_shot_type,image_2_shot_type,image_3_shot_type,combined_race,race_ethnicity_two_or_more_after_mitigation';

const scinLabelHeader =
  'case_id,dermatologist_gradable_for_skin_condition_1,dermatologist_skin_condition_on_label_name,dermatologist_skin_condition_confidence,weighted_skin_condition_label,monk_skin_tone_label_us';

/** The first line of PAD-UFES-20's `metadata.csv`. */
const padHeader =
  'patient_id,lesion_id,smoke,drink,background_father,background_mother,age,pesticide,gender,skin_cancer_history,cancer_history,has_piped_water,has_sewage_system,fitspatrick,region,diameter_1,diameter_2,diagnostic,itch,grew,hurt,changed,bleed,elevation,img_id,biopsed';

export type Row = Record<string, string>;

export const scinColumns = scinHeader.split(',');
export const padColumns = padHeader.split(',');

/** A PAD row without the patient's block, as a third of them are. */
export const plainGrowth: Row = {
  patient_id: 'PAT_1',
  lesion_id: '1',
  region: 'FACE',
  diagnostic: 'NEV',
  itch: 'False',
  grew: 'False',
  hurt: 'False',
  changed: 'False',
  bleed: 'False',
  elevation: 'False',
  img_id: 'PAT_1_1_1.png',
  biopsed: 'False',
};

export function writeScin(folder: string, rows: readonly Row[], labels: readonly Row[]): void {
  writeFileSync(join(folder, 'scin_cases.csv'), csv(scinHeader, rows));
  writeFileSync(join(folder, 'scin_labels.csv'), csv(scinLabelHeader, labels));
}

export function writePad(folder: string, rows: readonly Row[]): void {
  writeFileSync(join(folder, 'metadata.csv'), csv(padHeader, rows));
}

/** Columns that a row lacks are empty. */
function csv(header: string, rows: readonly Row[]): string {
  const columns = header.split(',');
  const lines = rows.map((row) => {
    const stray = Object.keys(row).filter((column) => !columns.includes(column));
    if (stray.length > 0) throw new Error(`There is no column ${stray.join(', ')}.`);
    return columns.map((column) => quoted(row[column] ?? '')).join(',');
  });
  return `${[header, ...lines].join('\n')}\n`;
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
