import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { EncryptJWT, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { claimsOf, codeOf, me, refresh, register, type Tokens } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2' } });
const account = await register(app);
const other = await register(app);

const bytesOf = (secret: string) => new TextEncoder().encode(secret);
const key = bytesOf(app.env['SECRET_KEY'] as string);
const header = JSON.parse(
  Buffer.from(account.access_token.split('.')[0] as string, 'base64url').toString(),
) as { alg: string; typ: string; kid: string };
const now = () => Math.floor(Date.now() / 1000);

/** A token that is right in all but what is said. */
async function craft(
  claims: Record<string, unknown> = {},
  headers: Record<string, unknown> = {},
  signingKey = key,
): Promise<string> {
  const payload = { ...claimsOf(account.access_token), iat: now(), nbf: now(), exp: now() + 1800, ...claims };
  const kept = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  const all = Object.fromEntries(
    Object.entries({ ...header, ...headers }).filter(([, value]) => value !== undefined),
  );
  return await new SignJWT(kept).setProtectedHeader(all as typeof header).sign(signingKey);
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** For what a decent library refuses to make. */
function forge(claims: object, headers: object, signature?: (input: string) => string): string {
  const input = `${encode(headers)}.${encode(claims)}`;
  return `${input}.${signature?.(input) ?? ''}`;
}

const hmac = (algorithm: string) => (input: string) =>
  createHmac(algorithm, key).update(input).digest('base64url');

async function expectRefused(token: string, code = 'token_invalid') {
  const reply = await me(app, token);
  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="dermagate", error="invalid_token"');
  expect(await codeOf(reply)).toBe(code);
}

test('the token that the other tests spoil is good when nothing is spoilt', async () => {
  expect((await me(app, await craft())).status).toBe(200);
});

test('an access token says what a service needs, and nothing about the person', async () => {
  expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: expect.stringMatching(/^[\w-]{16}$/) });
  const claims = claimsOf(account.access_token);
  expect(claims).toEqual({
    iss: 'dermagate',
    aud: 'dermagate-api',
    sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
    sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iat: expect.any(Number),
    nbf: claims['iat'],
    exp: (claims['iat'] as number) + 1800,
    role: 'patient',
    tenant_id: 1,
  });
  expect(claimsOf(other.access_token)['jti']).not.toBe(claims['jti']);
});

test('without a token the challenge says no error; with one it does', async () => {
  const without = await app.request('/api/auth/me');
  expect(without.status).toBe(401);
  expect(without.headers.get('www-authenticate')).toBe('Bearer realm="dermagate"');
  expect(await codeOf(without)).toBe('authentication_required');
  await expectRefused('abc');
});

test('the scheme is read in any case', async () => {
  for (const scheme of ['bearer', 'BEARER', 'Bearer ', 'bEaReR']) {
    const headers = { authorization: `${scheme} ${account.access_token}` };
    expect((await app.request('/api/auth/me', { headers })).status, scheme).toBe(200);
  }
});

test('another scheme, no token, two tokens and a token elsewhere are no authentication', async () => {
  const token = account.access_token;
  for (const authorization of [
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `DPoP ${token}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${token},`,
    `Bearer "${token}"x y`,
  ]) {
    const reply = await app.request('/api/auth/me', { headers: { authorization } });
    expect(reply.status, authorization).toBe(401);
  }
  const inQuery = app.request(`/api/auth/me?access_token=${token}`, { strayQuery: ['access_token'] });
  expect((await inQuery).status).toBe(401);
  expect((await app.request('/api/auth/me', { headers: { cookie: `access_token=${token}` } })).status).toBe(
    401,
  );
});

test('two Authorization headers are refused, whichever of them is good', async () => {
  const status = (values: string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      const headers = ['Host', `${hostname}:${port}`, ...values.flatMap((value) => ['Authorization', value])];
      rawRequest({ hostname, port, path: '/api/auth/me', headers })
        .on('response', (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        })
        .on('error', reject)
        .end();
    });
  const [first, second] = [`Bearer ${account.access_token}`, `Bearer ${other.access_token}`];
  expect(await status([first])).toBe(200);
  for (const pair of [
    [first, second],
    [first, 'Bearer x'],
    ['Bearer x', second],
    [first, first],
  ]) {
    expect([400, 401]).toContain(await status(pair));
  }
});

test('no algorithm but HS256 is accepted', async () => {
  const claims = { ...claimsOf(account.access_token), iat: now(), nbf: now(), exp: now() + 1800 };
  for (const alg of ['none', 'None', 'NONE', '', 'hs256']) {
    await expectRefused(forge(claims, { ...header, alg }));
    await expectRefused(forge(claims, { ...header, alg }, hmac('sha256')));
  }
  await expectRefused(forge(claims, { ...header, alg: 'HS512' }, hmac('sha512')));
  await expectRefused(forge(claims, { ...header, alg: 'HS384' }, hmac('sha384')));
  await expectRefused(forge(claims, { ...header, alg: 'RS256' }, hmac('sha256')));
  const { alg: _alg, ...withoutAlg } = header;
  await expectRefused(forge(claims, withoutAlg, hmac('sha256')));
});

test('a signature is needed, over exactly what is sent', async () => {
  const [head, payload, signature] = account.access_token.split('.') as [string, string, string];
  const claims = claimsOf(account.access_token);
  await expectRefused(`${head}.${payload}.`);
  await expectRefused(`${head}.${payload}`);
  await expectRefused(`${head}..${signature}`);
  await expectRefused(`${head}.${encode({ ...claims, role: 'admin' })}.${signature}`);
  await expectRefused(`${head}.${encode({ ...claims, sub: claimsOf(other.access_token).sub })}.${signature}`);
  await expectRefused(`${encode({ ...header, extra: 1 })}.${payload}.${signature}`);
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  await expectRefused(`${head}.${payload}.${flipped}`);
  await expectRefused(await craft({}, {}, new Uint8Array(randomBytes(32))));
});

test('a token of another type, or without one, is refused', async () => {
  for (const typ of ['JWT', 'jwt', 'rt+jwt', 'id+jwt', 'logout+jwt', '', undefined]) {
    await expectRefused(await craft({}, { typ }));
  }
});

test('a token without a key id, or with one that is not ours, is refused although its signature is good', async () => {
  for (const kid of [undefined, '', 'x', header.kid.toLowerCase() + 'x', '../../etc/passwd', "' OR 1=1"]) {
    await expectRefused(await craft({}, { kid }));
  }
});

test('a key that the token brings along is not used', async () => {
  const own = randomBytes(32);
  const jwk = { kty: 'oct', k: own.toString('base64url'), alg: 'HS256' };
  for (const extra of [
    { jwk },
    { jwk, kid: undefined },
    { jku: 'https://evil.example/keys' },
    { x5u: 'https://evil.example/chain' },
  ]) {
    await expectRefused(await craft({}, extra, new Uint8Array(own)));
  }
  await expectRefused(forge(claimsOf(account.access_token), { ...header, crit: ['exp'] }, hmac('sha256')));
  await expectRefused(
    forge(claimsOf(account.access_token), { ...header, crit: ['b64'], b64: false }, hmac('sha256')),
  );
});

test('another issuer or audience is refused', async () => {
  for (const iss of ['dermagate-staging', '', undefined, 7]) await expectRefused(await craft({ iss }));
  for (const aud of ['dermagate', 'other-api', '', undefined, []]) await expectRefused(await craft({ aud }));
});

test('a token that has expired says so; five seconds of clock difference are forgiven', async () => {
  await expectRefused(await craft({ exp: now() - 60 }), 'token_expired');
  await expectRefused(await craft({ exp: now() - 8 }), 'token_expired');
  expect((await me(app, await craft({ exp: now() - 2 }))).status).toBe(200);
});

test('a token from the future is refused', async () => {
  await expectRefused(await craft({ nbf: now() + 60 }));
  await expectRefused(await craft({ iat: now() + 60, nbf: now() }));
});

test('a token older than half an hour is refused, even if it claims a later expiry', async () => {
  await expectRefused(
    await craft({ iat: now() - 1900, nbf: now() - 1900, exp: now() + 86_400 }),
    'token_expired',
  );
});

test('no claim may be missing or of another kind', async () => {
  for (const claim of ['sub', 'sid', 'jti', 'iat', 'nbf', 'exp', 'role', 'tenant_id', 'iss', 'aud']) {
    await expectRefused(await craft({ [claim]: undefined }));
  }
  for (const broken of [
    { sub: 1 },
    { sid: 'x' },
    { sid: null },
    { sub: "x' OR 1=1" },
    { exp: 'never' },
    { iat: null },
  ]) {
    await expectRefused(await craft(broken));
  }
});

test('user and session must belong together', async () => {
  await expectRefused(await craft({ sub: claimsOf(other.access_token).sub }));
  await expectRefused(await craft({ sid: randomUUID() }));
  await expectRefused(await craft({ sub: randomUUID() }));
});

test('what a token says of role and tenant is not believed', async () => {
  const promoted = await craft({ role: 'admin', tenant_id: 2 });
  const reply = await me(app, promoted);
  expect(await reply.json()).toMatchObject({ user: { role: 'patient', tenant_id: 1 } });
  const invitation = await app.request('/api/auth/invitations', {
    token: promoted,
    json: { email: 'a@example.org', role: 'admin' },
  });
  expect(invitation.status).toBe(403);
});

test('other kinds of tokens and other kinds of text are no access tokens', async () => {
  const encrypted = await new EncryptJWT({ ...claimsOf(account.access_token) })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: header.typ, kid: header.kid })
    .encrypt(new Uint8Array(randomBytes(32)));
  for (const token of [
    account.refresh_token,
    encrypted,
    '.',
    '..',
    '...',
    'null',
    'undefined',
    '[object_Object]',
    'a.b.c',
    `${encode([])}.${encode([])}.x`,
    `${encode(header)}.${encode('text')}.${hmac('sha256')(`${encode(header)}.${encode('text')}`)}`,
    '%00',
    'A'.repeat(8000),
  ]) {
    await expectRefused(token);
  }
});

test('a token longer than the host takes is a 4xx, and the app lives on', async () => {
  const reply = await me(app, 'A'.repeat(40_000)).catch(() => undefined);
  if (reply !== undefined) expect(Math.floor(reply.status / 100)).toBe(4);
  expect((await me(app, account.access_token)).status).toBe(200);
});

test('after a key rotation no user is logged out, new tokens carry the new key, and the old key expires', async () => {
  const old = await register(app);
  const before = app.env['SECRET_KEY'] as string;
  const newKey = randomBytes(32).toString('base64url');
  const rotated = await anotherInstance(app, { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: before });
  expect((await me(rotated, old.access_token)).status).toBe(200);
  const renewed = (await (await refresh(rotated, old.refresh_token)).json()) as Tokens;
  const kidOf = (token: string) =>
    (JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()) as { kid: string }).kid;
  expect(kidOf(renewed.access_token)).not.toBe(kidOf(old.access_token));
  expect((await me(rotated, renewed.access_token)).status).toBe(200);
  // An instance that still runs with the old key does not know the new one.
  expect((await me(app, renewed.access_token)).status).toBe(401);
  // The old key verifies; what it signs with the new key's name is nothing.
  const mixed = await craft({}, { kid: kidOf(renewed.access_token) });
  expect((await me(rotated, mixed)).status).toBe(401);

  const done = await anotherInstance(app, { SECRET_KEY: newKey });
  expect((await me(done, old.access_token)).status).toBe(401);
  expect((await me(done, renewed.access_token)).status).toBe(200);
});

test('production does not start with a key that is missing, short or from a README', async () => {
  const production = {
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    BCRYPT_COST: '10',
    SELF_REGISTRATION_ROLES: 'patient',
  };
  for (const SECRET_KEY of [
    undefined,
    'too short',
    'change-me-change-me-change-me-change-me',
    'your-secret-key-your-secret-key-your-secret-key',
    'a'.repeat(64),
  ]) {
    await expect(anotherInstance(app, { ...production, SECRET_KEY }), SECRET_KEY).rejects.toThrow(
      /SECRET_KEY/,
    );
  }
  const started = await anotherInstance(app, production);
  expect((await me(started, account.access_token)).status).toBe(200);
});
