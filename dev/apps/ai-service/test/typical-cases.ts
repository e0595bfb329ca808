// Anamneses of textbook cases, shared by the tests of the engine, its notices and its calibration.

export const melanomaCase = {
  patient: { ageYears: 55 },
  complaint: { category: 'growth_or_mole' },
  lesion: {
    changes: ['size', 'color', 'shape'],
    colorPattern: 'three_or_more_colors',
    symmetry: 'asymmetrical',
    border: 'irregular',
  },
} as const;

export const shinglesCase = {
  complaint: { category: 'rash', duration: 'less_than_one_week' },
  locations: [{ primary: 'trunk_side' }],
  lesion: { arrangement: 'dermatomal', distribution: 'unilateral', lesionTypes: ['vesicle'] },
  symptoms: { local: ['pain'], painCharacter: 'burning_or_electric' },
} as const;
