import type { AccountActor } from '../../../contract/actor.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findVisibleCase } from '../../cases/record/visible-cases.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { findPatientUuids, findVisibleCases, insertEvents, type ReadCase } from './annotated-case.queries.ts';
import type { Annotation } from './annotation.schemas.ts';
import { listAnnotations } from './list-annotations.ts';

/** Which of them: of one kind, with one of these statuses; all where absent. */
export interface AnnotationFilter {
  kind?: Annotation['kind'] | 'all' | undefined;
  status?: readonly Annotation['status'][] | undefined;
}

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
    await recordReads(tx, context, actor, [record], annotations);
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
    const records = await findVisibleCases(tx, staff, [...new Set(uuids)]);
    const visible = records.map(({ uuid }) => uuid);
    const annotations = filtered(await listAnnotations(tx, staff, visible), filter);
    await recordReads(tx, context, actor, records, annotations);
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

/** Records in the trail of each case who has read its annotations, and counts the patients whose cases had any. */
async function recordReads(
  tx: Tx,
  context: Context,
  actor: AccountActor,
  records: readonly ReadCase[],
  annotations: readonly Annotation[],
): Promise<void> {
  await recordEvents(tx, context.audit, records, annotations);
  const read = records.filter(({ uuid }) => annotations.some(({ case_uuid: of }) => of === uuid));
  if (read.length === 0) return;
  const ids = read.map(({ patient_id: id }) => id);
  await countPatientsRead(tx, context, actor, await findPatientUuids(tx, ids));
}

/** An event for each case, in one statement: the trail of a case names all its readers. */
async function recordEvents(
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
  await insertEvents(tx, rows);
}
