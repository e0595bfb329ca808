import complete from '../../dev/run/demo/anamnesis.json' with { type: 'json' };

/** A whole questionnaire: eczema, as the demo has it. */
export const completeAnamnesis = complete;

/** No more than what is required: a man with a changing mole. */
export const minimalAnamnesis = {
  patient: { ageYears: 61, gender: 'male' },
  complaint: { category: 'growth_or_mole', duration: 'three_to_twelve_months' },
  locations: [{ primary: 'trunk_back' }],
  symptoms: { emergency: ['none'], local: ['none'], systemic: ['none'] },
};

/** A questionnaire in the middle of the intake, with the signs of a melanoma. */
export const moleAnamnesis = {
  patient: { ageYears: 61, gender: 'male', fitzpatrickSkinType: 'type_1' },
  complaint: {
    category: 'growth_or_mole',
    duration: 'three_to_twelve_months',
    progression: 'slowly_worsening',
  },
  locations: [{ primary: 'trunk_back', secondary: 'upper_back', isMain: true }],
  lesion: {
    count: 'single',
    colors: ['black', 'brown', 'blue'],
    shape: 'irregular',
    symmetry: 'asymmetrical',
    border: 'irregular',
    sizeMm: 9,
    changes: ['size', 'color'],
    differentFromOthers: true,
  },
  symptoms: { emergency: ['none'], local: ['bleeding'], systemic: ['none'] },
};

/** Hives, and a tongue that swells after a medicine: an emergency. */
export const emergencyAnamnesis = {
  patient: { ageYears: 28, gender: 'female' },
  complaint: { category: 'rash', duration: 'one_day', onsetSpeed: 'minutes' },
  symptoms: { emergency: ['tongue_swelling', 'difficulty_breathing'], local: ['itching'] },
};

/** Mistakes of every kind: missing, unknown, of a wrong value, and contradicting each other. */
export const wrongAnamnesis = {
  patient: { gender: 'male', pregnancyStatus: 'pregnant', hairColor: 'red' },
  complaint: { category: 'rash', duration: 'a fortnight' },
  locations: [{ primary: 'arm', secondary: 'scalp' }],
  symptoms: { emergency: ['none', 'confusion'], local: ['itching'], itchSeverity: 11, systemic: ['none'] },
};
