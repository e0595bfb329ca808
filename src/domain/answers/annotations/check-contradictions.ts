import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { isEmergencyDisease } from '../../catalogue/diseases/disease.queries.ts';
import { highestUrgency, type RedFlagUrgency } from '../../intake/red-flags/red-flags.schemas.ts';
import type { RecommendedAction, TriageLevel } from '../../intake/triage/triage.schemas.ts';
import type { AnswerInput } from './annotation-input.schemas.ts';
import type { AnswerRow } from './annotation.queries.ts';
import { flagsOf } from './check-answer.ts';
import { contradictionsOf, isEmergencyCode } from './contradictions.ts';

type Reasons = AnswerInput['contradiction_reasons'];

/** Why an answer was signed although it contradicts the danger of its case. */
export const reasonsOf = ({ contradiction_reasons: reasons }: Pick<AnswerRow, 'contradiction_reasons'>) =>
  reasons as Reasons;

/**
 * The reasons that an answer needs: those for what is no contradiction are left out.
 * @param input complete.
 * @throws {Problem} `answer_contradicts_urgency` with every contradiction, where one lacks its reason or the confirmation.
 */
export async function requireReasons(tx: Tx, record: CaseRecord, input: AnswerInput): Promise<Reasons> {
  const contradictions = contradictionsOf({
    action: input.recommended_action as RecommendedAction,
    metFlag: await metUrgency(tx, record),
    triageLevel: record.triage_level as TriageLevel | null,
    hasEmergencyDiagnosis: await namesEmergency(tx, input),
    isConfirmed: input.diagnoses.some(({ certainty }) => certainty === 'confirmed'),
    photosOk: input.image_quality_ok === true,
  });
  const reasonFor = (code: string) => input.contradiction_reasons.find((each) => each.code === code);
  const isRefused = contradictions.some(
    ({ code, is_emergency: isEmergency }) =>
      reasonFor(code) === undefined || (isEmergency && !input.confirm_emergency),
  );
  if (isRefused) throw new Problem('answer_contradicts_urgency', { members: { contradictions } });
  return contradictions.flatMap(({ code }) => reasonFor(code) ?? []);
}

/** A flag that the AI service names without a certainty counts as met. */
async function metUrgency(tx: Tx, record: CaseRecord): Promise<RedFlagUrgency | null> {
  const met = (await flagsOf(tx, record)).filter(({ certainty }) => certainty !== 'not_excluded');
  return met.length === 0 ? null : highestUrgency(met.map(({ urgency }) => urgency));
}

async function namesEmergency(tx: Tx, { diagnoses }: Pick<AnswerInput, 'diagnoses'>): Promise<boolean> {
  for (const each of diagnoses) {
    if (each.certainty === 'excluded') continue;
    if (each.code_system === 'icd10' && isEmergencyCode(each.code)) return true;
    if (await isEmergencyDisease(tx, each)) return true;
  }
  return false;
}
