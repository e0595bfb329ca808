import type { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { findDiseases } from '../../catalogue/diseases/disease.queries.ts';
import { actionText } from '../../intake/triage/action-text.ts';
import type { DermatologistAnnotation } from '../annotations/annotation.schemas.ts';
import { type AnswerData, dayOf, daysAfter, type StatementFacts } from './answer-data.ts';
import { readAuthorFacts, readCaseFacts } from './answer-data.queries.ts';
import { answerLabels } from './answer-labels.ts';
import { composeText } from './compose-text.ts';
import { diagnosesIn } from './diagnosis-data.ts';
import { defaultAnswer } from './default-text.ts';
import { requireBody } from './template.queries.ts';

/** What a physician has stated in an answer, and in which language. */
export type StatedAnswer = Pick<
  DermatologistAnnotation,
  | 'language'
  | 'diagnoses'
  | 'severity'
  | 'recommended_action'
  | 'recommendation_text'
  | 'treatments'
  | 'follow_up'
  | 'referral'
  | 'patient_message'
  | 'template_id'
>;

/**
 * The whole text of an answer as the patient reads it, by its template or by the one that is shipped. Paragraphs are parted
 * by blank lines, items of lists begin with `- `; everything that people wrote is text in it. The same facts give the same
 * text.
 *
 * @param at when it is signed: decides the dates and the age.
 * @param timeZone of the clinic, whose days the dates are.
 * @param physicianId of `physicians`, who signs.
 * @throws {Problem} `template_not_found` where the template is gone, another physician's or not in this language;
 *   `template_invalid` where it makes more than an answer may have, or nothing that the patient could read.
 */
export async function renderAnswer(
  tx: Tx,
  {
    answer,
    record,
    physicianId,
    at,
    timeZone,
  }: {
    answer: StatedAnswer;
    record: CaseRecord;
    physicianId: number;
    at: Date;
    timeZone: string;
  },
): Promise<string> {
  const { language } = answer;
  const today = dayOf(at, timeZone);
  const diseases = await findDiseases(
    tx,
    answer.diagnoses.map(({ disease_id: id }) => id),
  );
  const data: AnswerData = {
    ...(await readCaseFacts(tx, record, language, { at, timeZone })),
    ...(await readAuthorFacts(tx, record.tenant_id, physicianId)),
    ...diagnosesIn(language, answer.diagnoses, diseases),
    ...statementsIn(language, answer, today),
    today,
  };
  const id = answer.template_id;
  const source =
    id === null
      ? { blocks: defaultAnswer(data, language) }
      : { body: await requireBody(tx, { id, physicianId, language }) };
  const { text } = composeText(data, language, source);
  if (text === '')
    throw new Problem('template_invalid', { detail: 'The template makes no text of this answer.' });
  return text;
}

function statementsIn(language: Language, answer: StatedAnswer, today: string): StatementFacts {
  const { severity, recommended_action: action, follow_up: followUp, referral } = answer;
  return {
    severity: severity && answerLabels(language).severities[severity],
    severity_code: severity,
    action: { text: action && actionText(action, language), code: action },
    recommendation_text: answer.recommendation_text,
    patient_message: answer.patient_message,
    treatments: answer.treatments.map((each) => ({
      name: each.name,
      route: each.route,
      dosage: each.dosage_text,
      duration: each.duration_text,
    })),
    follow_up: {
      in_days: followUp?.in_days ?? null,
      on: followUp && daysAfter(today, followUp.in_days),
      how: followUp?.how ?? null,
    },
    referral: {
      type: referral?.type ?? null,
      urgency: referral?.urgency ?? null,
      text: referral?.text ?? null,
    },
  };
}
