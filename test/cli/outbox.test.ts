import { execFile } from 'node:child_process';
import { beforeEach, describe, expect, test } from 'vitest';
import { from, freshAddress, freshEmail, register, tenantRows } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';
import { cliCommand } from '../support/cli-command.ts';
import { compileCache } from '../support/compile-cache.ts';
import { mailServer } from '../support/mail-server.ts';

const server = await mailServer();
const app = await testApp({
  env: {
    ...server.settings,
    PORTAL_URL: 'https://portal.example',
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    SELF_REGISTRATION_ROLES: 'patient,admin',
    ALLOW_ADMIN_SELF_REGISTRATION: 'true',
    BCRYPT_COST: '10',
  },
});
const command = cliCommand('outbox');

/** As `npm run outbox -- …` runs it. */
function outbox(args: string[], databaseUrl: string | undefined = app.databaseUrl) {
  const env = { PATH: process.env['PATH'], ...compileCache(), DATABASE_URL: databaseUrl };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [command(), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

interface Row {
  id: number;
  topic: string;
  payload: Record<string, string>;
  attempts: number;
  last_error_code: string | null;
  dead_at: Date | null;
}
const rows = async () => {
  const { rows: found } = await app.db.query<Omit<Row, 'id'> & { id: string }>(
    'SELECT * FROM outbox_messages ORDER BY id',
  );
  return found.map((row): Row => ({ ...row, id: Number(row.id) }));
};
const events = async () =>
  (
    await app.db.query(
      `SELECT tenant_id, category, action, outcome, detail FROM event_logs_admin WHERE request_id = 'outbox' ORDER BY id`,
    )
  ).rows as Record<string, unknown>[];

/** The one message that waits is given up. */
const giveUp = () =>
  app.db.query(
    `UPDATE outbox_messages SET attempts = 10, dead_at = now(), locked_until = NULL, last_error_code = 'ESOCKET'
     WHERE dead_at IS NULL`,
  );
/** Until a first try of the message has failed. */
const failed = (topic: string) =>
  // By the app itself: a run of the timer here would leave the app's own for later, amid what follows.
  expect
    .poll(
      async () => (await rows()).find((row) => row.topic === topic && row.dead_at === null)?.last_error_code,
    )
    .toBe('ESOCKET');

/** Also the links that registrations are sent; a dead one waits for nothing. */
const allDelivered = () =>
  expect.poll(async () => (await rows()).filter((row) => row.dead_at === null)).toEqual([]);

/** A patient asked for a reset, and the mail with the link is dead. */
async function deadResetLink(): Promise<{ email: string; id: number }> {
  const { email } = await register(app);
  await allDelivered();
  await server.behave({ kind: 'refuses_connections' });
  await app.request('/api/auth/request-reset', { json: { email }, headers: from(freshAddress()) });
  await failed('password_reset');
  await giveUp();
  await server.behave({ kind: 'accepts' });
  return { email, id: (await rows()).at(-1)?.id ?? 0 };
}

/** Written by hand: what no request leaves any more. */
async function deadMessage(topic: string, payload: object, createdAt = new Date()): Promise<number> {
  const { rows: made } = await app.db.query<{ id: string }>(
    `INSERT INTO outbox_messages (tenant_id, consumer, topic, dedupe_key, payload, attempts, last_error_code, dead_at,
       created_at)
     VALUES ($1, 'mail', $2, gen_random_uuid()::text, $3, 10, 'ESOCKET', now(), $4) RETURNING id`,
    [topic === 'password_reset_requested' ? null : 1, topic, payload, createdAt],
  );
  return Number(made[0]?.id);
}

beforeEach(async () => {
  await app.db.query('DELETE FROM outbox_messages');
  await server.behave({ kind: 'accepts' });
});

test('nothing is dead: it says so', async () => {
  expect(await outbox(['list'])).toMatchObject({ code: 0, stdout: 'No message is dead.\n', stderr: '' });
  expect(await outbox(['retry', '--all-dead'])).toMatchObject({ code: 0, stderr: '' });
});

describe('a mail that was given up', () => {
  test('is listed by kind, tenant, tries and error, without an address, a token or anything sealed', async () => {
    const { email, id } = await deadResetLink();
    const { code, stdout, stderr } = await outbox(['list']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      new RegExp(
        `^${id}  mail password_reset  tenant default  10 tries  ESOCKET  dead since 20\\S+Z\n1 dead\\.`,
      ),
    );
    expect(stdout).not.toContain(email);
    expect(stdout).not.toContain('@');
    const [row] = await rows();
    expect(row?.payload['token']?.length).toBeGreaterThan(20);
    expect(stdout).not.toContain(row?.payload['token']);
  });

  test('leaves with the next run of the timer once it is tried again; a second command changes nothing', async () => {
    const { email, id } = await deadResetLink();
    const before = server.mails.length;
    await app.runTimer('drainOutbox');
    expect(server.mails.length).toBe(before);

    const first = await outbox(['retry', String(id)]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`${id}  password_reset: due again\n1 due again`);
    const second = await outbox(['retry', String(id)]);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain(`${id}  no dead message`);
    expect(await rows()).toMatchObject([{ id, attempts: 0, dead_at: null }]);

    await app.runTimer('drainOutbox');
    expect(server.mails.slice(before).map(({ recipients }) => recipients)).toEqual([[email]]);
    expect(server.mails.at(-1)?.text).toMatch(/reset-password#token=dgp_/);
    expect(await rows()).toEqual([]);
    expect((await outbox(['retry', String(id)])).stdout).toContain('no dead message');
  });

  test('is in the audit log of its tenant, once each time', async () => {
    const earlier = (await events()).length;
    const { id } = await deadResetLink();
    await outbox(['retry', '--all-dead']);
    await outbox(['retry', '--all-dead']);
    expect((await events()).slice(earlier)).toEqual([
      {
        tenant_id: 1,
        category: 'admin',
        action: 'outbox_message_retried',
        outcome: 'success',
        detail: {
          message: id,
          topic: 'password_reset',
          tries: 10,
          last_error: 'ESOCKET',
          by: 'command line',
        },
      },
    ]);
  });

  test('has all its tries again: what cannot be delivered is dead once more after ten', async () => {
    const { id } = await deadResetLink();
    await server.behave({ kind: 'rejects_recipients', status: 450 });
    await outbox(['retry', String(id)]);
    // The app may try on its own besides: it does so by itself when little time is left to the next try.
    const [again] = await rows();
    expect(again?.['dead_at']).toBeNull();
    expect(again?.['attempts']).toBeLessThan(5);
    await expect
      .poll(async () => {
        await app.db.query('UPDATE outbox_messages SET available_at = now() WHERE dead_at IS NULL');
        await app.runTimer('drainOutbox');
        return await rows();
      })
      .toMatchObject([{ id, attempts: 10, dead_at: expect.any(Date) as Date }]);
  });
});

describe('what has expired is said to be, and is not sent again', () => {
  test('a reset link whose token has run out, or that a newer one has replaced', async () => {
    const { id, email } = await deadResetLink();
    await tenantRows(app, `UPDATE password_reset_tokens SET expires_at = now() - interval '1 s'`);
    expect((await outbox(['list'])).stdout).toMatch(new RegExp(`^${id} .*expired: is not sent again$`, 'm'));
    const replaced = await deadResetLink();
    await app.request('/api/auth/request-reset', {
      json: { email: replaced.email },
      headers: from(freshAddress()),
    });
    await expect.poll(() => server.mails.at(-1)?.recipients).toEqual([replaced.email]);
    const before = server.mails.length;
    const { stdout } = await outbox(['retry', '--all-dead']);
    expect(stdout).toBe(
      [
        `${id}  password_reset: expired, is not sent again`,
        `${replaced.id}  password_reset: expired, is not sent again`,
        '0 due again: the app takes them within a minute.',
        '',
      ].join('\n'),
    );
    await app.runTimer('drainOutbox');
    expect(server.mails.slice(before).filter(({ recipients }) => recipients.includes(email))).toEqual([]);
    expect((await rows()).map((row) => row.dead_at instanceof Date)).toEqual([true, true]);
  });

  test('an invitation that was accepted or has run out', async () => {
    const admin = await register(app, { role: 'admin' });
    await allDelivered();
    const email = freshEmail('guest');
    await server.behave({ kind: 'refuses_connections' });
    await app.request('/api/auth/invitations', {
      json: { email, role: 'patient' },
      token: admin.access_token,
    });
    await failed('invitation');
    await giveUp();
    await server.behave({ kind: 'accepts' });
    expect((await outbox(['list'])).stdout).not.toContain('expired');
    await tenantRows(app, `UPDATE invitations SET expires_at = now() - interval '1 s'`);
    expect((await outbox(['retry', '--all-dead'])).stdout).toContain(
      'invitation: expired, is not sent again',
    );
  });

  test('a request for a reset, after a day: its mail is no longer expected', async () => {
    const hours = (count: number) => new Date(Date.now() - count * 60 * 60 * 1000);
    const payload = { requester: 'sealed', language: 'en', request_id: 'r' };
    const old = await deadMessage('password_reset_requested', payload, hours(24));
    const young = await deadMessage('password_reset_requested', payload, hours(23));
    const { stdout } = await outbox(['retry', String(young), String(old)]);
    expect(stdout).toContain(`${old}  password_reset_requested: expired, is not sent again`);
    expect(stdout).toContain(`${young}  password_reset_requested: due again`);
  });
});

test('many are tried again in pages, each once', async () => {
  await app.db.query(
    `INSERT INTO outbox_messages (tenant_id, consumer, topic, dedupe_key, payload, attempts, dead_at)
     SELECT 1, 'mail', 'password_changed', n::text, $1, 10, now() FROM generate_series(1, 1001) AS n`,
    [{ user_id: 1, changed_at: new Date().toISOString(), language: 'en' }],
  );
  const { stdout } = await outbox(['list']);
  expect(stdout).toContain('\n1001 dead.');
  expect((await outbox(['retry', '--all-dead'])).stdout).toContain('\n1001 due again');
  expect((await rows()).filter(({ dead_at: dead }) => dead !== null)).toEqual([]);
});

test('wrong arguments and a missing database say what to do, without secrets', async () => {
  const nowhere = 'postgresql://nobody:secret-17@127.0.0.1:1/none';
  const cases: [string[], string | undefined, RegExp][] = [
    [[], app.databaseUrl, /^usage: npm run outbox/],
    [['purge'], app.databaseUrl, /^usage/],
    [['retry'], app.databaseUrl, /^usage/],
    [['retry', 'all'], app.databaseUrl, /^usage/],
    [['retry', '0'], app.databaseUrl, /^usage/],
    [['retry', '1', '--all-dead'], app.databaseUrl, /^usage/],
    [['list', '--all-dead'], app.databaseUrl, /^usage/],
    [['list', '--tenant', 'x'], app.databaseUrl, /--tenant/],
    [['list'], '', /DATABASE_URL must be set/],
    [['list'], nowhere, /cannot be reached/],
  ];
  await Promise.all(
    cases.map(async ([args, databaseUrl, message]) => {
      const { code, stdout, stderr } = await outbox(args, databaseUrl);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/secret-17|^ +at /m);
    }),
  );
});
