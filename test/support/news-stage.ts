import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { auditEvents } from '../../src/contract/audit.ts';
import { systemActorOf } from '../../src/contract/actor.ts';
import { applyTransition } from '../../src/domain/cases/record/apply-transition.ts';
import { type CaseRecord, lockCase } from '../../src/domain/cases/record/case.queries.ts';
import { deviceTokenPurpose } from '../../src/domain/identity/devices/device-token.ts';
import { createPushWork } from '../../src/domain/delivery/news/push-work.ts';
import { openAudit } from '../../src/domain/platform/events/record-event.ts';
import { createMailWork } from '../../src/domain/delivery/mails/deliver-mail.ts';
import { createMemory } from '../../src/lib/app/memory.ts';
import { createThrottleKey } from '../../src/lib/auth/throttle-key.ts';
import type { Tx } from '../../src/lib/db/connect.ts';
import { inTenant } from '../../src/lib/db/tenant.ts';
import { createFieldCrypto } from '../../src/lib/crypto/field-crypto.ts';
import { createMailer } from '../../src/lib/mail/mailer.ts';
import { readServiceAccount } from '../../src/lib/push/push-keys.ts';
import { createPushSender } from '../../src/lib/push/push-sender.ts';
import { caseStage, type Draft } from './case-stage.ts';
import { afterwards } from './cleanup.ts';
import { mailServer } from './mail-server.ts';
import { outboxOnDemand } from './outbox-on-demand.ts';
import { pushProviders } from './push-providers.ts';

const tenantId = 1;

/** Cases, and the consumers of their news with a mail server and providers of push messages. At the top level of a test file. */
export async function newsStage() {
  const stage = await caseStage();
  const server = await mailServer();
  const providers = await pushProviders(stage.clock);
  const { db, clock } = stage;
  const { log } = stage.work;
  const fieldCrypto = createFieldCrypto({ current: randomBytes(32).toString('base64') });
  const mailer = createMailer({ url: server.settings.MAIL_URL, from: server.settings.MAIL_FROM });
  afterwards(async () => mailer.close());
  const account = readServiceAccount(providers.settings['FCM_SERVICE_ACCOUNT'] ?? '');
  if (account === undefined) throw new Error('the stand-in has a service account');
  const push = createPushSender({
    fcm: { account, url: providers.settings['FCM_URL'] ?? '' },
    web: {
      privateKey: providers.settings['VAPID_PRIVATE_KEY'] ?? '',
      subject: 'mailto:push@clinic.example',
      hosts: ['127.0.0.1'],
    },
    clock,
  });
  afterwards(push.close);
  const delivery = {
    db,
    log,
    clock,
    fieldCrypto,
    memory: createMemory(),
    mailer,
    push,
    portalUrl: 'https://portal.example/',
    backofficeUrl: 'https://office.example',
    production: true,
    repetition: { key: createThrottleKey('any secret of the installation'), seconds: 900 },
  };
  const consumers = { mail: createMailWork(delivery), push: createPushWork(delivery) };
  const outbox = outboxOnDemand({ db, log, clock, consumers });

  const tenant = <T>(work: (tx: Tx) => Promise<T>) => inTenant(db, tenantId, work);
  const auditOf = () =>
    openAudit(auditEvents.caseUpdated, systemActorOf(tenantId), { id: 'test', ipPrefix: undefined });

  /** Moves a case as the use cases do. */
  async function move(
    { uuid }: Pick<Draft, 'uuid'>,
    transition: Parameters<typeof applyTransition>[3],
  ): Promise<CaseRecord> {
    return await tenant(async (tx) => {
      const record = await lockCase(tx, uuid);
      if (record === undefined) throw new Error('there is no such case');
      return await applyTransition(tx, { audit: auditOf(), now: clock.now() }, record, transition);
    });
  }

  async function device(userId: number, token: string, platform: 'ios' | 'android' | 'web' = 'android') {
    const uuid = uuidv7();
    const session = uuidv7();
    const own = { tenant_id: tenantId, user_id: userId };
    const at = clock.now();
    const inOneYear = new Date(at.getTime() + 365 * 24 * 60 * 60 * 1000);
    const sealed = await fieldCrypto.seal(token, deviceTokenPurpose(uuid));
    await tenant(async (tx) => {
      await tx
        .insertInto('sessions')
        .values({
          uuid: session,
          ...own,
          auth_time: at,
          last_used_at: at,
          idle_expires_at: inOneYear,
          absolute_expires_at: inOneYear,
        })
        .execute();
      await tx
        .insertInto('push_devices')
        .values({
          uuid,
          ...own,
          session_uuid: session,
          platform,
          token_hash: randomBytes(32),
          token: sealed,
          app_version: '1.0',
          last_seen_at: at,
        })
        .execute();
    });
    return uuid;
  }

  /** A member of staff, in a group with `capabilities`. */
  async function staff(name: string, capabilities: readonly string[] = [], settings: object = {}) {
    const email = `${name}@example.org`;
    return await tenant(async (tx) => {
      const user = await tx
        .insertInto('users')
        .values({ uuid: uuidv7(), tenant_id: tenantId, email, password_hash: '!', role: 'physician' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const physician = await tx
        .insertInto('physicians')
        .values({ uuid: uuidv7(), tenant_id: tenantId, user_id: user.id, settings: JSON.stringify(settings) })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (capabilities.length > 0) {
        const group = await tx
          .insertInto('user_groups')
          .values({
            uuid: uuidv7(),
            tenant_id: tenantId,
            name: `${name}'s group`,
            settings: JSON.stringify({ capabilities }),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('user_group_members')
          .values({ tenant_id: tenantId, group_id: group.id, user_id: user.id })
          .execute();
      }
      return { userId: user.id, physicianId: physician.id, email };
    });
  }

  /** A case whose answer was signed; `publish` moves it on. */
  async function answered(one: Draft, physicianId: number): Promise<string> {
    const answer = uuidv7();
    await tenant(async (tx) => {
      await tx
        .insertInto('dermatologist_annotations')
        .values({
          uuid: answer,
          tenant_id: tenantId,
          case_uuid: one.uuid,
          physician_id: physicianId,
          status: 'final',
          language: 'en',
          diagnoses: JSON.stringify([{ text: 'x', is_primary: true }]),
          recommended_action: 'self_care',
          rendered_text: 'x',
          signed_at: clock.now(),
        })
        .execute();
    });
    await stage.rows(
      `UPDATE request_records SET status = 'answered', answered_at = now(), publish_at = now(),
         assigned_physician_id = $2, final_annotation_uuid = $3 WHERE uuid = $1`,
      [one.uuid, physicianId, answer],
    );
    return answer;
  }

  const emailOf = async ({ actor }: Draft): Promise<string> =>
    (
      await tenant((tx) =>
        tx.selectFrom('users').select('email').where('id', '=', actor.id).executeTakeFirstOrThrow(),
      )
    ).email;

  return {
    ...stage,
    server,
    providers,
    delivery,
    move,
    device,
    staff,
    answered,
    publish: (one: Pick<Draft, 'uuid'>) =>
      move(one, { transition: 'publish', set: { closed_at: clock.now() } }),
    emailOf,
    /** Delivers what is due. */
    newsOutbox: outbox,
    deliver: () => outbox.drain(),
    waiting: async () =>
      (
        await stage.owner.query<{ consumer: string; attempts: number; available_at: Date }>(
          `SELECT consumer, attempts, available_at FROM outbox_messages WHERE consumer IN ('mail', 'push') ORDER BY id`,
        )
      ).rows,
    failures: async ({ uuid }: Pick<Draft, 'uuid'>) =>
      (
        await stage.rows<{ detail: Record<string, string> }>(
          `SELECT detail FROM event_logs WHERE case_uuid = $1 AND action = 'notification_failed' ORDER BY id`,
          [uuid],
        )
      ).map(({ detail }) => detail),
  };
}
