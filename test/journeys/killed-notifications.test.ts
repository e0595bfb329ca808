import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { systemActorOf } from '../../src/contract/actor.ts';
import { auditEvents } from '../../src/contract/audit.ts';
import { applyTransition } from '../../src/domain/cases/record/apply-transition.ts';
import { lockCase } from '../../src/domain/cases/record/case.queries.ts';
import { deviceTokenPurpose } from '../../src/domain/identity/devices/device-token.ts';
import { openAudit } from '../../src/domain/platform/events/record-event.ts';
import { connectDatabase } from '../../src/lib/db/connect.ts';
import { inTenant } from '../../src/lib/db/tenant.ts';
import { createFieldCrypto } from '../../src/lib/crypto/field-crypto.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { afterwards } from '../support/cleanup.ts';
import { mailServer, type MailServerMode } from '../support/mail-server.ts';
import { pushProviders, type PushMode } from '../support/push-providers.ts';

// Mail server and providers of push messages are down for an hour, and the gateway is killed again and again: afterwards each
// event has been told, under one identity.

/** `npm run soak` makes it 500. */
const events = Number(process.env['KILLED_NOTIFICATIONS'] ?? 10);
/** Of the hour. */
const rounds = events > 100 ? 12 : 3;

const server = await mailServer();
const providers = await pushProviders();
const app = await testApp({ env: { ...server.settings, ...providers.settings } });
const { db, pool } = connectDatabase({ url: app.databaseUrl, poolMax: 4, onIdleError: () => undefined });
afterwards(() => pool.end());
const fieldCrypto = createFieldCrypto({ current: app.env['FIELD_ENCRYPTION_KEY'] ?? '' });
const tenantId = 1;
const audit = openAudit(auditEvents.caseClosed, systemActorOf(tenantId), { id: 'test', ipPrefix: undefined });

/** An answered case of a patient with a telephone. @returns its UUID, by which its messages are recognised. */
async function answered(): Promise<string> {
  const [uuid, answer, device, session] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const now = new Date();
  const token = await fieldCrypto.seal(`phone-${uuid}`, deviceTokenPurpose(device));
  const statements: [string, unknown[]][] = [
    [
      `INSERT INTO users (uuid, tenant_id, email, password_hash, role) VALUES ($1, 1, $2, '!', 'patient')`,
      [uuid, `${uuid}@example.org`],
    ],
    [
      `INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at)
       SELECT $2, 1, id, $3, $3, ends, ends
       FROM users, (SELECT $3::timestamptz + interval '1 year' AS ends) AS later WHERE uuid = $1`,
      [uuid, session, now],
    ],
    [
      `INSERT INTO push_devices (uuid, tenant_id, user_id, session_uuid, platform, token_hash, token, app_version, last_seen_at)
       SELECT $2, 1, id, $3, 'android', $4, $5, '1.0', $6 FROM users WHERE uuid = $1`,
      [uuid, device, session, randomBytes(32), token, now],
    ],
    [
      `INSERT INTO patients (uuid, tenant_id, account_user_id, relation) SELECT $1, 1, id, 'self' FROM users WHERE uuid = $1`,
      [uuid],
    ],
    [
      `INSERT INTO request_records (uuid, tenant_id, patient_id, account_user_id, source, status, status_changed_at, language)
       SELECT $1, 1, p.id, u.id, 'mobile', 'answered', $2, 'en' FROM users u JOIN patients p ON p.account_user_id = u.id
       WHERE u.uuid = $1`,
      [uuid, now],
    ],
    [
      `INSERT INTO dermatologist_annotations
         (uuid, tenant_id, case_uuid, status, language, diagnoses, recommended_action, rendered_text, signed_at)
       VALUES ($2, 1, $1, 'final', 'en', '[{}]', 'self_care', 'x', $3)`,
      [uuid, answer, now],
    ],
    [`UPDATE request_records SET final_annotation_uuid = $2 WHERE uuid = $1`, [uuid, answer]],
  ];
  const client = await app.db.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.tenant', '1', true)`);
    for (const [text, values] of statements) await client.query(text, values);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  return uuid;
}

/** The event itself, as the gateway writes it. */
async function publish(uuid: string): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    const record = await lockCase(tx, uuid);
    if (record === undefined) throw new Error('there is no such case');
    const now = new Date();
    await applyTransition(tx, { audit, now }, record, { transition: 'publish', set: { closed_at: now } });
  });
}

/** So many minutes pass: events are older, what waits is due sooner, and the claims of the dead are over. */
async function passMinutes(minutes: number): Promise<void> {
  await app.db.query(
    `UPDATE outbox_messages SET locked_until = locked_until - make_interval(mins => $1),
       available_at = available_at - make_interval(mins => $1), payload = jsonb_set(payload, '{at}',
       to_jsonb(to_char(((payload ->> 'at')::timestamptz - make_interval(mins => $1)) AT TIME ZONE 'UTC',
         'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
     WHERE dead_at IS NULL AND topic = 'case_news'`,
    [minutes],
  );
}

const oneOf = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(Math.random() * values.length)] as Value;
const mailTroubles: MailServerMode[] = [
  { kind: 'refuses_connections' },
  { kind: 'rejects_recipients', status: 450 },
  { kind: 'rejects_sender' },
];
const pushTroubles: PushMode[] = [
  { kind: 'refuses_connections' },
  { kind: 'fails' },
  { kind: 'throttles', seconds: 1 },
];

test(
  'each event is told once it can be, under one identity, although providers are down for an hour and gateways die',
  { timeout: 60_000 + events * 2000 },
  async () => {
    const uuids: string[] = [];
    for (let n = 0; n < events; n += 1) uuids.push(await answered());
    let victim = await anotherInstance(app, {}, { process: true });
    const over = new AbortController();
    let kills = 0;
    let killed = Promise.withResolvers<void>();
    async function killAgainAndAgain(): Promise<void> {
      while (!over.signal.aborted) {
        await sleep(50 + Math.random() * 400);
        const pid = victim.host.workerPid();
        if (pid === undefined || over.signal.aborted) return;
        process.kill(pid, 'SIGKILL');
        kills += 1;
        killed.resolve();
        killed = Promise.withResolvers();
        const dead = victim;
        victim = await anotherInstance(app, {}, { process: true });
        await dead.stop();
      }
    }
    /** Until nothing is due, or its worker is dead: time that passes under a living one would end its claims. */
    const drain = () => Promise.race([victim.runTimer('drainOutbox').catch(() => undefined), killed.promise]);

    const killing = killAgainAndAgain();
    for (let round = 0; round < rounds; round += 1) {
      await server.behave(oneOf(mailTroubles));
      await providers.behave(oneOf(pushTroubles));
      const share = uuids.slice(
        Math.floor((round * events) / rounds),
        Math.floor(((round + 1) * events) / rounds),
      );
      for (const uuid of share) await publish(uuid);
      for (let run = 0; run < 3; run += 1) await drain();
      await passMinutes(60 / rounds);
    }
    await server.behave({ kind: 'accepts' });
    await providers.behave({ kind: 'accepts' });
    // Killed while they deliver: what a provider has taken and its gateway could not record comes twice.
    for (let run = 0; run < rounds; run += 1) {
      await drain();
      await passMinutes(20);
    }
    over.abort();
    await killing;
    await victim.stop();
    expect(kills).toBeGreaterThan(0);

    const left = async () => {
      await passMinutes(20);
      await app.runTimer('drainOutbox');
      const { rows } = await app.db.query(`SELECT FROM outbox_messages WHERE topic = 'case_news'`);
      return rows.length;
    };
    await expect.poll(left, { timeout: 60_000 + events * 1000 }).toBe(0);

    const copies = { mail: 0, push: 0 };
    const faults: string[] = [];
    for (const uuid of uuids) {
      const mails = server.mails.filter(({ text }) => text.includes(uuid)).map(({ messageId }) => messageId);
      const pushes = providers.messages
        .filter(({ to }) => to === `phone-${uuid}`)
        .map(({ identity }) => identity);
      for (const [channel, arrived] of [
        ['mail', mails],
        ['push', pushes],
      ] as const) {
        if (arrived.length === 0) faults.push(`${uuid}: no ${channel}`);
        if (new Set(arrived).size > 1)
          faults.push(`${uuid}: ${new Set(arrived).size} identities by ${channel}`);
        copies[channel] += Math.max(0, arrived.length - 1);
      }
    }
    expect(faults).toEqual([]);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(events);
    expect(new Set(providers.messages.map(({ identity }) => identity)).size).toBe(events);
    const notified = await inTenant(db, tenantId, (tx) =>
      tx.selectFrom('request_records').select('uuid').where('notified_at', 'is', null).execute(),
    );
    expect(notified).toEqual([]);
    console.log(
      `${events} events, ${kills} kills: each told by mail and push; copies under the same identity: ` +
        `${copies.mail} mails, ${copies.push} push messages`,
    );
  },
);
