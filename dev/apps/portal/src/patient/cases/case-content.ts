import type { CaseImageInput, PartialAnamnesis, Profile } from 'dermagate-client';
import { type Intake, stateOf } from '../intake/intake.ts';

export interface CaseContent {
  /** Without `images`, which the gateway adds by itself. */
  anamnesis: PartialAnamnesis;
  images: CaseImageInput[];
}

/** What a case consists of, by the answers so far. */
export function contentOf(intake: Intake): CaseContent {
  const { images = [], ...anamnesis } = stateOf(intake).anamnesis;
  // One photo may answer two questions; a case names it once.
  const names = new Set(images.flatMap(({ url }) => (url === undefined ? [] : [nameOf(url)])));
  return { anamnesis, images: [...names].map((name) => ({ name })) };
}

/** @param path such as `/api/common/images/<uuid>`. */
export const nameOf = (path: string): string => path.split('/').at(-1) ?? '';

/** Years from which the questionnaire no longer asks who answers (`q_reporter`): the patient, as a rule. */
const ANSWERS_ALONE = 16;

/** Whether the answers are about another person than the account owner, or of a child whose relation is unknown. */
export function mayBeAnother({ reporter, patient = {} }: PartialAnamnesis): boolean {
  if (reporter !== undefined) return reporter === 'parent_guardian' || reporter === 'caregiver';
  return (patient.ageYears ?? ANSWERS_ALONE) < ANSWERS_ALONE;
}

/**
 * The profile to preselect, and whose name to print: the chosen one while the answers can be about it, else the account
 * owner's where the answers are about the owner by all that is known.
 */
export function likelyPerson(intake: Intake, profiles: readonly Profile[]): Profile | undefined {
  const { anamnesis } = contentOf(intake);
  const fitting = profiles.filter((profile) => fits(profile, anamnesis));
  return (
    fitting.find(({ uuid }) => uuid === intake.person?.uuid) ??
    fitting.find((profile) => profile.relation === 'self' && isOwner(profile, anamnesis))
  );
}

/** The gateway, too, accepts an age that differs from the profile's by a year. */
function isOwner({ age_years: known }: Profile, anamnesis: PartialAnamnesis): boolean {
  const { reporter, patient: { ageYears: stated } = {} } = anamnesis;
  if (reporter === 'self') return true;
  return known === null || stated === undefined ? !mayBeAnother(anamnesis) : Math.abs(known - stated) <= 1;
}

/** A child does not answer for itself, and an adult has no guardian. The gateway refuses both. */
export function fits({ relation }: Pick<Profile, 'relation'>, { reporter }: PartialAnamnesis): boolean {
  return relation === 'self' ? reporter !== 'parent_guardian' : reporter !== 'self';
}
