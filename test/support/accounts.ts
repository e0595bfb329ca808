import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from './another-instance.ts';
import type { TestApp } from './app.ts';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: 'bearer';
  expires_in: number;
}

export interface Account extends Tokens {
  email: string;
  password: string;
}

type AnyApp = TestApp | TestApp<'real'>;
/** What answers requests: the app, or a further instance of it. */
type Answering = Pick<AnyApp | Instance, 'request'>;

let count = 0;

/** An address that no other test uses. */
export function freshEmail(name = 'user'): string {
  return `${name}-${process.pid}-${(count += 1)}@example.org`;
}

export const goodPassword = 'correct horse battery staple';

/** Registers a user through the app. Each caller counts as a network of its own. */
export async function register(
  app: Answering,
  { role = 'patient', email = freshEmail(role), password = goodPassword, tenant = 'default' } = {},
): Promise<Account> {
  const reply = await app.request(`/api/auth/register?tenant=${tenant}`, {
    json: { email, password, role },
    headers: from(freshAddress()),
  });
  if (reply.status !== 201) throw new Error(`register: ${reply.status} ${await reply.text()}`);
  return { ...((await reply.json()) as Tokens), email, password };
}

export async function logIn(
  app: Answering,
  { email, password }: { email: string; password: string },
  address = freshAddress(),
): Promise<Response> {
  return await app.request('/api/auth/login', { json: { email, password }, headers: from(address) });
}

export async function refresh(app: Answering, refreshToken: string): Promise<Response> {
  return await app.request('/api/auth/refresh', { json: { refresh_token: refreshToken } });
}

export async function me(app: Answering, accessToken: string): Promise<Response> {
  return await app.request('/api/auth/me', { token: accessToken });
}

/**
 * The header by which our own proxy names a client. dev/packages/functions-host appends its peer as Azure's front end does, so an app
 * under test trusts two hops.
 */
export const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

/** An address in a /24 that no other test uses. */
export function freshAddress(): string {
  count += 1;
  return `10.${(count >> 8) & 255}.${count & 255}.7`;
}

/** Creates a second tenant as the owner of the tables does. */
export async function createTenant(
  { db }: Pick<AnyApp, 'db'>,
  slug: string,
  { selfRegistration = true }: { selfRegistration?: boolean } = {},
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO tenants (uuid, name, slug, self_registration) VALUES (gen_random_uuid(), $1, $1, $2) RETURNING id`,
    [slug, selfRegistration],
  );
  return rows[0]?.id as number;
}

export interface AuthEvent {
  action: string;
  outcome: string;
  actor_user_id: number | null;
  tenant_id: number | null;
  detail: Record<string, unknown>;
  request_id: string;
}

/** What the event log says, oldest first. Row-level security binds the owner too, so the policy is set aside. */
export async function authEvents(app: AnyApp, requestId: string): Promise<AuthEvent[]> {
  const { rows } = await app.db.query<AuthEvent>(
    `SELECT action, outcome, actor_user_id, tenant_id, detail, request_id FROM event_logs_auth
     WHERE request_id = $1 ORDER BY id`,
    [requestId],
  );
  return rows;
}

/** Rows of a tenant's tables, read with that tenant set: row-level security binds the owner of the tables as well. */
export async function tenantRows<Row extends Record<string, unknown>>(
  app: Pick<AnyApp, 'db'>,
  text: string,
  values: unknown[] = [],
  tenantId = 1,
): Promise<Row[]> {
  const client = await app.db.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.tenant', $1, true)`, [String(tenantId)]);
    const { rows } = await client.query<Row>(text, values);
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** What an access token says, unverified. */
export function claimsOf(accessToken: string): Record<string, unknown> & { sub: string; sid: string } {
  return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as never;
}

/** The code of a problem reply. */
export async function codeOf(reply: Response): Promise<string> {
  return ((await reply.json()) as { code: string }).code;
}

/** Starts `count` requests at once and waits for all of them. */
export async function simultaneously(
  count: number,
  request: (index: number) => Promise<Response>,
): Promise<Response[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => request(index)));
}

export function statusesOf(replies: readonly Response[]): number[] {
  return replies.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** A reply as text without what differs from request to request, so that two can be compared byte for byte. */
export async function comparable(reply: Response): Promise<string> {
  const body = (await reply.text()).replace(/"requestId":"[^"]*"/, '"requestId":"…"');
  const headers = [...reply.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return `${reply.status}\n${headers.map((header) => header.join(': ')).join('\n')}\n\n${body}`;
}

/** Backends of the app that wait for a lock, or sleep inside a trigger. */
export async function stuckBackends(app: Pick<AnyApp, 'db'>): Promise<number[]> {
  const { rows } = await app.db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'dermagate'
       AND (wait_event_type = 'Lock' OR wait_event = 'PgSleep')`,
  );
  return rows.map(({ pid }) => pid);
}

/**
 * A transaction of the owner in one tenant, open until `commit` or `rollback`: it holds the rows that its statements
 * touch, so that requests meet in the order that a test wants.
 */
export async function openTransaction(app: Pick<AnyApp, 'db'>, tenantId = 1) {
  const client = await app.db.connect();
  await client.query('BEGIN');
  await client.query(`SELECT set_config('app.tenant', $1, true)`, [String(tenantId)]);
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    await client.query(how);
    client.release();
  };
  return {
    run: (text: string, values: unknown[] = []) => client.query(text, values),
    /** Resolves when `count` backends of the app wait for what this transaction holds. */
    async awaited(count = 1): Promise<void> {
      while ((await stuckBackends(app)).length < count) await sleep(10);
    },
    commit: () => end('COMMIT'),
    rollback: () => end('ROLLBACK'),
  };
}

/**
 * Asks for a reset and waits for the token, which an app in development without a mail server writes to its log.
 * `output` is of the instance that was asked.
 */
export async function resetTokenFor(app: AnyApp, email: string): Promise<string> {
  const [user] = await tenantRows<{ uuid: string }>(app, 'SELECT uuid FROM users WHERE email = $1', [email]);
  const lines = () =>
    app.output.filter((line) => line.includes('"password_reset_token"') && line.includes(user?.uuid ?? '?'));
  const before = lines().length;
  const reply = await app.request('/api/auth/request-reset', {
    json: { email },
    headers: from(freshAddress()),
  });
  if (reply.status !== 200) throw new Error(`request-reset: ${reply.status}`);
  // Delivered now: by itself the app waits for up to a second before it does so.
  await app.runTimer('drainOutbox');
  const deadline = Date.now() + 30_000;
  while (lines().length === before) {
    if (Date.now() > deadline) throw new Error('no reset token in the log');
    await sleep(20);
  }
  return /dgp_[\w-]{43}/.exec(lines().at(-1) as string)?.[0] as string;
}
