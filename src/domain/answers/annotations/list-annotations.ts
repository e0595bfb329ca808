import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { type AuditRow, findAudit, findAudits } from '../audits/audit.queries.ts';
import type { Annotation, AuditAnnotation, DermatologistAnnotation } from './annotation.schemas.ts';
import { type AnswerRow, findAnswer, findAnswers } from './annotation.queries.ts';
import { type Authors, findAuthors } from './author.queries.ts';

/**
 * The annotations of cases that `staff` may see, the oldest first. Drafts are their author's alone, also once
 * they are cancelled: what was never signed is no answer, however its status reads. Audits are read by auditors,
 * admins and the physician who has signed what is audited.
 */
export async function listAnnotations(
  tx: Tx,
  staff: Staff,
  caseUuids: readonly string[],
): Promise<Annotation[]> {
  if (caseUuids.length === 0) return [];
  const answers = await findAnswers(tx, caseUuids);
  const audits = await findAudits(tx, caseUuids);
  const me = staff.physician?.id;
  const shownAnswers = answers.filter((row) => row.signed_at !== null || row.physician_id === me);
  const signedByMe = new Set(answers.filter((row) => row.physician_id === me).map(({ uuid }) => uuid));
  const shownAudits = audits.filter((row) => {
    if (row.auditor_id === me) return true;
    if (row.signed_at === null) return false;
    return staff.capabilities.has('case.audit') || signedByMe.has(row.annotation_uuid);
  });
  const authors = await findAuthors(tx, [
    ...shownAnswers.map((row) => row.physician_id),
    ...shownAudits.map((row) => row.auditor_id),
  ]);
  return [
    ...shownAnswers.map((row) => showAnswer(row, authors)),
    ...shownAudits.map((row) => showAudit(row, authors)),
  ];
}

/** One annotation as its author reads it. */
export async function showAnnotation(tx: Tx, row: AnswerRow | AuditRow): Promise<Annotation> {
  if ('auditor_id' in row) return showAudit(row, await findAuthors(tx, [row.auditor_id]));
  return showAnswer(row, await findAuthors(tx, [row.physician_id]));
}

/** As {@link showAnnotation}, by its UUID. */
export async function findAnnotation(tx: Tx, uuid: string): Promise<Annotation | undefined> {
  const row = (await findAnswer(tx, uuid)) ?? (await findAudit(tx, uuid));
  return row && (await showAnnotation(tx, row));
}

export function showAnswer(row: AnswerRow, authors: Authors): DermatologistAnnotation {
  const { id: _id, tenant_id: _tenant, physician_id: author, ...shown } = row;
  return {
    ...shown,
    kind: 'dermatologist',
    status: row.status,
    author: authors.get(author) ?? null,
    language: Language.parse(row.language),
    diagnoses: row.diagnoses as unknown as DermatologistAnnotation['diagnoses'],
    severity: row.severity,
    recommended_action: row.recommended_action as DermatologistAnnotation['recommended_action'],
    treatments: row.treatments as unknown as DermatologistAnnotation['treatments'],
    follow_up: row.follow_up as DermatologistAnnotation['follow_up'],
    referral: row.referral as DermatologistAnnotation['referral'],
    ai_agreement: row.ai_agreement,
    contradiction_reasons: row.contradiction_reasons as DermatologistAnnotation['contradiction_reasons'],
  };
}

function showAudit(row: AuditRow, authors: Authors): AuditAnnotation {
  const { tenant_id: _tenant, auditor_id: author, ...shown } = row;
  return {
    ...shown,
    kind: 'audit',
    status: row.status,
    author: authors.get(author) ?? null,
    agreement: row.agreement,
    own_diagnosis: row.own_diagnosis as AuditAnnotation['own_diagnosis'],
    scores: row.scores as AuditAnnotation['scores'],
  };
}
