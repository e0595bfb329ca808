import { expect, test } from 'vitest';
import {
  authEvents,
  claimsOf,
  codeOf,
  createTenant,
  freshAddress,
  freshEmail,
  from,
  goodPassword,
  logIn,
  me,
  register,
  simultaneously,
  statusesOf,
  tenantRows,
  type Tokens,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { type RequestOptions, testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });
/** As the infrastructure sets it: only patients register themselves. */
const closed = await anotherInstance(app, { SELF_REGISTRATION_ROLES: 'patient' });

type Asked = { request: (path: string, options?: RequestOptions) => Promise<Response> };

function attempt(json: unknown, { at = app as Asked, query = '', headers = {}, token = '' } = {}) {
  return at.request(`/api/auth/register${query}`, {
    json,
    headers: { ...from(freshAddress()), ...headers },
    ...(token !== '' && { token }),
  });
}

const form = (fields: Record<string, unknown> = {}) => ({
  email: freshEmail(),
  password: goodPassword,
  role: 'patient',
  ...fields,
});

/** What is said about the fields of a refused body: `pointer code`. */
async function refusals(reply: Response): Promise<string[]> {
  expect(reply.status).toBe(400);
  const { code, errors } = (await reply.json()) as {
    code: string;
    errors: { pointer: string; code: string; message: string }[];
  };
  expect(code).toBe('validation_error');
  return errors.map((error) => `${error.pointer} ${error.code}`);
}

test.each(['patient', 'physician', 'admin'])('a %s registers and is logged in', async (role) => {
  const email = freshEmail(role);
  const reply = await attempt(form({ email, role }));
  expect(reply.status).toBe(201);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  const tokens = (await reply.json()) as Tokens;
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refresh_token: expect.stringMatching(/^dgr_[\w-]{43}$/),
    token_type: 'bearer',
    expires_in: 1800,
  });
  const whoAmI = (await (await me(app, tokens.access_token)).json()) as Record<string, unknown>;
  expect(whoAmI).toMatchObject({
    user: { email, role, is_active: true, is_verified: false, tenant_id: 1, last_login: null },
    tenant: { slug: 'default', is_active: true },
  });
});

test('a physician gets a profile in the language of the request, others get none', async () => {
  const tokens = (await (await attempt(form({ role: 'physician' }), { query: '?lang=he' })).json()) as Tokens;
  const physician = (await (await me(app, tokens.access_token)).json()) as Record<string, unknown>;
  expect(physician).toMatchObject({
    physician: {
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: expect.any(Number),
      employee_id: null,
      language_preference: 'he',
      vacation_mode: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  });
  expect(Object.keys(physician['physician'] as object)).not.toContain('settings');
  const patient = await register(app);
  expect(await (await me(app, patient.access_token)).json()).toMatchObject({ physician: null });
});

test('no answer about an account contains its password hash', async () => {
  const account = await register(app, { role: 'physician' });
  const seen = await (await me(app, account.access_token)).text();
  expect(seen).not.toMatch(/password|hash|\$2|v2\$/i);
});

test('an address has one account, regardless of case, white space and tenant', async () => {
  await createTenant(app, 'elsewhere');
  const { email } = await register(app, { email: 'One.Person+tag@Example.ORG' });
  expect(email).toBe('One.Person+tag@Example.ORG');
  const copies: [string, string?][] = [
    ['one.person+tag@example.org'],
    ['ONE.PERSON+TAG@EXAMPLE.ORG'],
    ['  one.person+tag@example.org\t'],
    ['\u00a0one.person+tag@example.org\u3000'],
    ['one.person+tag@ｅｘａｍｐｌｅ.org'],
    ['one.person+tag@example.org', 'elsewhere'],
  ];
  for (const [copy, tenant = 'default'] of copies) {
    const reply = await attempt(form({ email: copy }), { query: `?tenant=${tenant}` });
    expect(reply.status, copy).toBe(409);
    expect(await codeOf(reply)).toBe('email_taken');
  }
  expect((await logIn(app, { email: ' ONE.person+tag@example.org ', password: goodPassword })).status).toBe(
    200,
  );
  // Dots and tags are the owner's business: these are other people.
  for (const other of ['oneperson+tag@example.org', 'one.person@example.org']) {
    expect((await attempt(form({ email: other }))).status, other).toBe(201);
  }
});

test('one address composed in two ways is one account, a look-alike of another alphabet is another', async () => {
  await register(app, { email: 'ren\u00e9@example.org' });
  expect((await attempt(form({ email: 'rene\u0301@example.org' }))).status).toBe(409);
  expect((await attempt(form({ email: 'REN\u00c9@example.org' }))).status).toBe(409);
  await register(app, { email: 'j\u030ci@example.org' });
  expect((await attempt(form({ email: 'J\u030cI@example.org' }))).status).toBe(409);
  expect((await attempt(form({ email: '\u01f0i@example.org' }))).status).toBe(409);

  await register(app, { email: 'alice@look.example.org' });
  expect((await attempt(form({ email: '\u0430lice@look.example.org' }))).status).toBe(201);
});

test('an international domain is stored as the mail servers know it', async () => {
  const { access_token: token } = await register(app, { email: 'Info@BÜCHER.example' });
  const { user } = (await (await me(app, token)).json()) as { user: { email: string } };
  expect(user.email).toBe('info@xn--bcher-kva.example');
  expect((await attempt(form({ email: 'info@xn--bcher-kva.example' }))).status).toBe(409);
  expect((await attempt(form({ email: 'info@bu\u0308cher.example' }))).status).toBe(409);
});

test('of twenty simultaneous registrations of one address one succeeds and nineteen are 409', async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = freshEmail('race');
    const replies = await simultaneously(20, (index) =>
      attempt(form({ email: index % 2 ? email : email.toUpperCase(), role: 'physician' })),
    );
    expect(statusesOf(replies)).toEqual([201, ...Array<number>(19).fill(409)]);
    const rows = await tenantRows(
      app,
      `SELECT (SELECT count(*)::int FROM physicians p WHERE p.user_id = u.id) AS profiles,
              (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id) AS sessions
       FROM users u WHERE email = $1`,
      [email],
    );
    expect(rows).toEqual([{ profiles: 1, sessions: 1 }]);
  }
});

test('what is no email address is refused by name', async () => {
  const noAddresses = [
    '',
    'alice',
    '@example.org',
    'alice@',
    'alice@localhost',
    'alice@example..org',
    'alice@@example.org',
    'alice bob@example.org',
    'a\u0001lice@example.org',
    'alice\r\nBcc: all@example.org',
    'alice\u0085@example.org',
    'ali\u200bce@example.org',
    'ali\u202ece@example.org',
    'ali\u00adce@example.org',
    'ali\ufeffce@example.org',
    'alice@exa mple.org',
    'alice@exam_ple.org/x',
    'alice@[127.0.0.1]',
    '<alice@example.org>',
    'alice@example.org,bob@example.org',
    `${'a'.repeat(250)}@example.org`,
    `alice@${'a'.repeat(63)}.org${'.a'.repeat(100)}`,
    'a'.repeat(3000),
  ];
  for (const email of noAddresses) {
    const said = await refusals(await attempt(form({ email })));
    expect(said, email).toEqual([expect.stringMatching(/^\/email (invalid_format|too_big)$/)]);
  }
});

test('an address of 254 characters is accepted and one of 255 is not', async () => {
  const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.org`;
  const address = (length: number) => `${'a'.repeat(length - domain.length - 1)}@${domain}`;
  expect((await attempt(form({ email: address(254) }))).status).toBe(201);
  expect(await refusals(await attempt(form({ email: address(255) })))).toEqual(['/email too_big']);
});

test('NUL and broken text are malformed JSON, not an error of ours', async () => {
  for (const body of [
    JSON.stringify(form({ email: 'a\0@example.org' })),
    JSON.stringify(form({ password: 'long enough\0 password' })),
    '{"email":"\\ud800@example.org","password":"correct horse battery","role":"patient"}',
    '{"email":"a@example.org","email":"b@example.org","password":"correct horse","role":"patient"}',
    '{"email":',
    '',
  ]) {
    const reply = await app.request('/api/auth/register', {
      body,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from(freshAddress()) },
    });
    expect(reply.status, body).toBe(400);
    expect(await codeOf(reply)).toBe('malformed_json');
  }
});

test('fields that decide about the account are refused by name, not ignored', async () => {
  for (const field of [
    'is_active',
    'is_verified',
    'tenant_id',
    'uuid',
    'password_hash',
    'last_login',
    '__proto__',
    'constructor',
  ]) {
    const body = `{"email":"${freshEmail()}","password":"${goodPassword}","role":"patient","${field}":true}`;
    const reply = await app.request('/api/auth/register', {
      body,
      headers: { 'content-type': 'application/json', ...from(freshAddress()) },
    });
    expect(await refusals(reply), field).toEqual([`/${field} unknown_field`]);
  }
});

test('every wrong field is named at once', async () => {
  expect((await refusals(await attempt({}))).toSorted()).toEqual([
    '/email required',
    '/password required',
    '/role required',
  ]);
  expect(await refusals(await attempt({ email: 'x', password: 'short', role: 'root' }))).toEqual([
    '/email invalid_format',
    '/password password_too_short',
    '/role invalid_value',
  ]);
  expect(await refusals(await attempt({ email: 1, password: null, role: ['admin'] }))).toEqual([
    '/email invalid_type',
    '/password invalid_type',
    '/role invalid_type',
  ]);
});

test('the length of a password counts characters as people see code points, after NFKC', async () => {
  const cases: [string, string][] = [
    ['\u{1F600}'.repeat(8), ''],
    ['\u{1F600}'.repeat(7), 'password_too_short'],
    // Typed as letter and accent: seven letters.
    ['e\u0301'.repeat(7), 'password_too_short'],
    ['e\u0301x'.repeat(4), ''],
    // A ligature is three letters.
    ['\ufb03'.repeat(3), ''],
    ['密码密码密码密码', ''],
    ['k#4Tq9!z'.repeat(16), ''],
    [`${'k#4Tq9!z'.repeat(16)}x`, 'password_too_long'],
    ['\u{1F600}'.repeat(128), ''],
    ['\u{1F600}'.repeat(129), 'password_too_long'],
    ['\ufb03'.repeat(43), 'password_too_long'],
    ['', 'password_too_short'],
    ['a b c d ', ''],
  ];
  for (const [password, code] of cases) {
    const reply = await attempt(form({ password }));
    if (code === '') expect(reply.status, password).toBe(201);
    else expect(await refusals(reply), password).toEqual([`/password ${code}`]);
  }
});

test('one password on two keyboards is one password', async () => {
  const account = await register(app, { password: 'ｃｏｒｒｅｃｔ ｈｏｒｓｅ\u3000é' });
  expect((await logIn(app, { ...account, password: 'correct horse e\u0301' })).status).toBe(200);
  expect((await logIn(app, { ...account, password: 'Correct horse é' })).status).toBe(401);
});

test('the commonest passwords are refused in any case and any width', async () => {
  for (const password of [
    'password',
    'PASSWORD',
    'PassWord',
    'ｐａｓｓｗｏｒｄ',
    '12345678',
    'iloveyou',
    'Princess',
  ]) {
    const reply = await attempt(form({ password }));
    expect(await refusals(reply), password).toEqual(['/password password_too_common']);
  }
});

test('a password that is little more than the service, the tenant or the address is refused', async () => {
  await createTenant(app, 'lakeside-clinic');
  const email = 'maria.gonzalez@hautarzt.example';
  for (const password of [
    'Dermagate2026',
    'Lakeside-Clinic!',
    'maria.gonzalez',
    'Gonzalez1234',
    'h4utarzt-2026',
  ]) {
    const reply = await attempt(form({ email, password }), { query: '?tenant=lakeside-clinic' });
    expect(await refusals(reply), password).toEqual(['/password password_too_common']);
  }
  // In another tenant and for another person the same words are no public knowledge.
  expect((await attempt(form({ password: 'Lakeside-Clinic!' }))).status).toBe(201);
  expect((await attempt(form({ password: 'maria.gonzalez' }))).status).toBe(201);
});

test('a role that is not open needs an admin', async () => {
  for (const role of ['physician', 'admin']) {
    const reply = await attempt(form({ role }), { at: closed });
    expect(reply.status).toBe(403);
    expect(await codeOf(reply)).toBe('role_not_allowed');
  }
  expect((await attempt(form(), { at: closed })).status).toBe(201);

  const patient = await register(app);
  const physician = await register(app, { role: 'physician' });
  for (const { access_token: token } of [patient, physician]) {
    const reply = await attempt(form({ role: 'physician' }), { at: closed, token });
    expect(await codeOf(reply)).toBe('role_not_allowed');
  }
  const admin = await register(app, { role: 'admin' });
  for (const role of ['patient', 'physician', 'admin']) {
    const email = freshEmail(role);
    const reply = await attempt(form({ email, role }), { at: closed, token: admin.access_token });
    expect(reply.status).toBe(201);
    const tokens = (await reply.json()) as Tokens;
    expect(await (await me(app, tokens.access_token)).json()).toMatchObject({ user: { email, role } });
  }
});

test('an admin creates accounts in the admin’s tenant only, even if the request names another', async () => {
  const tenantId = await createTenant(app, 'admins-own');
  const admin = await register(app, { role: 'admin', tenant: 'admins-own' });
  const reply = await attempt(form({ role: 'physician' }), {
    at: closed,
    token: admin.access_token,
    query: '?tenant=default',
    headers: { 'x-tenant': 'default' },
  });
  expect(reply.status).toBe(201);
  const tokens = (await reply.json()) as Tokens;
  expect(claimsOf(tokens.access_token)['tenant_id']).toBe(tenantId);
});

test('a token that is not valid is 401, not a registration without it', async () => {
  const reply = await attempt(form(), { token: 'not.a.token' });
  expect(reply.status).toBe(401);
  expect(await codeOf(reply)).toBe('token_invalid');
});

test('the tenant is named by query or header, the query wins, and the default is `default`', async () => {
  const north = await createTenant(app, 'north');
  const south = await createTenant(app, 'south');
  const tenantOf = async (options: Parameters<typeof attempt>[1]) =>
    claimsOf(((await (await attempt(form(), options)).json()) as Tokens).access_token)['tenant_id'];
  expect(await tenantOf({})).toBe(1);
  expect(await tenantOf({ query: '?tenant=north' })).toBe(north);
  expect(await tenantOf({ headers: { 'x-tenant': 'south' } })).toBe(south);
  expect(await tenantOf({ query: '?tenant=north', headers: { 'x-tenant': 'south' } })).toBe(north);
});

test('an unknown tenant and one that is switched off are 404, for any slug', async () => {
  const off = await createTenant(app, 'switched-off');
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [off]);
  for (const slug of [
    'nowhere',
    'switched-off',
    '',
    '%00',
    '%F0%9F%98%80',
    "x'--",
    'NORTH',
    'a'.repeat(3000),
  ]) {
    const reply = await attempt(form(), { query: `?tenant=${slug}` });
    expect(reply.status, slug).toBe(404);
    expect(await codeOf(reply)).toBe('tenant_not_found');
  }
});

test('a tenant that is closed to self-registration takes only accounts that its admins create or invite', async () => {
  const tenantId = await createTenant(app, 'closed-clinic');
  const admin = await register(app, { role: 'admin', tenant: 'closed-clinic' });
  await app.db.query('UPDATE tenants SET self_registration = false WHERE id = $1', [tenantId]);
  const reply = await attempt(form(), { query: '?tenant=closed-clinic' });
  expect(reply.status).toBe(403);
  expect(await codeOf(reply)).toBe('role_not_allowed');
  expect((await attempt(form(), { token: admin.access_token })).status).toBe(201);
});

test('a registration is in the event log with who did it, a refusal too', async () => {
  const admin = await register(app, { role: 'admin' });
  const email = freshEmail('logged');
  const byOneself = await attempt(form({ email }), { headers: { 'x-request-id': 'reg-own' } });
  const account = (await byOneself.json()) as Tokens;
  await attempt(form(), { token: admin.access_token, headers: { 'x-request-id': 'reg-admin' } });
  await attempt(form({ email }), { headers: { 'x-request-id': 'reg-taken' } });
  await attempt(form({ role: 'admin' }), { at: closed, headers: { 'x-request-id': 'reg-role' } });
  const idOf = async (token: string) =>
    (await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE uuid = $1', [claimsOf(token).sub]))[0]
      ?.id;
  expect(await authEvents(app, 'reg-own')).toMatchObject([
    {
      action: 'user_created',
      outcome: 'success',
      actor_user_id: await idOf(account.access_token),
      tenant_id: 1,
    },
  ]);
  expect(await authEvents(app, 'reg-admin')).toMatchObject([
    { action: 'user_created', outcome: 'success', actor_user_id: await idOf(admin.access_token) },
  ]);
  expect(await authEvents(app, 'reg-taken')).toMatchObject([
    { action: 'user_created', outcome: 'failure', detail: { code: 'email_taken' }, actor_user_id: null },
  ]);
  expect(await authEvents(app, 'reg-role')).toMatchObject([
    { action: 'user_created', outcome: 'denied', detail: { code: 'role_not_allowed' } },
  ]);
});

test('who asks for taken addresses a hundred times in a quarter of an hour is 429', async () => {
  const { email } = await register(app);
  const address = freshAddress();
  for (let round = 0; round < 5; round += 1) {
    const answers = await simultaneously(20, () => attempt(form({ email }), { headers: from(address) }));
    expect(new Set(statusesOf(answers))).toEqual(new Set([409]));
  }
  const refused = await attempt(form(), { headers: from(address) });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  expect((await attempt(form())).status).toBe(201);
});

test('successful registrations do not count as refused ones', async () => {
  const address = freshAddress();
  for (let round = 0; round < 11; round += 1) {
    const answers = await simultaneously(10, () => attempt(form(), { headers: from(address) }));
    expect(new Set(statusesOf(answers))).toEqual(new Set([201]));
  }
});
