import { systemActorOf } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { forEachCase, type FoundCase } from '../../cases/record/for-each-case.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { findDueCases, lockDueCase } from './annotated-case.queries.ts';
import { readAnswerRules } from './answer-work.ts';
import { publishAnswer } from './publish-answer.ts';

/** Answers of one tenant in one run. */
const batch = 200;

export type PublishingWork = Pick<AppContext, 'db' | 'log' | 'clock' | 'memory' | 'outbox'>;

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
    (tenantId) => inTenant(work.db, tenantId, (tx) => findDueCases(tx, tenantId, now, batch)),
    async (found) => {
      if (await publish(work, found, now)) published += 1;
    },
  );
  if (published > 0) work.outbox.kick();
  return { published, failed };
}

async function publish(work: PublishingWork, { tenantId, caseUuid }: FoundCase, now: Date): Promise<boolean> {
  const rules = await readAnswerRules(work, tenantId);
  return await inTenant(work.db, tenantId, async (tx) => {
    const record = await lockDueCase(tx, caseUuid, now);
    if (record === undefined) return false;
    const request = { id: 'publishAnswers', ipPrefix: undefined };
    const audit = openAudit(auditEvents.caseClosed, systemActorOf(tenantId), request);
    await publishAnswer(tx, { audit, now, rules }, record, record.publish_at ?? now);
    return true;
  });
}
