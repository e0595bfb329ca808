import { expect, test } from 'vitest';
import {
  codeOf,
  freshAddress,
  freshEmail,
  from,
  goodPassword,
  openTransaction,
  register,
  statusesOf,
  tenantRows,
} from '../../../../support/accounts.ts';
import { testApp } from '../../../../support/app.ts';

// Invitations in the hands of admins: sent again, withdrawn, and which of the tokens works.

const app = await testApp();
const { access_token: token } = await register(app, { role: 'admin' });

interface Invitation {
  uuid: string;
  email: string;
  role: string;
  expires_at: string;
  invitation_token: string;
}
async function invite(email = freshEmail('invited')): Promise<Invitation> {
  const reply = await app.request('/api/auth/invitations', { json: { email, role: 'physician' }, token });
  expect(reply.status).toBe(201);
  return (await reply.json()) as Invitation;
}
const path = '/api/v1/backoffice/invitations';
const resend = (uuid: string) => app.request(`${path}/${uuid}/resend`, { method: 'POST', token });
const revoke = (uuid: string) => app.request(`${path}/${uuid}`, { method: 'DELETE', token });
const redeem = (invitation_token: string) =>
  app.request('/api/auth/register', {
    json: { invitation_token, password: goodPassword },
    headers: from(freshAddress()),
  });
async function listed(): Promise<string[]> {
  const reply = await app.request(path, { token });
  const text = await reply.text();
  expect(text).not.toMatch(/dgi_|token/);
  return (JSON.parse(text) as { invitations: Invitation[] }).invitations.map(({ uuid }) => uuid);
}

test('an invitation that is sent again takes the place of the one before: only its token works, once', async () => {
  const first = await invite();
  const reply = await resend(first.uuid);
  const second = (await reply.json()) as Invitation;
  expect([reply.status, second]).toMatchObject([201, { email: first.email, role: 'physician' }]);
  expect(second.uuid).not.toBe(first.uuid);
  const open = await listed();
  expect([open.includes(first.uuid), open.includes(second.uuid)]).toEqual([false, true]);
  expect(await codeOf(await redeem(first.invitation_token))).toBe('invitation_invalid');
  expect((await redeem(second.invitation_token)).status).toBe(201);
  expect(await codeOf(await redeem(second.invitation_token))).toBe('invitation_invalid');
  // Neither of them is one to send again.
  for (const { uuid } of [first, second]) {
    const refused = await resend(uuid);
    expect([refused.status, await codeOf(refused)]).toEqual([404, 'invitation_not_found']);
  }
});

test('one that has expired is sent again for seven days; one that was withdrawn is not', async () => {
  const [expired, withdrawn] = [await invite(), await invite()];
  await tenantRows(app, `UPDATE invitations SET expires_at = now() - interval '1 minute' WHERE uuid = $1`, [
    expired.uuid,
  ]);
  expect(await listed()).not.toContain(expired.uuid);
  expect(await codeOf(await redeem(expired.invitation_token))).toBe('invitation_invalid');
  const again = (await (await resend(expired.uuid)).json()) as Invitation;
  const inDays = (Date.parse(again.expires_at) - Date.now()) / 86_400_000;
  expect(inDays).toBeGreaterThan(6.9);
  expect(inDays).toBeLessThanOrEqual(7);
  expect((await redeem(again.invitation_token)).status).toBe(201);

  expect((await revoke(withdrawn.uuid)).status).toBe(204);
  expect(await codeOf(await redeem(withdrawn.invitation_token))).toBe('invitation_invalid');
  for (const refused of [await resend(withdrawn.uuid), await revoke(withdrawn.uuid)]) {
    expect([refused.status, await codeOf(refused)]).toEqual([404, 'invitation_not_found']);
  }
});

test('of two admins who send one again at once, one does, and what it sends works', async () => {
  const { uuid } = await invite();
  const replies = await Promise.all([resend(uuid), resend(uuid)]);
  expect(statusesOf(replies)).toEqual([201, 404]);
  const sent = replies.filter(({ status }) => status === 201);
  const [works = ''] = await Promise.all(
    sent.map(async (reply) => ((await reply.json()) as Invitation).invitation_token),
  );
  expect((await redeem(works)).status).toBe(201);
});

test('an invitation that is withdrawn while it is sent again is not sent again', async () => {
  const { uuid, email } = await invite();
  const held = await openTransaction(app);
  await held.run('SELECT FROM invitations WHERE uuid = $1 FOR UPDATE', [uuid]);
  const revoking = revoke(uuid);
  await held.awaited();
  const sending = resend(uuid);
  await held.awaited(2);
  await held.rollback();
  expect([(await revoking).status, (await sending).status]).toEqual([204, 404]);
  const open = 'SELECT FROM invitations WHERE email = $1 AND superseded_at IS NULL';
  expect(await tenantRows(app, open, [email])).toEqual([]);
});
