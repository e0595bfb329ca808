import type { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { possibleAges, type AgeRange } from '../../intake/anamnesis/age.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { parseAnamnesis } from '../../intake/anamnesis/parse-anamnesis.ts';
import { readAnamnesis } from '../record/analysis.queries.ts';
import type { CaseRules } from '../record/case-rules.ts';
import { ageInYears } from '../../identity/patients/age.ts';
import { readPatient } from '../../identity/patients/patient.queries.ts';
import { listPhotosToJudge } from '../photos/case-photos.queries.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { countRecentCases, findDuplicate } from './eligibility.queries.ts';
import type { EligibilityFacts, Membership } from '../record/evaluate-eligibility.ts';

/** What the rules judge of a case, as the database has it in this transaction. */
export async function gatherFacts(
  tx: Tx,
  record: CaseRecord,
  {
    rules,
    membership,
    imageUrlHosts,
    now,
  }: {
    rules: CaseRules;
    membership: Membership;
    imageUrlHosts: readonly string[];
    now: Date;
  },
): Promise<EligibilityFacts> {
  const { quota, duplicate_days: days } = rules.eligibility;
  const anamnesis = await readAnamnesis(tx, record);
  const photos = await listPhotosToJudge(tx, record.uuid);
  const patient = await readPatient(tx, record.patient_id);
  const hashes = photos.map(({ sha256 }) => sha256);
  return {
    consent: { given: record.consent_version, current: rules.consentVersion },
    missingAnswers: missingAnswers(anamnesis, record.language, imageUrlHosts),
    photos: photos.map(({ verdict }) => verdict ?? undefined),
    ages: agesOf(patient.birth_date, anamnesis, now),
    relation: patient.relation,
    sites: (anamnesis.locations ?? []).flatMap(({ primary }) => primary ?? []),
    membership,
    recentCases: await countRecentCases(tx, record, quota.days, now),
    duplicateOf: await findDuplicate(tx, record, {
      complaint: anamnesis.complaint?.category,
      photos: hashes,
      days,
      now,
    }),
    hasUrgentFlag: record.urgent_flags.length > 0 || record.urgency === 'emergency',
  };
}

/** Pointers to what a complete anamnesis needs besides these answers. */
export function missingAnswers(
  anamnesis: PartialAnamnesis,
  language: Language,
  imageUrlHosts: readonly string[],
): string[] {
  const parsed = parseAnamnesis(anamnesis, { language, imageUrlHosts });
  return parsed.ok ? [] : parsed.errors.map(({ pointer }) => pointer);
}

/** The birth date is known better than an answer about the age. */
function agesOf(birthDate: string | null, anamnesis: PartialAnamnesis, now: Date): AgeRange | undefined {
  if (birthDate === null) return possibleAges(anamnesis.patient);
  const age = ageInYears(birthDate, now);
  return { min: age, max: age };
}
