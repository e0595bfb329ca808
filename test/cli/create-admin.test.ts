import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  authEvents,
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
const command = cliCommand('create-admin');

/** As `npm run create-admin -- …` runs it, with the app's settings. */
function createAdmin(args: string[], env: Record<string, string | undefined> = {}) {
  const settings = {
    PATH: process.env['PATH'],
    ...compileCache(),
    DATABASE_URL: app.databaseUrl,
    PASSWORD_PEPPER: app.env['PASSWORD_PEPPER'],
    BCRYPT_COST: '4',
    ADMIN_PASSWORD: goodPassword,
    ...env,
  };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [command(), ...args], { env: settings }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const accountsOf = (email: string) =>
  tenantRows(app, 'SELECT role, is_verified FROM users WHERE email = $1', [email.toLowerCase()]);

test('a new database has no account: no login succeeds before the first admin is created', async () => {
  expect(await tenantRows(app, 'SELECT email FROM users')).toEqual([]);
  const { rows } = await app.db.query('SELECT count(*)::int AS tenants FROM tenants');
  expect(rows).toEqual([{ tenants: 1 }]);
});

test('the first admin is created, logs in and invites', async () => {
  const email = freshEmail('First-Admin');
  const { code, stdout } = await createAdmin(['--email', ` ${email} `]);
  expect(code).toBe(0);
  expect(stdout).toContain(`created admin ${email.toLowerCase()}`);
  expect(stdout).not.toContain(goodPassword);
  // The operator vouches for the address: no invitation by mail retires the account.
  expect(await accountsOf(email)).toEqual([{ role: 'admin', is_verified: true }]);
  const { access_token: token } = (await (
    await logIn(app, { email, password: goodPassword })
  ).json()) as Tokens;
  expect(await (await me(app, token)).json()).toMatchObject({
    user: { role: 'admin', is_active: true },
    tenant: { slug: 'default' },
  });
  const invitation = await app.request('/api/auth/invitations', {
    token,
    json: { email: freshEmail(), role: 'physician' },
  });
  expect(invitation.status).toBe(201);
  expect(await authEvents(app, 'create-admin')).toMatchObject([
    { action: 'user_created', outcome: 'success', detail: { role: 'admin', by: 'command line' } },
  ]);
});

test('without ADMIN_PASSWORD a password is made up, shown once, and works', async () => {
  const email = freshEmail('made-up');
  const { code, stdout } = await createAdmin(['--email', email], { ADMIN_PASSWORD: undefined });
  expect(code).toBe(0);
  const password = /^password: (\S+)/m.exec(stdout)?.[1] as string;
  expect(password.length).toBeGreaterThanOrEqual(24);
  expect((await logIn(app, { email, password })).status).toBe(200);
});

test('an address that is taken is refused', async () => {
  const { email } = await register(app);
  const { code, stderr } = await createAdmin(['--email', email.toUpperCase()]);
  expect([code, stderr.trim()]).toEqual([1, 'This address has an account already.']);
  expect(await accountsOf(email)).toMatchObject([{ role: 'patient' }]);
});

test('an address that is taken leaves no new tenant behind', async () => {
  const { email } = await register(app);
  const { code } = await createAdmin(['--email', email, '--tenant', 'half-made', '--tenant-name', 'Half']);
  expect(code).toBe(1);
  expect((await app.db.query(`SELECT FROM tenants WHERE slug = 'half-made'`)).rowCount).toBe(0);
});

test('an unknown tenant is refused, and created when it is given a name', async () => {
  const email = freshEmail('tenant-admin');
  const refused = await createAdmin(['--email', email, '--tenant', 'new-clinic']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('--tenant-name');
  const { code } = await createAdmin([
    '--email',
    email,
    '--tenant',
    'new-clinic',
    '--tenant-name',
    'New clinic',
  ]);
  expect(code).toBe(0);
  const { access_token: token } = (await (
    await logIn(app, { email, password: goodPassword })
  ).json()) as Tokens;
  expect(await (await me(app, token)).json()).toMatchObject({
    tenant: { slug: 'new-clinic', name: 'New clinic' },
  });
});

test('another name for a tenant that there is is refused; its own is accepted', async () => {
  const email = freshEmail('renamed');
  const named = (name: string) => createAdmin(['--email', email, '--tenant-name', name]);
  const [known] = await tenantRows<{ name: string }>(app, `SELECT name FROM tenants WHERE slug = 'default'`);
  const refused = await named('Another clinic');
  expect([refused.code, refused.stderr.trim()]).toEqual([
    1,
    `There is a tenant default already, by the name “${known?.name}”: leave out --tenant-name, or name another --tenant.`,
  ]);
  expect(await accountsOf(email)).toEqual([]);
  expect((await named(known?.name ?? '')).code).toBe(0);
});

test('the login of the deployed app creates an admin of a tenant that there is', async () => {
  const email = freshEmail('by-the-app');
  const { code, stderr } = await createAdmin(['--email', email], {
    DATABASE_URL: await appLogin(app.databaseUrl),
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(await accountsOf(email)).toEqual([{ role: 'admin', is_verified: true }]);
});

test('the login of the deployed app creates no tenant, and learns which login does', async () => {
  const args = ['--email', freshEmail(), '--tenant', 'by-the-app', '--tenant-name', 'By the app'];
  const { code, stderr } = await createAdmin(args, { DATABASE_URL: await appLogin(app.databaseUrl) });
  expect([code, stderr]).toEqual([
    1,
    'permission denied for table tenants. DATABASE_URL must name the role that owns the tables, as for npm run db:migrate.\n',
  ]);
});

test('a weak password is refused and nothing is created', async () => {
  const email = freshEmail('weak');
  for (const password of ['short', 'iloveyou', 'Dermagate-2026', 'x'.repeat(129)]) {
    const { code, stdout, stderr } = await createAdmin(['--email', email], { ADMIN_PASSWORD: password });
    expect(code).toBe(1);
    expect(stderr).toMatch(/password/i);
    expect(stdout + stderr).not.toContain(password);
  }
  expect(await accountsOf(email)).toEqual([]);
});

test('wrong arguments and missing settings say what to do', async () => {
  const email = freshEmail();
  const cases: [string[], Record<string, string | undefined>, RegExp][] = [
    [[], {}, /--email.*\nusage: npm run create-admin/],
    [['--email', 'nobody'], {}, /not an email address/],
    [['--email', email, '--role', 'admin'], {}, /--role/],
    [['--email', email], { DATABASE_URL: undefined }, /DATABASE_URL/],
    [['--email', email], { PASSWORD_PEPPER: '' }, /PASSWORD_PEPPER/],
    [['--email', email], { BCRYPT_COST: 'twelve' }, /BCRYPT_COST/],
    [['--email', email, '--tenant', 'No Slug', '--tenant-name', 'x'], {}, /slug/],
    [
      ['--email', email, '--tenant', 'unnamed', '--tenant-name', '  '],
      {},
      /--tenant-name is a line of 1 to 200/,
    ],
    [
      ['--email', email, '--tenant', 'unnamed', '--tenant-name', 'x'.repeat(201)],
      {},
      /--tenant-name is a line/,
    ],
    [['--email', email], { DATABASE_URL: 'postgresql://nobody:secret-17@127.0.0.1:1/none' }, /database/i],
  ];
  for (const [args, env, message] of cases) {
    const { code, stdout, stderr } = await createAdmin(args, env);
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/secret-17|^ +at /m);
  }
  expect(await accountsOf(email)).toEqual([]);
});
