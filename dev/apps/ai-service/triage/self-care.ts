import { possibleAges } from '../../../../src/domain/intake/anamnesis/age.ts';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { agendaOf } from '../../../../src/domain/intake/questions/agenda.ts';
import { has } from '../../../../src/domain/intake/red-flags/conditions.ts';
import { all, some } from '../../../../src/domain/intake/red-flags/answer-logic.ts';
import { flow } from '../questions/flow.ts';

/** Recent enough to heal on its own, or a growth that has not changed. */
const isNoLastingChange = some(
  has('complaint.duration', 'one_day', 'less_than_one_week', 'one_to_four_weeks', 'one_to_three_months'),
  all(has('complaint.category', 'growth_or_mole'), has('lesion.changes', 'none')),
);

/** Whether all required facts are known and none of them forbids self-care. */
export function isOrdinaryCase(anamnesis: PartialAnamnesis): boolean {
  const { patient, history } = anamnesis;
  const ages = possibleAges(patient);
  const pregnancy = patient?.pregnancyStatus;
  return (
    isAnsweredInFull(anamnesis) &&
    hasUsablePhotos(anamnesis) &&
    ages !== undefined &&
    ages.min >= 2 &&
    ages.max <= 69 &&
    // Where pregnancy is possible the question is required, so no answer means that it is not.
    pregnancy !== 'pregnant' &&
    pregnancy !== 'unknown' &&
    history?.immuneStatus === 'normal' &&
    isNoLastingChange(anamnesis).value === true
  );
}

/** Whether every required question is answered. */
export function isAnsweredInFull(anamnesis: PartialAnamnesis): boolean {
  return agendaOf(flow, anamnesis, []).open.every(({ isRequired }) => !isRequired);
}

export function hasInvalidPhoto({ images = [] }: PartialAnamnesis): boolean {
  return images.some(({ quality }) => quality?.isValid === false);
}

/** Whether a photo was checked and found usable. */
function hasUsablePhotos({ images = [] }: PartialAnamnesis): boolean {
  return images.length > 0 && images.every(({ quality }) => quality?.isValid === true);
}
