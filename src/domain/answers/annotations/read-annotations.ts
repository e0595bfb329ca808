import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findVisibleCase } from '../../cases/record/visible-cases.ts';
import { isVisibleTo } from '../../cases/record/visible-cases.queries.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import type { Annotation } from './annotation.schemas.ts';
import { listAnnotations } from './list-annotations.ts';
import { recordAnnotationReads } from './record-annotation-reads.ts';

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
    await recordAnnotationReads(tx, context, actor, [record], annotations);
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
    await recordAnnotationReads(tx, context, actor, records, annotations);
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
