import type { AccountActor } from '../../../contract/actor.ts';
import type { Language } from '../../../contract/language.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { enqueueClaimed } from '../../../lib/outbox/claims.ts';
import type { OutboxMessage } from '../../../lib/outbox/message.ts';
import { requireSameAge } from '../../identity/patients/known-age.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { parseAnamnesis } from '../../intake/anamnesis/parse-anamnesis.ts';
import { listPhotosToJudge } from '../photos/case-photos.queries.ts';
import { announceDanger, recordEmergency } from '../record/announce-danger.ts';
import { applyTransition } from '../record/apply-transition.ts';
import { flagCodes, flagColumns, withOwnRules } from '../record/case-flags.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { settleAge } from './settle-age.ts';

/** Longer than the analysis that the patient waits for, so that no worker begins a second one meanwhile. */
const claimSeconds = 20;

export interface Consent {
  /** The version that the tenant asks for: `consentVersion` of its rules. */
  current: string;
  /** The version that the patient accepts with this request; an earlier one counts as well. */
  given?: string | undefined;
}

export interface Submission {
  record: CaseRecord;
  /** Has the case analysed by another process, should this one end. */
  message: OutboxMessage | undefined;
}

/**
 * Submits a draft (T03), or the patient's reply to a question of ours, in the transaction of the request. Our own rules
 * speak at once. A case with a flag of high or emergency urgency that is met needs consent and nothing else; what is
 * missing is asked for afterwards. The reply has the advice; where staff submit, the patient gets a message. The next step is
 * `analyseCase`: call `analyseNow` after the commit.
 *
 * @param record locked.
 * @throws {Problem} `consent_outdated`, `age_mismatch`, `case_incomplete`
 */
export async function submitCase(
  tx: Tx,
  { audit, config, request }: Pick<Context, 'audit' | 'config' | 'request'>,
  actor: Pick<AccountActor, 'id'>,
  record: CaseRecord,
  consent: Consent,
): Promise<Submission> {
  const now = request.receivedAt;
  const language = record.language;
  const { current, given = record.consent_version } = consent;
  if (given !== current) throw new Problem('consent_outdated', { members: { version: current } });

  const { anamnesis, revision, before, birthDate } = await settleAge(tx, record, now);
  const flags = withOwnRules(record, anamnesis);
  if (flags.urgentFlags.length === 0) {
    requireSameAge(before, birthDate, now);
    const photos = await listPhotosToJudge(tx, record.uuid);
    requireComplete(anamnesis, photos.length, { language, imageUrlHosts: config.IMAGE_URL_HOSTS });
  }
  const isReply = record.status === 'on_hold';
  const submitted = await applyTransition(tx, { audit, now }, record, {
    ...(isReply ? { transition: 'reply', to: 'on_hold/awaiting_patient' } : { transition: 'submit' }),
    by: 'account',
    set: {
      ...(!isReply && { submitted_at: now }),
      ...(consent.given !== undefined && { consent_version: current, consented_at: now }),
      anamnesis_revision: revision,
      analysis_state: 'pending',
      eligibility_outcome: null,
      ...flagColumns(flags),
    },
    detail: { consent: current, urgency: flags.urgency, flags: flagCodes(flags.redFlags) },
  });
  await recordEmergency(tx, audit, record, submitted);
  const isPatientWaiting = actor.id === record.account_user_id;
  await announceDanger(tx, { now, isPatientWaiting }, record, submitted);
  const message = await enqueueClaimed(
    tx,
    {
      consumer: 'analysis',
      topic: 'analysis_due',
      tenantId: record.tenant_id,
      payload: { case_uuid: record.uuid, request_id: request.id },
      dedupeKey: `analysis_due:${record.uuid}:${submitted.version}`,
    },
    claimSeconds,
    now,
  );
  return { record: submitted, message };
}

/** @throws {Problem} `case_incomplete` naming everything that is missing. */
function requireComplete(
  anamnesis: PartialAnamnesis,
  photos: number,
  options: { language: Language; imageUrlHosts: readonly string[] },
): void {
  const parsed = parseAnamnesis(anamnesis, options);
  const missing: FieldError[] = parsed.ok
    ? []
    : parsed.errors.map((error) => ({ ...error, pointer: `/anamnesis${error.pointer}` }));
  if (photos === 0) {
    missing.push({ pointer: '/images', code: 'required', message: 'At least one photo is required.' });
  }
  if (missing.length > 0) throw new Problem('case_incomplete', { errors: missing });
}
