import { expect, test } from 'vitest';
import {
  type AuthEvent,
  authEvents,
  claimsOf,
  freshAddress,
  freshEmail,
  from,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { type RequestOptions, testApp } from '../../support/app.ts';
import { mailServer } from '../../support/mail-server.ts';

// What is left behind by everything that can be done under /api/auth: in the event log the right rows, in event log,
// outbox and log lines no address, password, token or hash.

const server = await mailServer();
const app = await testApp({
  env: {
    TRUSTED_PROXY_HOPS: '2',
    ...server.settings,
    PORTAL_URL: 'https://portal.example',
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    SELF_REGISTRATION_ROLES: 'patient,admin',
    ALLOW_ADMIN_SELF_REGISTRATION: 'true',
    BCRYPT_COST: '10',
    LOG_LEVEL: 'debug',
    REFRESH_RACE_SKEW_MS: '0',
  },
});

const secrets = new Set<string>();
const secret = <T extends string>(text: T): T => {
  secrets.add(text);
  return text;
};

let count = 0;
const events = new Map<string, AuthEvent[]>();

/** Sends a request under an id of its own and remembers what the event log says of it. */
async function send(path: string, { headers, ...options }: RequestOptions = {}) {
  const id = `audit-${(count += 1)}`;
  const reply = await app.request(`/api/auth/${path}`, {
    ...options,
    headers: { ...from(freshAddress()), 'x-request-id': id, ...(headers as Record<string, string>) },
  });
  const text = await reply.text();
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Tokens & { uuid: string };
  for (const token of [body.access_token, body.refresh_token]) if (token) secret(token);
  const seen = await authEvents(app, id);
  events.set(id, seen);
  return { status: reply.status, body, said: seen.map(({ action, outcome }) => `${action} ${outcome}`), id };
}

const password = secret('correct horse battery staple');
const wrong = secret('entirely wrong password');
const changed = secret('a changed horse battery');
const final = secret('the final horse battery');

test('every endpoint leaves the right events for both of its outcomes', async () => {
  const email = secret(freshEmail('audit-admin'));
  const patientEmail = secret(freshEmail('audit-patient'));

  const registered = await send('register', { json: { email, password, role: 'admin' } });
  expect([registered.status, registered.said]).toEqual([201, ['user_created success']]);
  const taken = await send('register', { json: { email, password, role: 'admin' } });
  expect([taken.status, taken.said]).toEqual([409, ['user_created failure']]);
  const closed = await send('register', { json: { email: patientEmail, password, role: 'physician' } });
  expect([closed.status, closed.said]).toEqual([403, ['user_created denied']]);
  const patient = await send('register', { json: { email: patientEmail, password, role: 'patient' } });

  const login = await send('login', { json: { email, password } });
  expect([login.status, login.said]).toEqual([200, ['authn_login_success success']]);
  const failed = await send('login', { json: { email, password: wrong } });
  expect([failed.status, failed.said]).toEqual([401, ['authn_login_fail denied']]);
  const unknown = await send('login', {
    json: { email: secret(freshEmail('audit-nobody')), password: wrong },
  });
  expect([unknown.status, unknown.said]).toEqual([401, ['authn_login_fail denied']]);

  const renewed = await send('refresh', { json: { refresh_token: login.body.refresh_token } });
  expect([renewed.status, renewed.said]).toEqual([200, ['session_renewed success']]);
  const replayed = await send('refresh', { json: { refresh_token: login.body.refresh_token } });
  expect([replayed.status, replayed.said]).toEqual([
    401,
    ['authn_token_reuse denied', 'session_renewal_fail denied'],
  ]);
  expect(events.get(replayed.id)?.[1]?.detail).toEqual({ code: 'refresh_token_invalid', reason: 'reuse' });
  const nonsense = await send('refresh', { json: { refresh_token: secret('dgr_nonsense-nonsense') } });
  expect([nonsense.status, nonsense.said]).toEqual([401, ['session_renewal_fail denied']]);

  const token = registered.body.access_token;
  const change = await send('change-password', {
    token,
    json: { current_password: password, new_password: changed },
  });
  expect([change.status, change.said]).toEqual([200, ['authn_password_change success']]);
  const mischange = await send('change-password', {
    token,
    json: { current_password: wrong, new_password: changed },
  });
  expect([mischange.status, mischange.said]).toEqual([400, ['authn_password_change_fail failure']]);

  const invitedEmail = secret(freshEmail('audit-invited'));
  const before = server.mails.length;
  const invitation = await send('invitations', { token, json: { email: invitedEmail, role: 'physician' } });
  expect([invitation.status, invitation.said]).toEqual([201, ['user_invited success']]);
  const forbidden = await send('invitations', {
    token: patient.body.access_token,
    json: { email: invitedEmail, role: 'admin' },
  });
  expect([forbidden.status, forbidden.said]).toEqual([403, ['authz_fail denied']]);
  expect(events.get(forbidden.id)).toMatchObject([{ tenant_id: 1, actor_user_id: expect.any(Number) }]);

  const mailed = async (prefix: string) => {
    while (!server.mails.some(({ text }) => text.includes(prefix)))
      await server.arrived(server.mails.length + 1);
    const mail = server.mails.findLast(({ text }) => text.includes(prefix));
    return secret(new RegExp(`${prefix}[\\w-]{43}`).exec(mail?.text ?? '')?.[0] ?? 'no token');
  };
  expect(server.mails.length).toBeGreaterThanOrEqual(before);
  const invitationToken = await mailed('dgi_');
  const redeemed = await send('register', { json: { invitation_token: invitationToken, password } });
  expect([redeemed.status, redeemed.said]).toEqual([201, ['user_created success']]);
  const reused = await send('register', { json: { invitation_token: invitationToken, password } });
  expect([reused.status, reused.said]).toEqual([400, ['user_created failure']]);

  const known = await send('invitations', { token, json: { email: patientEmail, role: 'physician' } });
  expect([known.status, known.said]).toEqual([201, ['user_invited success']]);
  const own = await send('invitations', { token, json: { email, role: 'physician' } });
  expect(own.status).toBe(400);

  const asked = await send('request-reset', { json: { email: patientEmail } });
  expect(asked.status).toBe(200);
  const resetToken = await mailed('dgp_');
  const requested = await authEvents(app, asked.id);
  expect(requested).toMatchObject([
    { action: 'authn_password_reset_requested', outcome: 'success', tenant_id: 1 },
  ]);
  const reset = await send('reset-password', { json: { token: resetToken, new_password: final } });
  expect([reset.status, reset.said]).toEqual([200, ['authn_password_change success']]);
  const spent = await send('reset-password', { json: { token: resetToken, new_password: final } });
  expect([spent.status, spent.said]).toEqual([400, ['authn_password_change_fail failure']]);

  const second = await send('login', { json: { email: patientEmail, password: final } });
  const third = await send('login', { json: { email: patientEmail, password: final } });
  const fourth = await send('login', { json: { email: patientEmail, password: final } });
  const ended = await send(`sessions/${claimsOf(second.body.access_token).sid}`, {
    method: 'DELETE',
    token: third.body.access_token,
  });
  expect([ended.status, ended.said]).toEqual([204, ['session_ended success']]);
  const out = await send('logout', { json: { refresh_token: fourth.body.refresh_token } });
  expect([out.status, out.said]).toEqual([204, ['session_ended success']]);
  const nothing = await send('logout', { json: { refresh_token: fourth.body.refresh_token } });
  expect([nothing.status, nothing.said]).toEqual([204, []]);
  const everywhere = await send('logout-all', { method: 'POST', token: third.body.access_token });
  expect([everywhere.status, everywhere.said]).toEqual([204, ['session_ended success']]);
  const late = await send('logout-all', { method: 'POST', token: third.body.access_token });
  expect([late.status, late.said]).toEqual([401, ['session_ended denied']]);

  for (const [id, rows] of events) for (const row of rows) expect(row.request_id).toBe(id);
});

test('a mistake in a form is no security event', async () => {
  for (const [path, json] of [
    ['login', {}],
    ['register', { email: 'x' }],
    ['refresh', { token: 1 }],
  ] as const) {
    const { status, said } = await send(path, { json });
    expect([status, said]).toEqual([400, []]);
  }
});

test('an address that is throttled is an event, too', async () => {
  const email = secret(freshEmail('audit-throttled'));
  const headers = from(freshAddress());
  for (let attempt = 0; attempt < 10; attempt += 1)
    await send('login', { json: { email, password: wrong }, headers });
  const throttled = await send('login', { json: { email, password: wrong }, headers });
  expect([throttled.status, throttled.said]).toEqual([429, ['authn_login_fail failure']]);
  expect(events.get(throttled.id)?.[0]?.detail).toEqual({ code: 'rate_limited' });
});

test('no address, password, token or hash is in the event log, the outbox or a log line', async () => {
  const hashes = await tenantRows<{ hash: string }>(app, 'SELECT password_hash AS hash FROM users');
  for (const { hash } of hashes) secret(hash);
  expect(secrets.size).toBeGreaterThan(20);
  const logged = app.output.join('\n');
  const { rows } = await app.db.query<{ row: string }>(`
    SELECT e::text AS row FROM event_logs_auth e UNION ALL SELECT m::text FROM outbox_messages m`);
  expect(rows.length).toBeGreaterThan(20);
  const kept = rows.map(({ row }) => row).join('\n');
  for (const [place, text] of Object.entries({ logged, kept })) {
    for (const value of secrets) {
      expect(text.includes(value), `${place}: ${value.slice(0, 12)}…`).toBe(false);
      // Nor in the forms that a URL or a mail header gives it.
      expect(text.includes(encodeURIComponent(value)), place).toBe(false);
    }
    expect(text).not.toMatch(/dg[rpi]_[\w-]{20}|\$2[aby]\$|eyJ[\w-]{10}/);
  }
});
