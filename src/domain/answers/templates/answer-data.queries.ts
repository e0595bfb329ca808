import type { Tx } from '../../../lib/db/connect.ts';
import type { Language } from '../../../contract/language.ts';
import { readAnamnesis } from '../../cases/record/analysis.queries.ts';
import { personColumns, toPerson } from '../../identity/patients/person.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { physicianName } from '../../identity/physicians/display-name.ts';
import { storedSettings } from '../../identity/physicians/physician-settings.schemas.ts';
import { labelOf } from '../../intake/anamnesis/labels.ts';
import { Duration } from '../../intake/anamnesis/vocabulary/complaint.ts';
import { LocationPrimary, LocationSecondary } from '../../intake/anamnesis/vocabulary/locations.ts';
import { Gender } from '../../intake/anamnesis/vocabulary/patient.ts';
import { wordsFor } from '../../intake/red-flags/flag-text.ts';
import { type AnswerData, dayOf } from './answer-data.ts';

type CaseFacts = Pick<AnswerData, 'patient' | 'case' | 'red_flags'>;

/** What a text says where it belongs to no case. */
export const withoutCase: CaseFacts = {
  patient: { display_name: null, age_years: null, gender: null, gender_code: null },
  case: { id: null, submitted_on: null, location: null, duration: null },
  red_flags: [],
};

/** The patient and the case of a text, in its language. */
export async function readCaseFacts(
  tx: Tx,
  record: CaseRecord,
  language: Language,
  { at, timeZone }: { at: Date; timeZone: string },
): Promise<CaseFacts> {
  const row = await tx
    .selectFrom('patients')
    .select(personColumns)
    .where('id', '=', record.patient_id)
    .executeTakeFirstOrThrow();
  const { display_name, age_years, gender } = toPerson(row, at);
  const { locations = [], complaint } = await readAnamnesis(tx, record);
  const main = locations.find((each) => each?.isMain === true) ?? locations[0];
  const duration = complaint?.duration;
  return {
    patient: {
      display_name,
      age_years,
      gender: gender === null ? null : labelOf(Gender, gender, language),
      gender_code: gender,
    },
    case: {
      id: record.id,
      submitted_on: record.submitted_at === null ? null : dayOf(record.submitted_at, timeZone),
      location: placeOf(main, language),
      duration: duration === undefined ? null : labelOf(Duration, duration, language),
    },
    red_flags: flagWords(record.red_flags, language),
  };
}

/** A code of the AI service may be a diagnosis, which no physician has made: it is no text for a patient. */
export const flagWords = (codes: readonly string[], language: Language): AnswerData['red_flags'] =>
  [...new Set(codes.map((code) => wordsFor(code, language)))].map((text) => ({ text }));

function placeOf(
  location: { primary?: LocationPrimary | undefined; secondary?: LocationSecondary | undefined } | undefined,
  language: Language,
): string | null {
  if (location?.secondary !== undefined) return labelOf(LocationSecondary, location.secondary, language);
  return location?.primary === undefined ? null : labelOf(LocationPrimary, location.primary, language);
}

/** Who writes a text, and for which clinic. @param physicianId null for an admin who is no physician. */
export async function readAuthorFacts(
  tx: Tx,
  tenantId: number,
  physicianId: number | null,
): Promise<Pick<AnswerData, 'physician' | 'tenant'>> {
  const tenant = await tx
    .selectFrom('tenants')
    .select('name')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const row =
    physicianId === null
      ? undefined
      : await tx
          .selectFrom('physicians')
          .select(['id', 'employee_id', 'settings'])
          .where('id', '=', physicianId)
          .executeTakeFirst();
  if (row === undefined) {
    return { tenant, physician: { display_name: null, employee_id: null, signature: null } };
  }
  return {
    tenant,
    physician: {
      display_name: physicianName(row),
      employee_id: row.employee_id === null ? null : String(row.employee_id),
      signature: storedSettings(row.settings).signature_text ?? null,
    },
  };
}
