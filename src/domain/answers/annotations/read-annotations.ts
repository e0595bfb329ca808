import type { AccountActor } from '../../../contract/actor.ts';
import type { AuditContext } from '../../../lib/audit.ts';
import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findVisibleCase, isVisibleTo } from '../../cases/access/visible-cases.ts';
import type { CaseRecord } from '../../cases/state/apply-transition.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../identity/throttle/count-patients-read.ts';
import type { Annotation } from './annotation.schemas.ts';
import { listAnnotations } from './list-annotations.ts';

/** Which of them: of one kind, with one of these statuses; all where absent. */
export interface AnnotationFilter {
  kind?: Annotation['kind'] | 'all' | undefined;
  status?: readonly Annotation['status'][] | undefined;
}

type ReadCase = Pick<CaseRecord, 'uuid' | 'patient_id'>;

/**
 * The annotations of a case that the caller may read, the oldest first.
 * @throws {Problem} `case_not_found`
 */
export async function readAnnotations(
  context: Context,
  actor: AccountActor,
  uuid: string,
  filter: AnnotationFilter,
): Promise<Annotation[]> {
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const record = await findVisibleCase(tx, staff, uuid);
    const annotations = filtered(await listAnnotations(tx, staff, [record.uuid]), filter);
    await recordReads(tx, context.audit, [record], annotations);
    await countPatients(tx, context, actor, annotations.length === 0 ? [] : [record]);
    return annotations;
  });
}

/** The annotations of many cases, by case; cases that the caller may not see are left out. */
export async function readAnnotationsOf(
  context: Context,
  actor: AccountActor,
  uuids: readonly string[],
  filter: AnnotationFilter,
): Promise<Record<string, Annotation[]>> {
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const records = await tx
      .selectFrom('request_records')
      .select(['uuid', 'patient_id'])
      .where('uuid', 'in', [...new Set(uuids)])
      .where(isVisibleTo(staff))
      .execute();
    const visible = records.map(({ uuid }) => uuid);
    const annotations = filtered(await listAnnotations(tx, staff, visible), filter);
    await recordReads(tx, context.audit, records, annotations);
    const read = records.filter(({ uuid }) => annotations.some(({ case_uuid: of }) => of === uuid));
    await countPatients(tx, context, actor, read);
    return Object.fromEntries(
      visible.map((uuid) => [uuid, annotations.filter(({ case_uuid: of }) => of === uuid)]),
    );
  });
}

const filtered = (
  annotations: readonly Annotation[],
  { kind = 'all', status }: AnnotationFilter,
): Annotation[] =>
  annotations.filter(
    (each) =>
      (kind === 'all' || each.kind === kind) && (status === undefined || status.includes(each.status)),
  );

async function countPatients(
  tx: Tx,
  context: Context,
  actor: AccountActor,
  records: readonly ReadCase[],
): Promise<void> {
  if (records.length === 0) return;
  const patients = await tx
    .selectFrom('patients')
    .select('uuid')
    .where(
      'id',
      'in',
      records.map(({ patient_id: id }) => id),
    )
    .execute();
  await countPatientsRead(
    tx,
    context,
    actor,
    patients.map(({ uuid }) => uuid),
  );
}

/** An event for each case, in one statement: the trail of a case names all its readers. */
async function recordReads(
  tx: Tx,
  audit: AuditContext,
  records: readonly ReadCase[],
  annotations: readonly Annotation[],
): Promise<void> {
  if (records.length === 0) return await audit.succeeded(tx, { detail: { annotations: 0 } });
  const rows = records.map(({ uuid, patient_id: patientId }) =>
    audit.row('success', {
      subject: { kind: 'case', uuid },
      caseUuid: uuid,
      patientId,
      detail: { annotations: annotations.filter(({ case_uuid: of }) => of === uuid).length },
    }),
  );
  await tx
    .insertInto('event_logs')
    .values(rows.map((row) => ({ ...row, detail: JSON.stringify(row.detail) })))
    .execute();
}
