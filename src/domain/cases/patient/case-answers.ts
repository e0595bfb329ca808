import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { parseAnamnesis, parseOptionsOf } from '../../intake/anamnesis/parse-anamnesis.ts';
import { imageUuidOf } from '../../media/images/visible-images.ts';
import { requireSameAge, withKnownAge } from '../../identity/patients/known-age.ts';
import type { CasePatient } from './case.queries.ts';

/** The size of an anamnesis as JSON; the body around it may be larger. */
const maxBytes = 64 * 1024;

/**
 * The answers of a case, as they are stored: valid as far as they go, of the patient whom the case is about, and without
 * `images`, which the photos of the case stand for.
 *
 * @param photos UUIDs of the case's photos: a list that the answers bring along must name the same.
 * @throws {Problem} `anamnesis_invalid` with pointers that begin with `/anamnesis`, `age_mismatch`, `payload_too_large`
 */
export function readCaseAnswers(
  context: Pick<Context, 'request' | 'config'>,
  input: unknown,
  patient: CasePatient,
  photos: readonly string[],
  { isByStaff }: { isByStaff: boolean },
): PartialAnamnesis {
  if (Buffer.byteLength(JSON.stringify(input)) > maxBytes)
    throw new Problem('payload_too_large', { detail: 'The anamnesis may have at most 64 KiB.' });
  const parsed = parseAnamnesis(input, { ...parseOptionsOf(context), partial: true });
  const errors = parsed.ok
    ? [...wrongReporter(parsed.value, patient), ...wrongPhotos(parsed.value, photos)]
    : parsed.errors;
  if (!parsed.ok || errors.length > 0) throw refused(errors);
  const { images: _photos, ...answers } = parsed.value;
  const reporter = answers.reporter ?? (isByStaff ? 'clinician' : reporters[patient.relation]);
  const { receivedAt: now } = context.request;
  requireSameAge(answers, patient.birth_date, now);
  return withKnownAge({ ...answers, reporter }, patient.birth_date, now);
}

/**
 * Stored answers as if they had been given about another profile. What the gateway has filled in by the profile, the reporter and
 * the age by its birth date, is not what anyone has answered: it follows the profile.
 */
export function aboutOther(answers: PartialAnamnesis, from: CasePatient, to: CasePatient): PartialAnamnesis {
  const { patient, ...rest } = answers;
  const { ageYears: _years, ageMonths: _months, ageGroup: _group, ...stated } = patient ?? {};
  const isFilledIn = answers.reporter !== undefined && answers.reporter === reporters[from.relation];
  return {
    ...rest,
    ...(patient !== undefined && { patient: from.birth_date === null ? patient : stated }),
    ...(isFilledIn && { reporter: reporters[to.relation] }),
  };
}

function refused(errors: readonly FieldError[]): Problem {
  return new Problem('anamnesis_invalid', {
    errors: errors.map((error) => ({ ...error, pointer: `/anamnesis${error.pointer}` })),
  });
}

/** A child does not answer for itself, and an adult has no guardian. */
function wrongReporter({ reporter }: PartialAnamnesis, { relation }: CasePatient): FieldError[] {
  const isWrong = relation === 'self' ? reporter === 'parent_guardian' : reporter === 'self';
  if (!isWrong) return [];
  return [{ pointer: '/reporter', code: 'invalid_value', message: 'Does not fit the profile of the case.' }];
}

function wrongPhotos({ images }: PartialAnamnesis, photos: readonly string[]): FieldError[] {
  if (images === undefined) return [];
  const named = new Set(images.map(({ url }) => imageUuidOf(url)));
  if (named.size === new Set(photos).size && photos.every((uuid) => named.has(uuid))) return [];
  const message = 'Must name the photos of the case, or be absent.';
  return [{ pointer: '/images', code: 'invalid_value', message }];
}

const reporters: Readonly<Record<string, PartialAnamnesis['reporter']>> = {
  self: 'self',
  child: 'parent_guardian',
  ward: 'caregiver',
  other: 'caregiver',
};
