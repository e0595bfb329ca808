import { expect, test } from 'vitest';
import { claimsOf, register, tenantRows } from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';

const app = await testApp();
const { access_token: token } = await register(app, { role: 'admin' });

test('the list of accounts leads on after the longest address that an account can have', async () => {
  const longest = `${'字'.repeat(249)}@a.bc`;
  const last = `${'字'.repeat(248)}香@a.bc`;
  for (const email of [longest, last]) {
    const account = await register(app);
    await tenantRows(app, 'UPDATE users SET email = $1 WHERE uuid = $2', [
      email,
      claimsOf(account.access_token).sub,
    ]);
  }
  const search = async (cursor?: string) => {
    const json = { q: '字', limit: 1, cursor };
    const reply = await app.request('/api/v1/backoffice/users/search', { json, token });
    const { items = [], next_cursor: next } = (await reply.json()) as {
      items?: { email: string }[];
      next_cursor?: string | null;
    };
    return { status: reply.status, found: items.map(({ email }) => email), next };
  };
  const first = await search();
  expect(first).toMatchObject({ status: 200, found: [longest] });
  expect(await search(first.next ?? '')).toEqual({ status: 200, found: [last], next: null });
});

test('an address is found as its owner writes it: with capitals, and with the letters of its domain', async () => {
  const { access_token } = await register(app, { email: 'Noa.Grün@Bücher-Stube.example' });
  const found = async (q: string) => {
    const reply = await app.request('/api/v1/backoffice/users/search', { json: { q }, token });
    const { items } = (await reply.json()) as { items: { uuid: string }[] };
    return items.map(({ uuid }) => uuid);
  };
  const { sub } = claimsOf(access_token);
  for (const q of ['noa.g', 'Noa.GRÜN@', 'noa.grün@BÜCHER-stube.example', ' noa.grün@bücher-stube.exa'])
    expect([q, await found(q)]).toEqual([q, [sub]]);
  const other = await register(app, { email: 'noa@163.example' });
  for (const q of ['noa@1', 'noa@163.'])
    expect([q, await found(q)]).toEqual([q, [claimsOf(other.access_token).sub]]);
});
