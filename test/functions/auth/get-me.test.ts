import { describe, expect, test } from 'vitest';
import { claimsOf, createTenant, register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';

// GET /api/auth/me answers exactly the contract's three parts.

const app = await testApp();

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function meOf(token: string): Promise<Record<string, unknown>> {
  const reply = await app.request('/api/auth/me', { token });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Record<string, unknown>;
}

const defaultTenant = {
  uuid: expect.any(String),
  name: 'Default',
  slug: 'default',
  is_active: true,
  created_at: instant,
};

test.each(['patient', 'admin'])('a %s sees user and tenant, and no physician', async (role) => {
  const { access_token: token, email } = await register(app, { role });
  expect(await meOf(token)).toEqual({
    user: {
      uuid: claimsOf(token).sub,
      email,
      role,
      is_active: true,
      is_verified: false,
      tenant_id: 1,
      created_at: instant,
      last_login: null,
    },
    physician: null,
    tenant: defaultTenant,
  });
});

describe('a physician', async () => {
  const { access_token: token } = await register(app, { role: 'physician' });
  const [row] = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE uuid = $1', [
    claimsOf(token).sub,
  ]);

  test('sees the profile as well, without its settings', async () => {
    expect((await meOf(token))['physician']).toEqual({
      uuid,
      user_id: row?.id,
      employee_id: null,
      language_preference: 'en',
      vacation_mode: false,
      created_at: instant,
    });
  });

  test('has an employee id of 64 bits as a number', async () => {
    await tenantRows(app, 'UPDATE physicians SET employee_id = 9007199254740991 WHERE user_id = $1', [
      row?.id,
    ]);
    expect((await meOf(token))['physician']).toMatchObject({ employee_id: 9_007_199_254_740_991 });
  });
});

test('the time of the last login is there after a login', async () => {
  const { access_token: first, email, password } = await register(app);
  const reply = await app.request('/api/auth/login', { json: { email, password } });
  const { access_token: second } = (await reply.json()) as { access_token: string };
  expect(await meOf(first)).toMatchObject({ user: { last_login: instant } });
  expect(await meOf(second)).toEqual(await meOf(first));
});

test('every user sees their own tenant, even if the request names another', async () => {
  const tenantId = await createTenant(app, 'clinic');
  const { access_token: token } = await register(app, { tenant: 'clinic' });
  const reply = await app.request('/api/auth/me?tenant=default', {
    token,
    headers: { 'x-tenant': 'default' },
    strayQuery: ['tenant'],
  });
  expect(await reply.json()).toMatchObject({ user: { tenant_id: tenantId }, tenant: { slug: 'clinic' } });
});

test('the reply has the role of the database, not of the token', async () => {
  const { access_token: token } = await register(app);
  const sub = claimsOf(token).sub;
  await tenantRows(app, "UPDATE users SET role = 'physician', is_verified = true WHERE uuid = $1", [sub]);
  expect(await meOf(token)).toMatchObject({ user: { role: 'physician', is_verified: true } });
  await tenantRows(app, 'UPDATE users SET is_active = false WHERE uuid = $1', [sub]);
  const reply = await app.request('/api/auth/me', { token });
  expect(await reply.json()).toMatchObject({ status: 401, code: 'token_invalid' });
});
