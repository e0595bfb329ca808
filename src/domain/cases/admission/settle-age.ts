import type { Tx } from '../../../lib/db/connect.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import { withKnownAge } from '../../identity/patients/known-age.ts';
import { readPatient } from '../../identity/patients/patient.queries.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { readAnamnesis } from '../record/analysis.queries.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { insertRevisionWithAge } from './settle-age.queries.ts';

type Case = Pick<CaseRecord, 'uuid' | 'tenant_id' | 'patient_id' | 'anamnesis_revision'>;

export interface Settled {
  /** As they are stored from now on. */
  anamnesis: PartialAnamnesis;
  revision: number;
  /** As they were stored. */
  before: PartialAnamnesis;
  birthDate: string | null;
}

/**
 * The answers of a case with the age that its patient has now, as a new revision where that differs: since they were stored,
 * the birth date may have been corrected in the profile, or a month may have passed.
 *
 * @param record locked; its `anamnesis_revision` is for the caller to write.
 */
export async function settleAge(tx: Tx, record: Case, now: Date): Promise<Settled> {
  const before = await readAnamnesis(tx, record);
  const { birth_date: birthDate } = await readPatient(tx, record.patient_id);
  const anamnesis = withKnownAge(before, birthDate, now);
  const text = canonicalJson(anamnesis);
  if (text === canonicalJson(before))
    return { before, birthDate, anamnesis, revision: record.anamnesis_revision };
  const revision = record.anamnesis_revision + 1;
  await insertRevisionWithAge(tx, record, { revision, text }, now);
  return { before, birthDate, anamnesis, revision };
}
