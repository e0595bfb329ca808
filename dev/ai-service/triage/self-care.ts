import { possibleAges } from '../../../src/domain/anamnesis/age.ts';
import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import { any } from '../../../src/domain/red-flags/findings.ts';
import { agendaOf } from '../questions/agenda.ts';
import { upToThreeMonths } from '../questions/conditions.ts';

/** Nothing is known that makes caring for oneself unwise, and what must be known for that is known. */
export function isOrdinaryCase(anamnesis: PartialAnamnesis): boolean {
  const { patient, complaint = {}, history = {} } = anamnesis;
  const ages = possibleAges(patient);
  return (
    isAnsweredInFull(anamnesis) &&
    hasUsablePhotos(anamnesis) &&
    ages !== undefined &&
    ages.min >= 2 &&
    ages.max <= 69 &&
    // Where pregnancy is possible the question is required, so that silence means that it is not.
    !any(patient?.pregnancyStatus, 'pregnant', 'unknown') &&
    any(history.immuneStatus, 'normal') &&
    (any(complaint.duration, ...upToThreeMonths) || isUnchangedGrowth(anamnesis))
  );
}

/** No required question of the questionnaire is open. */
export function isAnsweredInFull(anamnesis: PartialAnamnesis): boolean {
  return agendaOf(anamnesis, []).open.every(({ isRequired }) => !isRequired);
}

export function hasInvalidPhoto({ images = [] }: PartialAnamnesis): boolean {
  return images.some(({ quality }) => quality?.isValid === false);
}

/** A photo that nobody has judged is not known to be usable. */
function hasUsablePhotos({ images = [] }: PartialAnamnesis): boolean {
  return images.length > 0 && images.every(({ quality }) => quality?.isValid === true);
}

function isUnchangedGrowth({ complaint, lesion }: PartialAnamnesis): boolean {
  return any(complaint?.category, 'growth_or_mole') && any(lesion?.changes, 'none');
}
