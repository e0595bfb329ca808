import { createHash, randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../src/contract/actor.ts';
import { auditEvents } from '../../src/contract/audit.ts';
import type { Language } from '../../src/contract/language.ts';
import { analyseNow } from '../../src/domain/cases/admission/analyse-now.ts';
import { readCaseRules } from '../../src/domain/cases/record/case-rules.ts';
import { createAnalysisWork } from '../../src/domain/cases/admission/resume-analysis.ts';
import { retryAnalyses, retryEligibility } from '../../src/domain/cases/admission/retry-cases.ts';
import { submitCase } from '../../src/domain/cases/admission/submit-case.ts';
import { createDraft } from '../../src/domain/cases/record/apply-transition.ts';
import { type CaseRecord, lockCase } from '../../src/domain/cases/record/case.queries.ts';
import { openAudit } from '../../src/domain/platform/events/record-event.ts';
import { createMemory } from '../../src/lib/app/memory.ts';
import { createAiClient } from '../../src/lib/ai/ai-client.ts';
import type { Config } from '../../src/lib/configuration/config.ts';
import type { Context } from '../../src/lib/app/context.ts';
import { connectDatabase } from '../../src/lib/db/connect.ts';
import { inTenant } from '../../src/lib/db/tenant.ts';
import { createLog } from '../../src/lib/telemetry/log.ts';
import { accountActor } from './account-actor.ts';
import { afterwards } from './cleanup.ts';
import { testDatabase } from './database.ts';
import { anamnesis as complete } from './diagnosis.ts';
import { fakeAi } from './fake-ai.ts';
import { skinPhoto } from './images.ts';
import { outboxOnDemand } from './outbox-on-demand.ts';

const tenantId = 1;
/** Milliseconds for an AI service that answers: a busy machine must not make it look dead. */
const patience = 8000;
const hash = (text: string) => createHash('sha256').update(text).digest();

export interface DraftOptions {
  anamnesis?: object;
  /** Marks of photos: the same mark is the same photo. One of its own by default. */
  photos?: readonly string[];
  relation?: 'self' | 'child';
  birthDate?: string;
  pool?: string;
  externalId?: string;
  language?: Language;
  /** Of the same account and patient as this case. */
  like?: Draft;
}

export interface Draft {
  uuid: string;
  actor: AccountActor;
  patientId: number;
}

/**
 * Cases without HTTP, on a real database, with an AI service that the test scripts and a clock that it moves. Call it at the
 * top level of a test file.
 */
export async function caseStage() {
  const { url, db: owner } = await testDatabase();
  const { db, pool } = connectDatabase({ url, poolMax: 12, onIdleError: () => undefined });
  afterwards(() => pool.end());
  const service = await fakeAi();
  const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });
  const lines: string[] = [];
  const log = createLog((_level, line) => void lines.push(line), 'debug');
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const config = { AI_TIMEOUT_MS: patience, IMAGE_URL_HOSTS: [] as string[] } as Config;
  const ai = createAiClient({ url: service.url, log, breakerPauseMs: 1 });
  const members = createAiClient({ url: service.url, log, breakerPauseMs: 1 });
  afterwards(async () => void (await Promise.all([ai.close(), members.close()])));
  const blobs = { get: async () => photo } as unknown as Context['blobs'];
  const work = { db, ai, members, blobs, config, clock, log, memory: createMemory() };
  const outbox = outboxOnDemand({ db, log, clock, consumers: { analysis: createAnalysisWork(work) } });

  function contextOf(actor: AccountActor): Context {
    const request = {
      id: randomUUID(),
      receivedAt: clock.now(),
      language: 'en',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    } as Context['request'];
    const audit = openAudit(auditEvents.caseSubmitted, actor, request);
    return { ...work, outbox, request, audit } as Context;
  }

  async function account(): Promise<AccountActor> {
    const uuid = uuidv7();
    const user = await inTenant(db, tenantId, (tx) =>
      tx
        .insertInto('users')
        .values({
          uuid,
          tenant_id: tenantId,
          email: `${uuid}@example.org`,
          password_hash: '!',
          role: 'patient',
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return accountActor({ id: user.id, uuid, tenantId, sessionUuid: uuidv7() });
  }

  async function draft(options: DraftOptions = {}): Promise<Draft> {
    const actor = options.like?.actor ?? (await account());
    const uuid = uuidv7();
    const own = { tenant_id: tenantId, account_user_id: actor.id };
    const at = { audit: contextOf(actor).audit, now: clock.now() };
    const patientId = await inTenant(db, tenantId, async (tx) => {
      const patient =
        options.like?.patientId ??
        (
          await tx
            .insertInto('patients')
            .values({
              uuid: uuidv7(),
              ...own,
              relation: options.relation ?? 'self',
              birth_date: options.birthDate ?? null,
              pool: options.pool ?? null,
              external_id: options.externalId ?? null,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
      const language = options.language ?? 'en';
      await createDraft(tx, at, {
        uuid,
        ...own,
        patient_id: patient,
        source: 'mobile',
        language,
        anamnesis_revision: 1,
      });
      await tx
        .insertInto('request_anamneses')
        .values({
          case_uuid: uuid,
          revision: 1,
          tenant_id: tenantId,
          anamnesis: JSON.stringify(options.anamnesis ?? complete),
          sha256: hash(uuid),
          schema_version: '1',
          author_user_id: actor.id,
          author_kind: 'patient',
        })
        .execute();
      return patient;
    });
    for (const mark of options.photos ?? [uuid]) await attachPhoto({ uuid, actor, patientId }, mark);
    return { uuid, actor, patientId };
  }

  async function attachPhoto({ uuid, actor }: Draft, mark: string): Promise<void> {
    await inTenant(db, tenantId, async (tx) => {
      const known = await tx
        .selectFrom('images')
        .select('uuid')
        .where('sha256', '=', hash(mark))
        .where('owner_user_id', '=', actor.id)
        .executeTakeFirst();
      const image = known?.uuid ?? uuidv7();
      if (known === undefined) {
        await tx
          .insertInto('images')
          .values({
            uuid: image,
            tenant_id: tenantId,
            owner_user_id: actor.id,
            name: `${image}.jpg`,
            state: 'stored',
            blob_name: image,
            sha256: hash(mark),
            content_type: 'image/jpeg',
            width_px: 64,
            height_px: 48,
            orientation: 1,
            size_bytes: photo.length,
          })
          .execute();
      }
      await tx
        .insertInto('case_images')
        .values({
          case_uuid: uuid,
          image_uuid: image,
          tenant_id: tenantId,
          position: 0,
          added_at: clock.now(),
        })
        .execute();
    });
  }

  /** Submits as an endpoint does: the transaction, then the analysis that the patient waits for. */
  async function submit({ uuid, actor }: Draft, consent = { version: '1' }): Promise<CaseRecord> {
    const context = contextOf(actor);
    const { consentVersion: current } = await readCaseRules(work, tenantId);
    const submission = await inTenant(db, tenantId, async (tx) => {
      const record = await lockCase(tx, uuid);
      if (record === undefined) throw new Error('there is no such case');
      return await submitCase(tx, context, actor, record, { current, given: consent.version });
    });
    await analyseNow(context, actor, submission);
    return submission.record;
  }

  async function read({ uuid }: Pick<Draft, 'uuid'>): Promise<CaseRecord> {
    return await inTenant(db, tenantId, (tx) =>
      tx.selectFrom('request_records').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow(),
    );
  }

  /** The owner reads what the app wrote, in the default tenant. */
  async function rows<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = await owner.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('app.tenant', '1', true)`);
      const found = await client.query(text, [...values]);
      await client.query('COMMIT');
      return found.rows as Row[];
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  return {
    db,
    owner,
    service,
    work,
    outbox,
    clock,
    lines,
    /** What a use case is given on behalf of this account, at the time of the stage's clock. */
    contextOf,
    draft,
    attachPhoto,
    submit,
    read,
    rows,
    /** For an AI service that hangs: how long that takes. */
    impatient: () => void (config.AI_TIMEOUT_MS = 300),
    patient: () => void (config.AI_TIMEOUT_MS = patience),
    /** Moves the clock. */
    later: (minutes: number) => void (aheadMs += minutes * 60_000),
    /** What the minute timer does. */
    async tick() {
      await outbox.drain();
      await retryAnalyses(work, clock.now());
      await retryEligibility(work, clock.now());
    },
    actions: async ({ uuid }: Pick<Draft, 'uuid'>) =>
      (
        await rows<{ action: string }>('SELECT action FROM event_logs WHERE case_uuid = $1 ORDER BY id', [
          uuid,
        ])
      ).map(({ action }) => action),
    messages: async ({ uuid }: Pick<Draft, 'uuid'>) =>
      (
        await rows<{ codes: string[] }>(
          'SELECT codes FROM case_messages WHERE case_uuid = $1 ORDER BY created_at',
          [uuid],
        )
      ).map(({ codes }) => codes),
    async setRule(key: string, value: unknown) {
      await owner.query(
        `UPDATE application_parameters SET value = $2 WHERE branch || '/' || sub_branch || '/' || key = $1`,
        [key, JSON.stringify(value)],
      );
      // Instances remember parameters for five seconds.
      aheadMs += 6000;
    },
  };
}
