import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { query } from '../../dev/services/postgres.ts';
import { enqueueLinkRequest } from '../../src/domain/platform/mails/enqueue-mails.ts';
import { connectDatabase } from '../../src/lib/db/connect.ts';
import { createFieldCrypto } from '../../src/lib/field-crypto.ts';
import { type Account, claimsOf, goodPassword, register, tenantRows } from '../support/accounts.ts';
import type { TestApp } from '../support/app.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../support/diagnosis.ts';
import { skinPhoto } from '../support/images.ts';
import { storeImages } from '../support/stored-images.ts';

// A person who has left something in every table that can have something of a person, and a look into all of them.

const photo = await skinPhoto({ width: 640, height: 480, format: 'jpeg' });
const otherPhoto = await skinPhoto({ width: 320, height: 480, format: 'jpeg' });

export interface Row {
  table: string;
  text: string;
}

/** Every row of every table as text, binary columns as hexadecimal. */
export async function everything(app: TestApp): Promise<Row[]> {
  const superuserUrl = Object.assign(new URL(inject('services').superuserUrl), {
    pathname: new URL(app.databaseUrl).pathname,
  }).href;
  const tables = (await query(
    superuserUrl,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname NOT LIKE 'kysely%'`,
  )) as { name: string }[];
  const rows = await Promise.all(
    tables.map(async ({ name }) =>
      (
        (await query(superuserUrl, `SELECT to_jsonb(t)::text AS text FROM ${name} t`)) as { text: string }[]
      ).map(({ text }) => ({ table: name, text })),
    ),
  );
  return rows.flat();
}

/** Names of the tables that have `text` in some row. */
export const tablesWith = (rows: readonly Row[], text: string) => [
  ...new Set(rows.filter((row) => row.text.includes(text)).map(({ table }) => table)),
];

export interface Traces {
  account: Account;
  id: number;
  uuid: string;
  network: string;
  agent: string;
  phrase: string;
  blobs: string[];
}

/** Until the worker has opened every request for a reset and made a mail of it, which the mail server does not take. */
async function resetMailWaits(app: TestApp): Promise<void> {
  const open = `SELECT FROM outbox_messages WHERE topic = 'password_reset_requested'`;
  await app.host.runTimer('drainOutbox');
  while ((await app.db.query(open)).rowCount !== 0) await sleep(50);
}

let networks = 0;

/** A physician who has done everything that leaves rows behind. */
export async function busyPerson(app: TestApp, role = 'physician'): Promise<Traces> {
  networks += 1;
  const [network, agent, phrase] = [`198.51.${networks}`, `Agent-${randomUUID()}`, `words-${randomUUID()}`];
  const headers = { 'x-forwarded-for': `${network}.7`, 'user-agent': agent };
  const account = await register(app, { role });
  const { email } = account;
  const ask = (path: string, options = {}) => app.request(path, { headers, ...options });
  const json = (path: string, body: unknown, token?: string) =>
    app.request(path, { headers, json: body, ...(token !== undefined && { token }) });
  await json('/api/auth/login', { email, password: 'not that one at all' });
  const { access_token: token, refresh_token: refreshToken } = (await (
    await json('/api/auth/login', { email, password: goodPassword })
  ).json()) as Account;
  await json('/api/auth/refresh', { refresh_token: refreshToken });
  const stored = await storeImages(app, token, [photo, otherPhoto], {
    headers: { ...headers, 'idempotency-key': randomUUID() },
  });
  await ask(`${stored.images[0]?.url}?variant=thumbnail`, { token });
  const answers = { ...anamnesis, complaint: { ...(anamnesis['complaint'] as object), description: phrase } };
  const diagnosed = await app.request(
    '/api/diagnosis',
    upload([imagePart(photo), anamnesisPart(answers)], { token, headers }),
  );
  if (diagnosed.status !== 200) throw new Error(await diagnosed.text());
  await json('/api/ai/triage', anamnesis, token);
  await json(
    '/api/auth/change-password',
    { current_password: goodPassword, new_password: `${goodPassword} 2` },
    token,
  );
  await json('/api/auth/request-reset', { email });
  await resetMailWaits(app);
  const { sub: uuid } = claimsOf(token);
  const [row] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE uuid = $1', [uuid]);
  const images = await tenantRows<{ name: string; small: string | null }>(
    app,
    'SELECT blob_name AS name, thumbnail_blob_name AS small FROM images WHERE owner_user_id = $1',
    [row?.id],
  );
  const blobs = images.flatMap(({ name, small }) => (small === null ? [name] : [name, small]));
  return { account, id: row?.id ?? 0, uuid, network: `${network}.0/24`, agent, phrase, blobs };
}

/** What requests leave only in passing, and invitations that have ended; `elsewhere` is another tenant. */
export async function addTheRest(
  app: TestApp,
  { id, account: { email } }: Traces,
  { inviter, elsewhere }: { inviter: Traces; elsewhere: number },
): Promise<void> {
  const invite = (tenantId: number, address: string, by: number) =>
    tenantRows<{ uuid: string }>(
      app,
      `INSERT INTO invitations (uuid, tenant_id, email, role, token_hash, invited_by, expires_at)
       VALUES (gen_random_uuid(), $1, $2, 'patient', sha256(gen_random_uuid()::text::bytea), $3, now()) RETURNING uuid`,
      [tenantId, address, by],
      tenantId,
    );
  const [there] = await tenantRows<{ id: number }>(
    app,
    `INSERT INTO users (uuid, tenant_id, email, password_hash, role)
     VALUES (gen_random_uuid(), $1, gen_random_uuid() || '@example.org', '!', 'admin') RETURNING id`,
    [elsewhere],
    elsewhere,
  );
  const sent = [
    ...(await invite(1, 'guest@example.org', id)),
    ...(await invite(1, email, inviter.id)),
    ...(await invite(elsewhere, email, there?.id ?? 0)),
  ];
  for (const { uuid } of sent) {
    await app.db.query(
      `INSERT INTO outbox_messages (tenant_id, consumer, topic, dedupe_key, payload, available_at)
       VALUES (1, 'mail', 'invitation', 'invitation:' || $1, jsonb_build_object('invitation_uuid', $1::text), 'infinity')`,
      [uuid],
    );
  }
  await app.db.query(`UPDATE outbox_messages SET tenant_id = $1 WHERE payload ->> 'invitation_uuid' = $2`, [
    elsewhere,
    sent[2]?.uuid,
  ]);
  await tenantRows(app, `UPDATE physicians SET private_pool = $1 WHERE user_id = $2`, [
    `pool of ${email}`,
    id,
  ]);
}
/** A request for a reset that no worker has opened: the address is in it, sealed. */
export async function unopenedResetRequest(app: TestApp, email: string): Promise<void> {
  const { db } = connectDatabase({ url: app.databaseUrl, poolMax: 1, onIdleError: () => undefined });
  const fieldCrypto = createFieldCrypto({ current: app.env['FIELD_ENCRYPTION_KEY'] ?? '' });
  await db.transaction().execute(async (tx) => {
    await enqueueLinkRequest(tx, fieldCrypto, 'password_reset_requested', {
      email,
      language: 'en',
      requestId: 'r',
      ipPrefix: undefined,
    });
    await sql`UPDATE outbox_messages SET available_at = 'infinity'`.execute(tx);
  });
  await db.destroy();
}
