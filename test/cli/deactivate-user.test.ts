import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  claimsOf,
  codeOf,
  freshEmail,
  goodPassword,
  logIn,
  me,
  register,
  tenantRows,
  type Tokens,
} from '../support/accounts.ts';
import { testApp } from '../support/app.ts';
import { appLogin } from '../support/app-login.ts';
import { cliCommand } from '../support/cli-command.ts';
import { compileCache } from '../support/compile-cache.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2' } });
const command = cliCommand('deactivate-user');

/** As `npm run deactivate-user -- …` runs it. */
function deactivateUser(args: string[], env: Record<string, string> = {}) {
  const settings = { PATH: process.env['PATH'], ...compileCache(), DATABASE_URL: app.databaseUrl, ...env };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [command(), ...args], { env: settings }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const refresh = ({ refresh_token }: Tokens) => app.request('/api/auth/refresh', { json: { refresh_token } });

/** Events of the command about an account, oldest first. */
async function eventsAbout(uuid: string) {
  const { rows } = await app.db.query(
    `SELECT tenant_id, category, action, outcome, detail FROM event_logs_admin
     WHERE request_id = 'deactivate-user' AND subject_uuid = $1 ORDER BY uuid`,
    [uuid],
  );
  return rows as unknown[];
}

test('deactivation ends every session at once and refuses logins; activation restores the account; both are audited', async () => {
  const [ann, ben] = await Promise.all([register(app, { role: 'physician' }), register(app)]);
  const { sub: uuid } = claimsOf(ann.access_token);
  const second = (await (await logIn(app, ann)).json()) as Tokens;
  const [taken] = await tenantRows<{ uuid: string }>(
    app,
    `INSERT INTO request_records (uuid, tenant_id, patient_id, source, language, status, status_changed_at, pool,
       assigned_physician_id, lease_expires_at, submitted_at, queued_at, due_at, triage_level, triage_rank)
     SELECT gen_random_uuid(), 1, patients.id, 'mobile', 'en', 'in_review', now(), 'general', physicians.id, now() + interval '1 hour', now(), now(), now(), 'routine', 2
     FROM patients, physicians, users WHERE patients.account_user_id IN (SELECT id FROM users WHERE email = $1)
       AND users.id = physicians.user_id AND users.email = $2 RETURNING uuid`,
    [ben.email, ann.email],
  );

  const off = await deactivateUser(['--email', ann.email.toUpperCase()]);
  expect([off.code, off.stdout.trim(), off.stderr]).toEqual([
    0,
    `${uuid}, physician of tenant default: inactive, 2 sessions ended, 1 cases returned, 0 invitations withdrawn`,
    '',
  ]);
  expect(
    await tenantRows(
      app,
      'SELECT status, assigned_physician_id, lane_pool FROM request_records WHERE uuid = $1',
      [taken?.uuid],
    ),
  ).toEqual([{ status: 'queued', assigned_physician_id: null, lane_pool: 'general' }]);
  for (const session of [ann, second]) {
    expect((await me(app, session.access_token)).status).toBe(401);
    expect((await refresh(session)).status).toBe(401);
  }
  expect(await (await logIn(app, ann)).json()).toMatchObject({ status: 403, code: 'account_inactive' });
  expect((await me(app, ben.access_token)).status).toBe(200);

  expect((await deactivateUser(['--uuid', uuid])).stdout).toContain(
    'already inactive, 0 sessions ended, 0 cases returned, 0 invitations withdrawn',
  );

  const on = await deactivateUser(['--uuid', uuid, '--activate']);
  expect([on.code, on.stdout.trim()]).toEqual([0, `${uuid}, physician of tenant default: active`]);
  expect((await logIn(app, { email: ann.email, password: goodPassword })).status).toBe(200);
  expect((await me(app, ann.access_token)).status).toBe(401);

  const about = { tenant_id: 1, category: 'admin', outcome: 'success' };
  const detail = { role: 'physician', by: 'command line' };
  expect(await eventsAbout(uuid)).toEqual([
    { ...about, action: 'user_deactivated', detail: { ...detail, sessions: 2, cases: 1 } },
    { ...about, action: 'user_activated', detail: { ...detail, sessions: 0, cases: 0 } },
  ]);
});

test('a physician who has not registered yet cannot do so any more, and the output reports a change', async () => {
  const { access_token: token } = await register(app, { role: 'admin' });
  const email = freshEmail('prepared');
  const created = await app.request('/api/v1/backoffice/physicians', {
    token,
    json: { email, display_name: 'Noor Example', language_preference: 'en', invite: true },
  });
  const { physician, invitation } = (await created.json()) as {
    physician: { user_uuid: string };
    invitation: { invitation_token: string };
  };
  const { user_uuid: uuid } = physician;
  const outcomes = [await deactivateUser(['--email', email]), await deactivateUser(['--email', email])];
  expect(outcomes.map(({ stdout }) => stdout.trim())).toEqual([
    `${uuid}, physician of tenant default: inactive, 0 sessions ended, 0 cases returned, 1 invitations withdrawn`,
    `${uuid}, physician of tenant default: already inactive, 0 sessions ended, 0 cases returned, 0 invitations withdrawn`,
  ]);
  const { invitation_token } = invitation;
  const redeemed = await app.request('/api/auth/register', {
    json: { invitation_token, password: goodPassword },
  });
  expect(await codeOf(redeemed)).toBe('invitation_invalid');
  expect(await eventsAbout(uuid)).toMatchObject([
    { action: 'user_deactivated', detail: { sessions: 0, cases: 0, invitations: 1 } },
  ]);
});

test('wrong arguments and an unknown account are refused in words, and nothing changes', async () => {
  const { email, access_token: token } = await register(app);
  const cases: [string[], Record<string, string>, RegExp][] = [
    [[], {}, /^usage/],
    [['--email', email, '--uuid', randomUUID()], {}, /^usage/],
    [['--email', 'nobody'], {}, /not an email address/],
    [['--uuid', '17'], {}, /not a UUID/],
    [['--email', 'unknown@example.org'], {}, /no account with this address/],
    [['--uuid', randomUUID()], {}, /no account with this UUID/],
    [['--email', email], { DATABASE_URL: '' }, /DATABASE_URL must be set/],
    [['--email', email], { DATABASE_URL: 'postgresql://x:secret-17@127.0.0.1:1/none' }, /cannot be reached/],
  ];
  for (const [args, env, message] of cases) {
    const { code, stdout, stderr } = await deactivateUser(args, env);
    expect([args, code, stdout]).toEqual([args, 1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/secret-17|^ +at /m);
  }
  expect((await me(app, token)).status).toBe(200);
});

test('the login of the deployed app deactivates and activates an account', async () => {
  const ann = await register(app);
  const env = { DATABASE_URL: await appLogin(app.databaseUrl) };
  const off = await deactivateUser(['--email', ann.email], env);
  expect([off.code, off.stderr]).toEqual([0, '']);
  expect(off.stdout).toContain('inactive, 1 sessions ended');
  expect((await refresh(ann)).status).toBe(401);
  const on = await deactivateUser(['--email', ann.email, '--activate'], env);
  expect([on.code, on.stderr]).toEqual([0, '']);
});
