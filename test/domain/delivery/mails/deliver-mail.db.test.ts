import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMailWork } from '../../../../src/domain/delivery/mails/deliver-mail.ts';
import type { MailDelivery } from '../../../../src/domain/announce/mails/mail-delivery.ts';
import {
  enqueueLinkMail,
  enqueueLinkRequest,
  enqueuePasswordChangedMail,
} from '../../../../src/domain/announce/mails/enqueue-mails.ts';
import { createMemory } from '../../../../src/lib/app/memory.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../../../src/lib/auth/opaque-token.ts';
import { createThrottleKey } from '../../../../src/lib/auth/throttle-key.ts';
import { systemClock } from '../../../../src/contract/clock.ts';
import type { Role } from '../../../../src/contract/role.ts';
import { connectDatabase, type Tx } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createFieldCrypto } from '../../../../src/lib/crypto/field-crypto.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { createMailer, type Mailer } from '../../../../src/lib/mail/mailer.ts';
import { enqueue } from '../../../../src/lib/outbox/enqueue.ts';
import type { Deliver } from '../../../../src/lib/outbox/message.ts';
import { createOutbox, type Outbox } from '../../../../src/lib/outbox/outbox.ts';
import { createPushSender } from '../../../../src/lib/push/push-sender.ts';
import { createTenant } from '../../../support/accounts.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';
import { mailServer } from '../../../support/mail-server.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 8, onIdleError: () => undefined });
afterwards(() => pool.end());
const server = await mailServer();
const lines: string[] = [];
const key = randomBytes(32).toString('base64');
const fieldCrypto = createFieldCrypto({ current: key });

const { rows: tenants } = await owner.query<{ id: number }>(
  `INSERT INTO tenants (uuid, name, slug) VALUES (gen_random_uuid(), 'Clinic & Sons', 'clinic') RETURNING id`,
);
const tenantId = tenants[0]?.id ?? 0;
let people = 0;

beforeEach(async () => {
  lines.length = 0;
  server.mails.length = 0;
  await server.behave({ kind: 'accepts' });
  await owner.query('TRUNCATE outbox_messages');
  await owner.query('UPDATE tenants SET is_active = true');
});

/** @param before runs before each delivery of it. */
function worker(changes: Partial<MailDelivery> = {}, before = async () => {}): Outbox {
  const log = createLog((_level, line) => void lines.push(line), 'debug');
  const repetition = { key: createThrottleKey('any secret of the installation'), seconds: 900 };
  const defaults = {
    db,
    log,
    clock: systemClock,
    memory: createMemory(),
    fieldCrypto,
    production: true,
    repetition,
  };
  const mailer = newMailer();
  const portalUrl = 'https://portal.example/';
  const push = createPushSender({ fcm: undefined, web: undefined, clock: systemClock });
  const backofficeUrl = portalUrl;
  const work = createMailWork({ ...defaults, mailer, push, portalUrl, backofficeUrl, ...changes });
  const deliver: Deliver = async (message) => {
    await before();
    await work.deliver(message);
  };
  const outbox = createOutbox({ db, log, consumers: { mail: { ...work, deliver } } });
  afterwards(outbox.close);
  return outbox;
}

function newMailer(): Mailer {
  const mailer = createMailer({ url: server.settings.MAIL_URL, from: server.settings.MAIL_FROM });
  afterwards(async () => mailer.close());
  return mailer;
}

const tenant = <T>(work: (tx: Tx) => Promise<T>) => inTenant(db, tenantId, work);

async function account(
  active = true,
  role: Role = 'patient',
): Promise<{ id: number; uuid: string; email: string }> {
  const email = `person-${(people += 1)}@example.org`;
  return await tenant(async (tx) => ({
    email,
    ...(await tx
      .insertInto('users')
      .values({
        uuid: crypto.randomUUID(),
        tenant_id: tenantId,
        email,
        password_hash: 'none',
        role,
        is_active: active,
      })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()),
  }));
}

const request = (email: string, requestId = 'req-1', ipPrefix = '192.0.2.0/24') =>
  enqueueLinkRequest(db, fieldCrypto, 'password_reset_requested', {
    email,
    language: 'en',
    requestId,
    ipPrefix,
  });

const tokensOf = (userId: number) =>
  tenant((tx) =>
    tx.selectFrom('password_reset_tokens').selectAll().where('user_id', '=', userId).orderBy('id').execute(),
  );
const messages = async () => (await owner.query('SELECT * FROM outbox_messages ORDER BY id')).rows;
/** As if another worker had claimed everything just now, and, with `handBack`, died. */
const takenOver = async () =>
  void (await owner.query(
    `UPDATE outbox_messages SET attempts = attempts + 1, locked_until = now() + interval '1 minute'`,
  ));
const handBack = () => owner.query('UPDATE outbox_messages SET locked_until = now()');
const waited = () => owner.query('UPDATE outbox_messages SET available_at = now()');
const events = async () =>
  (await owner.query(`SELECT * FROM event_logs_auth WHERE request_id LIKE 'req-%' ORDER BY id`)).rows;
const tokenIn = (text = '') => /https:\S+#token=(\S+)/.exec(text)?.[1] ?? '';
const linesOf = (event: string) =>
  lines.map((line) => JSON.parse(line)).filter((line) => line.event === event);

describe('a requested reset', () => {
  test('comes to one token and one mail, whose link is in the portal and carries the token', async () => {
    const alice = await account();
    await request(alice.email);
    expect(await worker().drain()).toEqual({ delivered: 2, failed: 0, dead: 0 });
    const [mail, ...others] = server.mails;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipients: [alice.email], subject: 'Choose a new password' });
    const token = tokenIn(mail?.text);
    expect(mail?.text).toContain(`\nhttps://portal.example/reset-password#token=${token}\n`);
    const tokens = await tokensOf(alice.id);
    expect(tokens.map(({ used, token_hash: hash }) => ({ used, hash }))).toEqual([
      { used: false, hash: hashOpaqueToken('reset', token) },
    ]);
    const [{ expires_at: end, created_at: start } = { expires_at: new Date(), created_at: new Date() }] =
      tokens;
    expect(end.getTime() - start.getTime()).toBe(24 * 60 * 60 * 1000);
    expect(await messages()).toEqual([]);
  });

  test('for an unknown or inactive account or tenant comes to nothing but a line in the event log', async () => {
    const inactive = await account(false);
    await request('nobody@example.org', 'req-unknown');
    await worker().drain();
    await request(inactive.email, 'req-inactive');
    await worker().drain();
    const shut = await account();
    await owner.query('UPDATE tenants SET is_active = false');
    await request(shut.email, 'req-shut', '198.51.100.0/24');
    await worker().drain();
    expect(server.mails).toEqual([]);
    expect([...(await tokensOf(inactive.id)), ...(await tokensOf(shut.id))]).toEqual([]);
    expect(await messages()).toEqual([]);
    const recorded = (await events()).slice(-3);
    expect(recorded.map(({ request_id: id, outcome, detail }) => [id, outcome, detail.reason])).toEqual([
      ['req-unknown', 'failure', 'unknown_account'],
      ['req-inactive', 'failure', 'account_inactive'],
      ['req-shut', 'failure', 'account_inactive'],
    ]);
  });

  test('is in the event log with what asked for it, and without token or address', async () => {
    const alice = await account();
    await request(alice.email, 'req-logged');
    await worker().drain();
    const event = (await events()).find(({ request_id: id }) => id === 'req-logged');
    expect(event).toMatchObject({
      action: 'authn_password_reset_requested',
      outcome: 'success',
      tenant_id: tenantId,
      subject_uuid: alice.uuid,
      ip_prefix: '192.0.2.0/24',
      actor_kind: 'anonymous',
    });
    const written = JSON.stringify(event);
    expect(written).not.toContain(alice.email);
    expect(written).not.toContain(tokenIn(server.mails[0]?.text));
  });

  test('supersedes earlier ones, also those asked for at the same moment', async () => {
    const alice = await account();
    await Promise.all(Array.from({ length: 8 }, () => request(alice.email)));
    await Promise.all([worker().drain(), worker().drain(), worker().drain()]);
    const tokens = await tokensOf(alice.id);
    expect(tokens.length).toBe(8);
    expect(tokens.filter(({ used }) => !used).map(({ id }) => id)).toEqual([tokens.at(-1)?.id]);
    expect(tokens.slice(0, -1).every(({ used_at: at }) => at !== null)).toBe(true);
  });

  test('whose link is superseded before its mail leaves mails only the newest', async () => {
    const alice = await account();
    await server.behave({ kind: 'refuses_connections' });
    await request(alice.email);
    await worker().drain();
    await request(alice.email);
    await worker().drain();
    await server.behave({ kind: 'accepts' });
    await waited();
    await worker().drain();
    expect(server.mails.length).toBe(1);
    const live = (await tokensOf(alice.id)).filter(({ used }) => !used);
    expect(live.map(({ token_hash: hash }) => hash)).toEqual([
      hashOpaqueToken('reset', tokenIn(server.mails[0]?.text)),
    ]);
    expect(linesOf('mail_obsolete').length).toBe(1);
    expect(await messages()).toEqual([]);
  });

  test.each(['password_reset_requested', 'email_verification_requested'] as const)(
    'and any other request (%s) that has waited for a day for a mail server makes no token; a younger one does',
    async (topic) => {
      const alice = await account();
      const table =
        topic === 'password_reset_requested' ? 'password_reset_tokens' : 'email_verification_tokens';
      const aged = async (hours: number) => {
        const asked = {
          email: alice.email,
          language: 'en',
          requestId: 'req-1',
          ipPrefix: undefined,
        } as const;
        await enqueueLinkRequest(db, fieldCrypto, topic, asked);
        await owner.query(`UPDATE outbox_messages SET created_at = now() - make_interval(hours => $1)`, [
          hours,
        ]);
        await worker().drain();
        const tokens = await tenant((tx) =>
          tx.selectFrom(table).select('id').where('user_id', '=', alice.id).execute(),
        );
        return tokens.length;
      };
      await tenant((tx) =>
        tx.updateTable('users').set({ is_verified: false }).where('id', '=', alice.id).execute(),
      );
      expect(await aged(25)).toBe(0);
      expect(await messages()).toEqual([]);
      expect(linesOf('mail_obsolete')).toMatchObject([{ topic }]);
      expect(await aged(23)).toBe(1);
    },
  );

  test('is made once when another worker takes it over half-way', async () => {
    const alice = await account();
    await request(alice.email);
    await worker({}, takenOver).drain();
    expect(await tokensOf(alice.id)).toEqual([]);
    expect(linesOf('outbox_claim_lost').length).toBe(1);
    await handBack();
    await worker().drain();
    expect((await tokensOf(alice.id)).length).toBe(1);
    expect(server.mails.length).toBe(1);
  });
});

describe('an outage of the mail server', () => {
  test('that was down at the commit and is up later: exactly one mail', async () => {
    const alice = await account();
    await server.behave({ kind: 'refuses_connections' });
    await request(alice.email);
    const outbox = worker();
    expect(await outbox.drain()).toEqual({ delivered: 1, failed: 1, dead: 0 });
    await waited();
    expect(await outbox.drain()).toEqual({ delivered: 0, failed: 1, dead: 0 });
    await server.behave({ kind: 'accepts' });
    await waited();
    expect(await outbox.drain()).toEqual({ delivered: 1, failed: 0, dead: 0 });
    await waited();
    await outbox.drain();
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([[alice.email]]);
    expect((await tokensOf(alice.id)).length).toBe(1);
  });

  test('whose delivery was not acknowledged: the second copy has the same Message-ID and the same token', async () => {
    const alice = await account();
    await server.behave({ kind: 'drops_reply' });
    await request(alice.email);
    await worker().drain();
    await server.behave({ kind: 'accepts' });
    await waited();
    await worker().drain();
    expect(server.mails.length).toBe(2);
    const [first, second] = server.mails;
    expect(first?.messageId).toMatch(/^<[0-9a-f]{40}@clinic\.example>$/);
    expect(second?.messageId).toBe(first?.messageId);
    expect(tokenIn(second?.text)).toBe(tokenIn(first?.text));
  });

  test('a worker that dies between acceptance and removal: likewise', async () => {
    const alice = await account();
    await request(alice.email);
    const dying = newMailer();
    await worker({
      mailer: {
        close: () => undefined,
        async send(mail) {
          await dying.send(mail);
          // Dead from here on: what it would have written never arrives.
          await takenOver();
          throw new Error('killed');
        },
      },
    }).drain();
    await handBack();
    await worker().drain();
    expect(server.mails.length).toBe(2);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(1);
    expect(new Set(server.mails.map(({ text }) => tokenIn(text))).size).toBe(1);
  });

  test('two workers at once send each mail once', async () => {
    const everyone = await Promise.all(Array.from({ length: 12 }, () => account()));
    await server.behave({ kind: 'slow', ms: 50 });
    for (const { email } of everyone) await request(email);
    await Promise.all([worker().drain(), worker().drain()]);
    const recipients = server.mails.flatMap(({ recipients }) => recipients);
    expect(recipients.toSorted()).toEqual(everyone.map(({ email }) => email).toSorted());
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(12);
  });

  test('a recipient that it refuses for good is not tried again', async () => {
    const alice = await account();
    await server.behave({ kind: 'rejects_recipients', status: 550 });
    await request(alice.email);
    expect(await worker().drain()).toEqual({ delivered: 1, failed: 0, dead: 1 });
    expect(await messages()).toMatchObject([{ topic: 'password_reset', last_error_code: 'rejected_550' }]);
    expect(linesOf('outbox_message_dead')).toMatchObject([{ level: 'error', code: 'rejected_550' }]);
  });
});

describe('secrets', () => {
  test('neither token nor address is ever in clear in the table', async () => {
    const alice = await account();
    await request(alice.email);
    const requested = JSON.stringify(await messages());
    await server.behave({ kind: 'refuses_connections' });
    await worker().drain();
    const waiting = JSON.stringify(await messages());
    await server.behave({ kind: 'accepts' });
    await waited();
    await worker().drain();
    const token = tokenIn(server.mails[0]?.text);
    expect(token).toMatch(/^dgp_/);
    expect(waiting).toContain('password_reset');
    for (const written of [requested, waiting]) {
      expect(written).not.toContain(alice.email);
      expect(written).not.toContain(Buffer.from(alice.email).toString('base64').slice(0, 20));
      expect(written).not.toContain('192.0.2.');
      expect(written).not.toContain('dgp_');
      expect(written).not.toContain(token.slice(4));
    }
  });

  test('nor in a log line of production, after any error', async () => {
    const alice = await account();
    for (const mode of ['refuses_connections', 'drops_reply', 'accepts'] as const) {
      await server.behave({ kind: mode });
      await request(alice.email);
      await waited();
      await worker().drain();
    }
    await server.behave({ kind: 'rejects_recipients', status: 550 });
    await request(alice.email);
    await worker().drain();
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.join('\n')).not.toContain(alice.email);
    expect(lines.join('\n')).not.toContain('dgp_');
    for (const { text } of server.mails) expect(lines.join('\n')).not.toContain(tokenIn(text).slice(4));
  });

  test('in development the token is in the log, also without a mail server', async () => {
    const alice = await account();
    await request(alice.email);
    expect(await worker({ production: false, mailer: undefined }).drain()).toMatchObject({ delivered: 1 });
    const [line] = linesOf('password_reset_token');
    expect(line).toMatchObject({ level: 'info', user: alice.uuid });
    const [token] = await tokensOf(alice.id);
    expect(token?.token_hash).toEqual(hashOpaqueToken('reset', line.token));
    expect(await messages()).toEqual([]);
  });

  test('a value that is copied into another message does not open there', async () => {
    const [alice, eve] = [await account(), await account()];
    await server.behave({ kind: 'refuses_connections' });
    await request(alice.email);
    await request(eve.email);
    await worker().drain();
    // Eve's mail is to carry Alice's token.
    await owner.query(`
      UPDATE outbox_messages SET available_at = now(), payload = payload || jsonb_build_object('token',
        (SELECT payload->'token' FROM outbox_messages WHERE payload->>'user_id' = '${alice.id}'))`);
    await server.behave({ kind: 'accepts' });
    expect(await worker().drain()).toEqual({ delivered: 1, failed: 0, dead: 1 });
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([[alice.email]]);
    expect(await messages()).toMatchObject([{ last_error_code: 'not_authentic' }]);
  });

  test('what was sealed before a rotation of the key is still delivered', async () => {
    const alice = await account();
    await request(alice.email);
    const current = randomBytes(32).toString('base64');
    const lost = createFieldCrypto({ current });
    expect(await worker({ fieldCrypto: lost }).drain()).toEqual({ delivered: 0, failed: 1, dead: 0 });
    expect(await messages()).toMatchObject([{ last_error_code: 'unknown_key' }]);
    await waited();
    const rotated = createFieldCrypto({ current, previous: key });
    expect(await worker({ fieldCrypto: rotated }).drain()).toEqual({ delivered: 2, failed: 0, dead: 0 });
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([[alice.email]]);
  });
});

describe('an invitation', () => {
  async function invite(expiresInMs = 60_000) {
    const admin = await account(true, 'admin');
    const { token, hash } = createOpaqueToken('invitation');
    const invitationUuid = crypto.randomUUID();
    const email = `invited-${(people += 1)}@example.org`;
    await tenant(async (tx) => {
      await tx
        .insertInto('invitations')
        .values({
          uuid: invitationUuid,
          tenant_id: tenantId,
          email,
          role: 'physician',
          token_hash: hash,
          invited_by: admin.id,
          expires_at: new Date(Date.now() + expiresInMs),
        })
        .execute();
      const row = { topic: 'invitation', invitation_uuid: invitationUuid } as const;
      await enqueueLinkMail(tx, fieldCrypto, row, { tenantId, token, language: 'he' });
    });
    return { invitationUuid, email, token };
  }

  test('and every other mail are left by instances without a mail server to those that have one', async () => {
    const alice = await account();
    const { email: invited } = await invite();
    await tenant((tx) =>
      enqueuePasswordChangedMail(tx, { tenantId, userId: alice.id, changedAt: new Date(), language: 'en' }),
    );
    await request(alice.email);
    const before = await messages();
    expect(before.length).toBe(3);
    expect(await worker({ mailer: undefined }).drain()).toEqual({ delivered: 0, failed: 0, dead: 0 });
    expect(await messages()).toEqual(before);
    // These three, and the mail that the request led to.
    expect(await worker().drain()).toEqual({ delivered: 4, failed: 0, dead: 0 });
    const to = server.mails.flatMap(({ recipients }) => recipients);
    expect(to.toSorted()).toEqual([alice.email, alice.email, invited].toSorted());
  });

  test('is mailed to the invited with the tenant that invites and a link of its own', async () => {
    const { email, token } = await invite();
    expect(JSON.stringify(await messages())).not.toContain(token.slice(4));
    expect(JSON.stringify(await messages())).not.toContain(email);
    await worker().drain();
    const [mail] = await server.arrived(1);
    expect(mail?.recipients).toEqual([email]);
    expect(mail?.text).toContain(`\nhttps://portal.example/accept-invitation#token=${token}\n`);
    expect(mail?.html).toContain('dir="rtl"');
    expect(mail?.html).toContain('<bdi>Clinic &amp; Sons</bdi>');
    expect(mail?.headers.get('content-language')).toBe('he');
  });

  test('is not mailed once it is used, superseded or expired, or the tenant is off', async () => {
    const { invitationUuid: used } = await invite();
    const { invitationUuid: superseded } = await invite();
    await invite(-1000);
    await tenant(async (tx) => {
      await tx.updateTable('invitations').set({ used_at: new Date() }).where('uuid', '=', used).execute();
      const older = tx.updateTable('invitations').set({ superseded_at: new Date() });
      await older.where('uuid', '=', superseded).execute();
    });
    expect(await worker().drain()).toEqual({ delivered: 3, failed: 0, dead: 0 });
    await invite();
    await owner.query('UPDATE tenants SET is_active = false');
    await worker().drain();
    expect(server.mails).toEqual([]);
    expect(linesOf('mail_obsolete').length).toBe(4);
  });
});

describe('a changed password', () => {
  const changed = (userId: number, at = new Date('2026-03-04T15:06:00Z')) =>
    tenant((tx) => enqueuePasswordChangedMail(tx, { tenantId, userId, changedAt: at, language: 'es' }));

  test('is reported to its owner, with the time and a link to the portal, also when the account is off', async () => {
    const [alice, bob] = [await account(), await account(false)];
    await changed(alice.id);
    await changed(bob.id);
    await worker().drain();
    const mails = await server.arrived(2);
    expect(mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      [alice.email, bob.email].toSorted(),
    );
    expect(mails[0]?.text).toContain('15:06 UTC');
    expect(mails[0]?.text).toContain('\nhttps://portal.example/\n');
  });

  test('is reported in the language of the account’s mails, not in that of the request, which another may have made', async () => {
    const [hebrew, none] = [await account(), await account()];
    await tenant((tx) =>
      tx.updateTable('users').set({ language: 'he' }).where('id', '=', hebrew.id).execute(),
    );
    for (const { id } of [hebrew, none]) await changed(id);
    await worker().drain();
    const languages = (await server.arrived(2)).map(({ recipients, headers }) => [
      recipients[0],
      headers.get('content-language'),
    ]);
    expect(Object.fromEntries(languages)).toEqual({ [hebrew.email]: 'he', [none.email]: 'es' });
  });

  test('is reported to no user of another tenant', async () => {
    const alice = await account();
    await enqueuePasswordChangedMail(db as Tx, {
      tenantId: await createTenant({ db: owner }, 'other'),
      userId: alice.id,
      changedAt: new Date(),
      language: 'en',
    });
    await worker().drain();
    expect(server.mails).toEqual([]);
  });
});

describe('an unreadable message', () => {
  test.each([
    ['unknown_topic', 'greeting', {}],
    ['bad_payload', 'password_reset', { user_id: 'x' }],
    ['bad_payload', 'password_reset_requested', { requester: 'x', language: 'en', request_id: 'r', more: 1 }],
    ['bad_payload', 'password_changed', { user_id: 1, language: 'xx', changed_at: 'yesterday' }],
    [
      'malformed',
      'password_reset_requested',
      { requester: 'clear@example.org', language: 'en', request_id: 'r' },
    ],
  ])('is dead at once (%s): %s %j', async (code, topic, payload) => {
    await enqueue(db, { consumer: 'mail', topic, payload, tenantId });
    expect(await worker().drain()).toEqual({ delivered: 0, failed: 0, dead: 1 });
    expect(await messages()).toMatchObject([{ attempts: 1, last_error_code: code }]);
    expect(server.mails).toEqual([]);
  });

  test('without its tenant likewise', async () => {
    const payload = { user_id: 1, changed_at: new Date().toISOString(), language: 'en' };
    await enqueue(db, { consumer: 'mail', topic: 'password_changed', payload });
    expect(await worker().drain()).toMatchObject({ dead: 1 });
  });
});
