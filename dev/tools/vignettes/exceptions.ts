/** Other words after which a lower urgency is right, for a physician to read: docs/clinical-rules.md has the same list. */
export const exceptions: readonly { transformation: string; ids: readonly string[]; reason: string }[] = [
  {
    transformation: 'no exact place',
    ids: ['xE2'],
    reason:
      'A left and a right leg without a place are two swollen legs that come slowly: heart and veins explain them, one clot does not.',
  },
];
