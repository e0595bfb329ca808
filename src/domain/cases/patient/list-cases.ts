import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import type { MobileCase } from '../record/mobile-case.schemas.ts';
import { showsPredictions } from './read-case.ts';
import { showCases } from './show-cases.ts';

/**
 * The caller's cases, the newest first. Pages go by keys: cases that arrive meanwhile neither repeat nor hide others.
 * @throws {Problem} `cursor_invalid`
 */
export async function listCases(
  context: Context,
  actor: AccountActor,
  {
    patientUuid,
    cursor,
    limit,
  }: { patientUuid?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<MobileCase>> {
  const { db, config, request } = context;
  const filters = { account: actor.uuid, patient: patientUuid ?? null };
  const scope = { list: 'mobile cases, newest first', tenantId: actor.tenantId, filters };
  const [at, id] = cursor === undefined ? [] : openCursor(config, scope, cursor);
  const showPredictions = await showsPredictions(context, actor.tenantId);
  return await inTenant(db, actor.tenantId, async (tx) => {
    const records = await tx
      .selectFrom('request_records as record')
      .selectAll('record')
      .where('record.account_user_id', '=', actor.id)
      .where('record.erased_at', 'is', null)
      .$if(patientUuid !== undefined, (query) =>
        query.where('record.patient_id', '=', (eb) =>
          eb
            .selectFrom('patients')
            .select('id')
            .where('uuid', '=', patientUuid ?? ''),
        ),
      )
      .$if(at !== undefined, (query) =>
        query.where(sql<boolean>`(record.created_at, record.id) < (${at}::timestamptz, ${id}::bigint)`),
      )
      .orderBy('record.created_at', 'desc')
      .orderBy('record.id', 'desc')
      .limit(limit + 1)
      .execute();
    const page = toPage(records, limit, (last) =>
      sealCursor(config, scope, [last.created_at.toISOString(), last.id]),
    );
    return { ...page, items: await showCases(tx, { request, config, showPredictions }, page.items) };
  });
}
