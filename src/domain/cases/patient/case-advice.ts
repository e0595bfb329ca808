import { z } from 'zod';
import type { Language } from '../../../contract/language.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { Prediction } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { mergeDetail } from '../../intake/red-flags/assess-red-flags.ts';
import { evaluateRedFlags } from '../../intake/red-flags/evaluate-red-flags.ts';
import { flagText, wordsFor } from '../../intake/red-flags/flag-text.ts';
import { compareUrgency, FlagDetail, RedFlagUrgency } from '../../intake/red-flags/red-flags.schemas.ts';
import { moreUrgentAction, triageFloor } from '../../intake/triage/assess-triage.ts';
import { RecommendedAction } from '../../intake/triage/triage.schemas.ts';
import { isAnswerAvailable } from '../record/answer-available.ts';
import { hasDangerSinceAnswer } from '../record/case-flags.ts';
import { patientStatusOf } from '../record/case-status.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import type { Advice } from '../record/mobile-case.schemas.ts';

/** What of the stored answer of the AI service is shown to a patient. */
export const AnalysedCase = z.object({
  predictions: z.array(Prediction),
  red_flags: z.object({ flagDetails: z.array(FlagDetail).optional() }),
  triage: z.object({ recommendedAction: RecommendedAction }),
});
export type AnalysedCase = z.infer<typeof AnalysedCase>;

/** A flag that was found never reads as one that our rules merely cannot exclude. @param ours in the language of the reader. */
function inLanguage(merged: FlagDetail, ours: FlagDetail, language: Language): FlagDetail {
  const isOpen = merged.certainty === 'not_excluded' && ours.certainty === 'not_excluded';
  return { ...merged, text: isOpen ? ours.text : (flagText(merged.code, language) ?? merged.text) };
}

type Flagged = Pick<CaseRecord, 'red_flags' | 'urgent_flags' | 'urgency' | 'language'>;

/** A flag that was met stays met: answers that have changed since leave it open at most, and prove nothing. */
function unlessMetBefore(detail: FlagDetail, record: Flagged, language: Language): FlagDetail {
  const { code, certainty, urgency } = detail;
  if (certainty !== 'not_excluded' || !record.urgent_flags.includes(code)) return detail;
  const before = urgency === 'medium' ? 'high' : RedFlagUrgency.parse(record.urgency);
  return { ...detail, text: flagText(code, language) ?? detail.text, urgency: before, certainty: 'met' };
}

/** The AI service has put it in the language of the case, which the reader may not know. */
const inWordsOfReader = (theirs: FlagDetail, record: Flagged, language: Language): FlagDetail =>
  record.language === language ? theirs : { ...theirs, text: flagText(theirs.code, language) ?? theirs.text };

/**
 * What the patient must read at once, of every flag that the record has: in the language of the reader where the flag is one
 * of ours, else as the AI service has put it. Null for a draft, whose flags speak once it is submitted.
 */
export function adviceOf(
  record: Flagged,
  anamnesis: PartialAnamnesis | undefined,
  analysis: AnalysedCase | undefined,
  language: Language,
): Advice | null {
  if (record.red_flags.length === 0) return null;
  if (anamnesis === undefined) throw new Error('a case has answers');
  const urgency = RedFlagUrgency.parse(record.urgency);
  const own = evaluateRedFlags(anamnesis, undefined, language).flagDetails;
  const stored = analysis?.red_flags.flagDetails ?? [];
  const detailOf = (code: string): FlagDetail => {
    const ours = own.find((each) => each.code === code);
    const theirs = stored.find((each) => each.code === code);
    // Of an earlier revision of the answers, or named by the AI service without details.
    if (theirs === undefined) return ours ?? { code, text: wordsFor(code, language), urgency };
    if (ours === undefined) return inWordsOfReader(theirs, record, language);
    return inLanguage(mergeDetail(theirs, ours), ours, language);
  };
  const flagDetails = record.red_flags.map((code) => unlessMetBefore(detailOf(code), record, language));
  return {
    urgency,
    flagDetails: flagDetails.toSorted((a, b) => compareUrgency(b.urgency, a.urgency)),
    recommendedAction: actionOf(urgency, analysis),
  };
}

/** What the flags require, or what the analysis advises beyond it. */
function actionOf(urgency: RedFlagUrgency, analysis: AnalysedCase | undefined): RecommendedAction | null {
  const required = triageFloor(urgency)?.recommendedAction;
  const advised = analysis?.triage.recommendedAction;
  if (required === undefined || advised === undefined) return required ?? advised ?? null;
  return moreUrgentAction(required, advised);
}

/**
 * Whether danger was found after the answer that the patient reads. Of an answer from elsewhere nobody knows what it knew: it
 * counts until the case is open again.
 */
export const isAdviceNewer = (record: CaseRecord): boolean =>
  isAnswerAvailable(record) && (hasDangerSinceAnswer(record) ?? patientStatusOf(record) !== 'answered');
