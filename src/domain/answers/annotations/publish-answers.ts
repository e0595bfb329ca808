import { sql } from 'kysely';
import { systemActorOf } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { forEachCase, type FoundCase } from '../../cases/record/for-each-case.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { readAnswerRules } from './answer-work.ts';
import { publishAnswer } from './publish-answer.ts';

/** Answers of one tenant in one run. */
const batch = 200;

// A literal: with a parameter a prepared statement could not use the index that has only such rows.
const isAnswered = sql<boolean>`status = 'answered'`;

export type PublishingWork = Pick<AppContext, 'db' | 'log' | 'clock' | 'outbox'>;

export interface Published {
  published: number;
  failed: number;
}

/**
 * Publishes the signed answers whose time for undoing has passed (T19). What another worker publishes, or its signer takes
 * back at this moment, is left to them.
 */
export async function publishAnswers(work: PublishingWork, now: Date): Promise<Published> {
  let published = 0;
  const { failed } = await forEachCase(
    work,
    (tenantId) => inTenant(work.db, tenantId, (tx) => findDue(tx, tenantId, now)),
    async (found) => {
      if (await publish(work, found, now)) published += 1;
    },
  );
  if (published > 0) work.outbox.kick();
  return { published, failed };
}

async function findDue(tx: Tx, tenantId: number, now: Date): Promise<{ uuid: string }[]> {
  return await tx
    .selectFrom('request_records')
    .select('uuid')
    .where('tenant_id', '=', tenantId)
    .where(isAnswered)
    .where('publish_at', '<=', now)
    .orderBy('publish_at')
    .limit(batch)
    .execute();
}

async function publish(work: PublishingWork, { tenantId, caseUuid }: FoundCase, now: Date): Promise<boolean> {
  const rules = await readAnswerRules(work, tenantId);
  return await inTenant(work.db, tenantId, async (tx) => {
    const record = await lockDue(tx, caseUuid, now);
    if (record === undefined) return false;
    const request = { id: 'publishAnswers', ipPrefix: undefined };
    const audit = openAudit(auditEvents.caseClosed, systemActorOf(tenantId), request);
    await publishAnswer(tx, { audit, now, rules }, record, record.publish_at ?? now);
    return true;
  });
}

/** Undefined where it is no longer due, or another transaction has it locked. */
async function lockDue(tx: Tx, uuid: string, now: Date): Promise<CaseRecord | undefined> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('uuid', '=', uuid)
    .where(isAnswered)
    .where('publish_at', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}
