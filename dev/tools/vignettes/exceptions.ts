/** Other words after which a lower urgency is right, for a physician to read: docs/clinical-rules.md has the same list. */
export interface Exception {
  transformation: string;
  ids: readonly string[];
  reason: string;
  /** The answers by API keep the urgency; only the guided intake does not ask for what shows it. */
  onlyInIntake?: true;
}

export const exceptions: readonly Exception[] = [
  {
    transformation: 'no exact place',
    ids: ['xE2'],
    reason:
      'A left and a right leg without a place are two swollen legs that come slowly: heart and veins explain them, one clot does not.',
  },
  {
    transformation: 'no exact place',
    ids: ['v050'],
    onlyInIntake: true,
    reason:
      'Ramsay Hunt syndrome is one-sided; the side of the head is asked for an ear, not for the head as a whole.',
  },
  {
    transformation: 'called a rash',
    ids: ['b007'],
    onlyInIntake: true,
    reason:
      'A spot that itches, called a rash and of a kind that is not known, is an eczema to every question but those about a mole.',
  },
  {
    transformation: 'called a wound',
    ids: ['b007'],
    onlyInIntake: true,
    reason:
      'An itching spot of months, called a wound, is asked for what a wound is: pus, warmth, a bite; not for the seven points of a mole.',
  },
  {
    transformation: 'called acne',
    ids: ['b007'],
    onlyInIntake: true,
    reason:
      'An itching spot of months that its owner calls acne is asked for what acne is; the seven points of a mole would be asked of everyone.',
  },
];
