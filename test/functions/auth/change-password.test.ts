import { expect, test } from 'vitest';
import {
  authEvents,
  codeOf,
  freshAddress,
  from,
  goodPassword,
  logIn,
  me,
  openTransaction,
  refresh,
  register,
  resetTokenFor,
  simultaneously,
  statusesOf,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });

const newPassword = 'a brand new password';

function change(token: string, current: unknown, next: unknown, headers: Record<string, string> = {}) {
  return app.request('/api/auth/change-password', {
    token,
    json: { current_password: current, new_password: next },
    headers: { ...from(freshAddress()), ...headers },
  });
}

test('a change replaces the password, ends the other sessions and keeps the own one', async () => {
  const account = await register(app);
  const other = (await (await logIn(app, account)).json()) as Tokens;
  const reply = await change(account.access_token, goodPassword, newPassword, { 'x-request-id': 'change-1' });
  expect(reply.status).toBe(200);
  expect(await reply.json()).toEqual({ message: expect.any(String) });
  expect((await me(app, account.access_token)).status).toBe(200);
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
  expect((await me(app, other.access_token)).status).toBe(401);
  expect((await refresh(app, other.refresh_token)).status).toBe(401);
  expect((await logIn(app, account)).status).toBe(401);
  expect((await logIn(app, { ...account, password: newPassword })).status).toBe(200);
  expect(await authEvents(app, 'change-1')).toMatchObject([
    { action: 'authn_password_change', outcome: 'success', detail: { by: 'change', sessions: 1 } },
  ]);
});

test('without an access token it is 401', async () => {
  const reply = await app.request('/api/auth/change-password', {
    json: { current_password: goodPassword, new_password: newPassword },
  });
  expect(reply.status).toBe(401);
});

test('a wrong current password is 400, changes nothing and is in the event log', async () => {
  const account = await register(app);
  const reply = await change(account.access_token, 'wrong', newPassword, { 'x-request-id': 'change-2' });
  expect(reply.status).toBe(400);
  expect(await codeOf(reply)).toBe('current_password_invalid');
  expect((await logIn(app, account)).status).toBe(200);
  expect(await authEvents(app, 'change-2')).toMatchObject([
    {
      action: 'authn_password_change_fail',
      outcome: 'failure',
      detail: { code: 'current_password_invalid' },
      tenant_id: 1,
    },
  ]);
});

test('the same password again is 400, in any Unicode form', async () => {
  const account = await register(app, { password: 'über-geheim ﬁsch' });
  for (const same of ['über-geheim ﬁsch', 'u\u0308ber-geheim fisch']) {
    const reply = await change(account.access_token, 'über-geheim ﬁsch', same);
    expect(reply.status).toBe(400);
    expect(await codeOf(reply)).toBe('password_unchanged');
  }
});

test('a caller who does not know the current password learns nothing about it from the new one', async () => {
  const account = await register(app);
  // Were equality looked at first, this would say that 'wrong guess' is not the password, or that it is.
  const reply = await change(account.access_token, 'wrong guess', goodPassword);
  expect(await codeOf(reply)).toBe('current_password_invalid');
  const same = await change(account.access_token, 'wrong guess', 'wrong guess');
  expect(await codeOf(same)).toBe('current_password_invalid');
});

test('a new password obeys the rules of a registration', async () => {
  const account = await register(app);
  const cases: [unknown, string][] = [
    ['short', 'password_too_short'],
    ['x'.repeat(129), 'password_too_long'],
    ['PassWord', 'password_too_common'],
    [`${account.email.split('@')[0]}!`, 'password_too_common'],
    [12345678, 'invalid_type'],
    [undefined, 'required'],
  ];
  for (const [next, code] of cases) {
    const reply = await change(account.access_token, goodPassword, next);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ errors: [{ pointer: '/new_password', code }] });
  }
  expect((await logIn(app, account)).status).toBe(200);
});

test('of eight simultaneous changes one wins, and its password is the one that counts', async () => {
  for (let round = 0; round < 5; round += 1) {
    const account = await register(app);
    const replies = await simultaneously(8, (index) =>
      change(account.access_token, goodPassword, `${newPassword} ${index}`),
    );
    expect(statusesOf(replies)).toEqual([200, ...Array<number>(7).fill(400)]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect((await logIn(app, { ...account, password: `${newPassword} ${winner}` })).status).toBe(200);
    expect((await me(app, account.access_token)).status).toBe(200);
  }
});

test('a change that overlaps a reset does not undo it', async () => {
  const account = await register(app);
  const other = await register(app, { password: 'set by the reset' });
  const reset = await openTransaction(app);
  await reset.run(
    'UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = $2) WHERE email = $1',
    [account.email, other.email],
  );
  const overlapping = change(account.access_token, goodPassword, newPassword);
  await reset.awaited();
  await reset.commit();
  expect(await codeOf(await overlapping)).toBe('current_password_invalid');
  expect((await logIn(app, { ...account, password: newPassword })).status).toBe(401);
  expect((await logIn(app, { ...account, password: 'set by the reset' })).status).toBe(200);
});

test('a change makes links for a reset that are under way worthless', async () => {
  const account = await register(app);
  const token = await resetTokenFor(app, account.email);
  expect((await change(account.access_token, goodPassword, newPassword)).status).toBe(200);
  const reply = await app.request('/api/auth/reset-password', {
    json: { token, new_password: 'yet another password' },
  });
  expect(reply.status).toBe(400);
  expect(await codeOf(reply)).toBe('reset_token_invalid');
});

test('an account whose hash is of an earlier system changes its password too', async () => {
  const account = await register(app);
  const { default: bcrypt } = await import('bcryptjs');
  await tenantRows(app, 'UPDATE users SET password_hash = $2 WHERE email = $1', [
    account.email,
    await bcrypt.hash('from before', 4),
  ]);
  expect((await change(account.access_token, 'from before', newPassword)).status).toBe(200);
  expect((await logIn(app, { ...account, password: newPassword })).status).toBe(200);
});
