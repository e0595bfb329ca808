type Rule = readonly string[] | 'any' | ((value: number) => boolean) | true;

/** Values that a doctor should see first, by field; `any`: all but those that say no or nothing. */
const rules: Readonly<Record<string, Rule>> = {
  'complaint.onsetSpeed': ['minutes', 'hours'],
  'complaint.progression': ['rapidly_worsening', 'spreading_within_hours'],
  'complaint.impact': ['severe', 'thoughts_of_self_harm'],
  'lesion.lesionTypes': ['bulla', 'ulcer', 'purpura'],
  'lesion.extent': ['from_30_to_50_percent', 'from_50_to_90_percent', 'over_90_percent'],
  'lesion.colorPattern': ['three_or_more_colors', 'irregular_pigment'],
  'lesion.symmetry': ['asymmetrical'],
  'lesion.border': ['irregular', 'rolled_raised'],
  'lesion.surfaceChanges': ['ulcerated', 'peeling_in_sheets', 'golden_crust', 'shiny_pearly'],
  'lesion.discharge': ['pus', 'blood', 'mixed'],
  'lesion.blanching': ['non_blanching'],
  'lesion.skinTemperature': ['hot', 'cool'],
  'lesion.changes': 'any',
  'lesion.differentFromOthers': true,
  'lesion.swellingSites': 'any',
  'lesion.mucosalSites': 'any',
  'lesion.eyeSymptoms': 'any',
  'lesion.nailChanges': ['dark_streak', 'widening_dark_streak'],
  'lesion.hairChanges': ['scarring_loss'],
  'symptoms.emergency': 'any',
  'symptoms.local': ['bleeding', 'numbness'],
  'symptoms.itchSeverity': (value) => value >= 7,
  'symptoms.painSeverity': (value) => value >= 7,
  'symptoms.painCharacter': ['out_of_proportion'],
  'symptoms.timing': ['worse_at_night'],
  'symptoms.sleepDisturbance': ['severe'],
  'symptoms.systemic': 'any',
  'symptoms.temperatureC': (value) => value >= 38 || value < 35.5,
  'history.skinConditions': ['skin_cancer', 'atypical_moles'],
  'history.medicalConditions': ['diabetes', 'cancer', 'hiv', 'autoimmune_disease'],
  'history.immuneStatus': 'any',
  'history.allergies': ['medication', 'latex'],
  'history.familyHistory': ['melanoma', 'other_skin_cancer'],
  'history.skinCancerHistory': 'any',
  'history.cancerHistory': true,
  'history.measlesVaccination': ['incomplete', 'none'],
  'exposures.recent': ['tick_bite', 'animal_bite', 'new_sexual_partner'],
  'exposures.contactsAffected': 'any',
  'patient.pregnancyStatus': ['pregnant', 'breastfeeding', 'postpartum'],
  'patient.ageYears': (value) => value < 1,
};

const harmless = ['none', 'normal', 'unknown', 'not_sure', 'not_tested', 'none_known', 'prefer_not_to_say'];

/** Whether an answer is one to see first. */
export function isNotable(field: string, value: unknown): boolean {
  const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
  if (rule === undefined || value === undefined) return false;
  if (rule === true) return value === true;
  if (typeof rule === 'function') return typeof value === 'number' && rule(value);
  const values = [value].flat().map(String);
  return values.some((each) => (rule === 'any' ? !harmless.includes(each) : rule.includes(each)));
}
