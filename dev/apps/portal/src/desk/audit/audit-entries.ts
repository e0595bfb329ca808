import type { AuditAgreement, DiagnosisInput } from 'dermagate-client';
import type { AuditBody } from '../../gateway/desk-calls.ts';
import { UnsentEntries } from '../parts/unsent-entries.ts';
import { withoutControls } from '../../gateway/without-controls.ts';
import { type EnteredScores, scoresOf } from './scores.ts';

/** The judgement of an answer until it is signed. */
export interface AuditEntries {
  /** UUID of the answer that was read when the entries began. */
  answer: string | undefined;
  agreement: AuditAgreement | undefined;
  ownDiagnosis: DiagnosisInput | undefined;
  scores: EnteredScores;
  isUnsafe: boolean;
  mustCorrect: boolean;
  comment: string;
}

export const emptyAudit = (answer: string | undefined): AuditEntries => ({
  answer,
  agreement: undefined,
  ownDiagnosis: undefined,
  scores: {},
  isUnsafe: false,
  mustCorrect: false,
  comment: '',
});

export const isEntered = (entries: AuditEntries): boolean =>
  JSON.stringify(entries) !== JSON.stringify(emptyAudit(entries.answer));

export const audits = new UnsentEntries<AuditEntries>(isEntered);

/** What is sent; otherwise the first part that is missing. */
export function auditOf(entries: AuditEntries): AuditBody | 'agreement' | 'scores' {
  const { agreement, ownDiagnosis, isUnsafe, mustCorrect, comment } = entries;
  const scores = scoresOf(entries.scores);
  if (agreement === undefined) return 'agreement';
  if (scores === undefined) return 'scores';
  return {
    agreement,
    own_diagnosis: ownDiagnosis ?? null,
    scores,
    safety_issue: isUnsafe,
    requires_correction: mustCorrect,
    comment: withoutControls(comment).trim() || null,
  };
}
