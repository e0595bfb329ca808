import { Language } from '../../../contract/language.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { readAnamnesis } from '../../cases/record/analysis.queries.ts';
import { adviceOf } from '../../cases/patient/case-advice.ts';
import { findAnalyses } from '../../cases/patient/shown-cases.queries.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { requireDiseases } from '../../catalogue/diseases/disease.queries.ts';
import { type FlagDetail, isUrgent } from '../../intake/red-flags/red-flags.schemas.ts';
import { requireBody } from '../templates/template.queries.ts';
import { type AnswerInput, longestFlag, mostFlags } from './annotation-input.schemas.ts';
import type { AnswerRow } from './annotation.queries.ts';
import type { DiagnosisStatement } from './diagnosis-statement.schemas.ts';

/** @throws {Problem} `validation_error` that names all that a signed answer still lacks. */
export function requireComplete(input: AnswerInput): void {
  const errors: FieldError[] = [];
  const refuse = (pointer: string, code: string, message: string) => errors.push({ pointer, code, message });
  const { diagnoses } = input;
  const primary = diagnoses.filter((each) => each.is_primary);
  if (diagnoses.length === 0) refuse('/diagnoses', 'required', 'State at least one diagnosis.');
  else if (primary.length !== 1) {
    refuse('/diagnoses', 'one_primary', 'Exactly one diagnosis must be the primary one.');
  }
  for (const [index, { is_primary: isPrimary, certainty }] of diagnoses.entries()) {
    if (isPrimary && certainty === 'excluded') {
      refuse(`/diagnoses/${index}/certainty`, 'invalid_value', 'The primary diagnosis cannot be excluded.');
    }
  }
  if (input.recommended_action === null) {
    refuse('/recommended_action', 'required', 'Say what the patient should do.');
  }
  if (input.image_quality_ok === null) {
    refuse('/image_quality_ok', 'required', 'Say whether the photos were good enough.');
  }
  if (errors.length > 0) throw new Problem('validation_error', { errors });
}

/**
 * Every flag of high or emergency urgency that the case has must have been seen, or as many as an answer can name.
 * @throws {Problem} `red_flags_unacknowledged` with `missing`
 */
export async function requireAcknowledged(
  tx: Tx,
  record: CaseRecord,
  acknowledged: readonly string[],
): Promise<void> {
  const urgent = await urgentFlagsOf(tx, record);
  const seen = new Set(acknowledged);
  const unseen = urgent.filter((code) => !seen.has(code));
  const missing = unseen.slice(0, Math.max(0, mostFlags - (urgent.length - unseen.length)));
  if (missing.length > 0) throw new Problem('red_flags_unacknowledged', { members: { missing } });
}

/** The flags of a case as its staff read them. */
export async function flagsOf(tx: Tx, record: CaseRecord): Promise<FlagDetail[]> {
  if (record.red_flags.length === 0) return [];
  const anamnesis = await readAnamnesis(tx, record);
  const analyses = await findAnalyses(tx, [record]);
  return adviceOf(record, anamnesis, analyses.get(record.ml_result_uuid ?? ''), 'en')?.flagDetails ?? [];
}

/** Those that were met, and those that are urgent without having been met for certain. */
async function urgentFlagsOf(tx: Tx, record: CaseRecord): Promise<string[]> {
  const detailed = (await flagsOf(tx, record)).filter(({ urgency }) => isUrgent(urgency));
  const urgent = [...record.urgent_flags, ...detailed.map(({ code }) => code)];
  // An answer can name neither an empty code nor a longer one, which older records have from an AI service.
  return [...new Set(urgent)].filter((code) => code !== '' && code.length <= longestFlag);
}

/**
 * What an answer refers to must exist.
 * @param physicianId its author.
 * @param earlier the draft that is saved or the answer that is amended, whose diagnoses may stay although their diseases are no
 *   longer in use, and whose template although it is gone or has no text in the language; signing needs the template's text all the
 *   same. Undefined for a new answer, and for a draft that is signed.
 * @throws {Problem} `disease_unknown`, `template_not_found`
 */
export async function requireReferences(
  tx: Tx,
  { diagnoses, template_id: id, language }: AnswerInput,
  {
    record,
    physicianId,
    earlier,
  }: {
    record: Pick<CaseRecord, 'language'>;
    physicianId: number;
    earlier?: Pick<AnswerRow, 'diagnoses' | 'template_id'> | undefined;
  },
): Promise<void> {
  await requireDiseases(tx, diagnoses, { retired: (earlier?.diagnoses ?? []) as DiagnosisStatement[] });
  if (id === null || id === earlier?.template_id) return;
  await requireBody(tx, { id, physicianId, language: language ?? Language.parse(record.language) });
}
