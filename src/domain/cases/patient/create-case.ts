import type { AccountActor } from '../../../contract/actor.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { analyseNow } from '../admission/analyse-now.ts';
import type { CaseCreation } from './case-input.schemas.ts';
import { currentConsent } from './current-consent.ts';
import type { MobileCase } from '../record/mobile-case.schemas.ts';
import { readMobileCase } from './read-case.ts';
import { storeCase } from './store-case.ts';

export interface CreatedCase extends MobileCase {
  /** Whether the account has made it before, with the same `client_case_id`. */
  isKnown?: boolean;
}

/**
 * Creates a draft (T01), and submits it where that is asked for. `client_case_id` makes a case once, for ever;
 * `Idempotency-Key` gives a retry within a day the same reply.
 *
 * @throws {Problem} `patient_not_found`, `image_not_found`, `anamnesis_invalid`, `age_mismatch`, `consent_outdated`,
 *   `case_incomplete`, `draft_limit`, `client_case_id_reused`, `validation_error` for an unknown batch, those of idempotency
 */
export async function createCase(
  context: Context,
  actor: AccountActor,
  input: CaseCreation,
): Promise<IdempotentOutcome<CreatedCase>> {
  const { db, outbox } = context;
  const key = idempotentRequest(context, actor, 'api/v1/mobile/cases/create', [canonicalJson(input)]);
  const show = async (uuid: string, isKnown: boolean) => ({
    ...(await readMobileCase(context, actor, uuid)),
    isKnown,
  });
  return await withIdempotencyKeyForResource<CreatedCase>(
    db,
    key,
    async (onCreated) => {
      const consent = await currentConsent(context, actor.tenantId, input.consent);
      const made = await inTenant(db, actor.tenantId, async (tx) => {
        const stored = await storeCase(tx, context, actor, input, consent);
        await onCreated?.(tx, stored.record.uuid, stored.isKnown);
        return stored;
      });
      if (made.submission !== undefined) {
        // News for those who are on call waits neither for the analysis nor for the timer.
        outbox.kick();
        await analyseNow(context, actor, made.submission);
      }
      return await show(made.record.uuid, made.isKnown);
    },
    show,
  );
}
