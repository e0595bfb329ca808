import { any, atLeast, type Findings } from '../../src/domain/red-flags/findings.ts';

/**
 * Weighted 7-point checklist of NICE NG12 for pigmented lesions, 0 to 10: major features (size, shape, colour) count
 * 2, minor ones (7 mm, inflammation, oozing, sensation) 1. A question that was not answered counts 0.
 */
export function sevenPointScore({ lesion, symptoms, complaint, sizeAtLeast }: Findings): number {
  const major = [
    any(lesion.changes, 'size'),
    any(lesion.shape, 'irregular') || any(lesion.changes, 'shape'),
    any(lesion.colorPattern, 'irregular_pigment', 'three_or_more_colors') || any(lesion.changes, 'color'),
  ];
  const minor = [
    atLeast(lesion.sizeMm, 7) || sizeAtLeast('from_7_to_10_mm'),
    any(lesion.changes, 'inflammation'),
    any(lesion.changes, 'bleeding', 'crusting') ||
      any(symptoms.local, 'bleeding') ||
      any(lesion.surfaceChanges, 'crusted', 'golden_crust') ||
      any(lesion.discharge, 'clear', 'pus', 'blood', 'mixed'),
    any(lesion.changes, 'sensation') ||
      (any(complaint.category, 'growth_or_mole') && any(symptoms.local, 'itching', 'pain')),
  ];
  return 2 * major.filter(Boolean).length + minor.filter(Boolean).length;
}
