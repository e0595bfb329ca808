import type { Selectable } from 'kysely';
import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { AuditAnnotations, DermatologistAnnotations } from '../../../lib/db/tables.ts';
import type { PhysicianRef } from '../../cases/record/case-summary.schemas.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { physicianName } from '../../identity/physicians/display-name.ts';
import type { Annotation, AuditAnnotation, DermatologistAnnotation } from './annotation.schemas.ts';

export type AnnotationRow = Selectable<DermatologistAnnotations>;
export type AuditRow = Selectable<AuditAnnotations>;

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
  const answers = await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('case_uuid', 'in', caseUuids)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const audits = await tx
    .selectFrom('audit_annotations')
    .selectAll()
    .where('case_uuid', 'in', caseUuids)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
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
export async function showAnnotation(tx: Tx, row: AnnotationRow | AuditRow): Promise<Annotation> {
  if ('auditor_id' in row) return showAudit(row, await findAuthors(tx, [row.auditor_id]));
  return showAnswer(row, await findAuthors(tx, [row.physician_id]));
}

/** As {@link showAnnotation}, by its UUID. */
export async function findAnnotation(tx: Tx, uuid: string): Promise<Annotation | undefined> {
  const answer = await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  const row =
    answer ??
    (await tx.selectFrom('audit_annotations').selectAll().where('uuid', '=', uuid).executeTakeFirst());
  return row && (await showAnnotation(tx, row));
}

/** By `physicians.id`. */
export type Authors = ReadonlyMap<number | null, PhysicianRef>;

export async function findAuthors(tx: Tx, ids: readonly (number | null)[]): Promise<Authors> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const rows = await tx
    .selectFrom('physicians')
    .select(['id', 'uuid', 'settings'])
    .where('id', 'in', known)
    .execute();
  return new Map(rows.map((row) => [row.id, { uuid: row.uuid, display_name: physicianName(row) }]));
}

export function showAnswer(row: AnnotationRow, authors: Authors): DermatologistAnnotation {
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
  };
}

export function showAudit(row: AuditRow, authors: Authors): AuditAnnotation {
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
