import { expect, test } from 'vitest';
import {
  claimsOf,
  codeOf,
  createTenant,
  freshEmail,
  logIn,
  me,
  refresh,
  register,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';

// What an access token allows is what the database says at this moment, not what was true when it was signed.

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2' } });

const update = (assignment: string, { access_token: token }: Pick<Tokens, 'access_token'>, tenantId = 1) =>
  tenantRows(app, `UPDATE users SET ${assignment} WHERE uuid = $1`, [claimsOf(token).sub], tenantId);

const invite = ({ access_token: token }: Tokens) =>
  app.request('/api/auth/invitations', { token, json: { email: freshEmail(), role: 'patient' } });

test('a user who is switched off is out at the next request, on every route, with every token', async () => {
  const admin = await register(app, { role: 'admin' });
  expect((await me(app, admin.access_token)).status).toBe(200);
  await update('is_active = false', admin);
  const refused = await me(app, admin.access_token);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect(await codeOf(refused)).toBe('token_invalid');
  expect((await invite(admin)).status).toBe(401);
  expect((await app.request('/api/auth/sessions', { token: admin.access_token })).status).toBe(401);
  expect((await refresh(app, admin.refresh_token)).status).toBe(401);
  const login = await logIn(app, admin);
  expect(login.status).toBe(403);
});

test('a tenant that is switched off locks all its users out at the next request, and no other user', async () => {
  const tenantId = await createTenant(app, 'north');
  const [patient, physician] = await Promise.all([
    register(app, { tenant: 'north' }),
    register(app, { tenant: 'north', role: 'physician' }),
  ]);
  const bystander = await register(app);
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [tenantId]);
  for (const { access_token: token } of [patient, physician]) {
    const refused = await me(app, token);
    expect(refused.status).toBe(401);
    expect(await codeOf(refused)).toBe('token_invalid');
  }
  expect((await me(app, bystander.access_token)).status).toBe(200);
  await app.db.query('UPDATE tenants SET is_active = true WHERE id = $1', [tenantId]);
  expect((await me(app, patient.access_token)).status).toBe(200);
});

test('a change of role counts at the next request, both ways, with the old token', async () => {
  const account = await register(app, { role: 'admin' });
  expect((await invite(account)).status).toBe(201);
  await update("role = 'patient'", account);
  const refused = await invite(account);
  expect(refused.status).toBe(403);
  expect(await codeOf(refused)).toBe('forbidden');
  expect(await (await me(app, account.access_token)).json()).toMatchObject({ user: { role: 'patient' } });
  await update("role = 'admin'", account);
  expect((await invite(account)).status).toBe(201);
});

test('a session past its absolute end is over, though its access token is young', async () => {
  const account = await register(app);
  await tenantRows(app, `UPDATE sessions SET absolute_expires_at = now() - interval '1 s' WHERE uuid = $1`, [
    claimsOf(account.access_token).sid,
  ]);
  expect((await me(app, account.access_token)).status).toBe(401);
});

test('a session whose row is gone is over', async () => {
  const account = await register(app);
  await tenantRows(app, 'DELETE FROM sessions WHERE uuid = $1', [claimsOf(account.access_token).sid]);
  expect((await me(app, account.access_token)).status).toBe(401);
  expect((await refresh(app, account.refresh_token)).status).toBe(401);
});
