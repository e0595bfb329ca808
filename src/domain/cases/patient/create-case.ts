import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import { lockAccount } from '../../identity/users/user.queries.ts';
import { analyseNow } from '../admission/analyse-now.ts';
import { type Consent, type Submission, submitCase } from '../admission/submit-case.ts';
import { lockOwnPhotos, replacePhotos } from '../photos/case-photos.queries.ts';
import { createDraft } from '../record/apply-transition.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import type { MobileCase } from '../record/mobile-case.schemas.ts';
import { accountFor } from '../record/own-case.ts';
import { readCaseAnswers } from './case-answers.ts';
import { findOrCreateBatch } from './case-batch.ts';
import type { CaseCreation } from './case-input.schemas.ts';
import { countDrafts, findByClientId, findPatient, insertRevision } from './case.queries.ts';
import { currentConsent } from './current-consent.ts';
import { readMobileCase } from './read-case.ts';

/** Open drafts that an account has made, at most. */
const maxDrafts = 20;

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

interface StoredCase {
  record: CaseRecord;
  isKnown: boolean;
  submission?: Submission | undefined;
}

/** Stores a new case with its answers and photos, or finds the one that the account has made with this `client_case_id`. */
async function storeCase(
  tx: Tx,
  context: Context,
  actor: AccountActor,
  input: CaseCreation,
  consent: Consent,
): Promise<StoredCase> {
  const { client_case_id: clientCaseId, ...content } = input;
  const fingerprint = createHash('sha256').update(canonicalJson(content)).digest();
  const account = await accountFor(tx, actor, input.patient_uuid);
  // Cases of one account are made one after another: so many drafts and no more, and one case for one client_case_id.
  await lockAccount(tx, account.id);
  const known = clientCaseId === undefined ? undefined : await findByClientId(tx, account.id, clientCaseId);
  if (known !== undefined) {
    if (known.client_case_sha256?.equals(fingerprint) !== true) throw new Problem('client_case_id_reused');
    return { record: known, isKnown: true };
  }
  if ((await countDrafts(tx, actor, account.id)) >= maxDrafts) throw new Problem('draft_limit');
  const patient = await findPatient(tx, account.id, input.patient_uuid);
  if (patient === undefined) throw new Problem('patient_not_found');
  const photos = await lockOwnPhotos(tx, account, input.images ?? []);
  const anamnesis = readCaseAnswers(
    context,
    input.anamnesis,
    patient,
    photos.map(({ uuid }) => uuid),
    { isByStaff: account.id !== actor.id },
  );
  const now = context.request.receivedAt;
  const at = { audit: context.audit, now };
  const record = await createDraft(tx, at, {
    uuid: uuidv7(),
    tenant_id: actor.tenantId,
    patient_id: patient.id,
    account_user_id: account.id,
    ...(account.id === actor.id
      ? { source: 'mobile' }
      : { source: 'backoffice', created_by_user_id: actor.id }),
    language: input.language ?? anamnesis.language ?? context.request.language,
    batch_uuid: await findOrCreateBatch(tx, { ...account, tenantId: actor.tenantId }, input.batch, now),
    anamnesis_revision: 1,
    ...(clientCaseId !== undefined && { client_case_id: clientCaseId, client_case_sha256: fingerprint }),
    ...(input.consent !== undefined && { consent_version: input.consent.version, consented_at: now }),
  });
  await insertRevision(tx, record, { revision: 1, anamnesis, author: actor }, now);
  await replacePhotos(tx, record, photos, now);
  if (!input.submit) return { record, isKnown: false };
  const submission = await submitCase(tx, context, actor, record, consent);
  return { record: submission.record, isKnown: false, submission };
}
