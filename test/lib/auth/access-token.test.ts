import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { accessTokenSeconds, createAccessTokens } from '../../../src/lib/auth/access-token.ts';

// What a process remembers of tokens that it has verified. Everything else about them: test/functions/auth/access-token.test.ts.

const current = 'a secret of more than thirty-two characters';
const claims = {
  sub: '0193a8f0-0000-7000-8000-000000000001',
  sid: '0193a8f0-0000-7000-8000-000000000002',
  role: 'patient',
  tenantId: 1,
} as const;
const issued = new Date('2026-01-02T03:04:05Z');
const after = (seconds: number) => new Date(issued.getTime() + seconds * 1000);
/** Clocks of instances may differ by so much. */
const tolerance = 5;
const outcome = (verified: Promise<unknown>) =>
  verified.then(
    () => 'valid',
    (error: { code: string }) => error.code,
  );

test.each([
  [-tolerance - 1, 'token_invalid'],
  [-tolerance, 'valid'],
  [0, 'valid'],
  [accessTokenSeconds - 1, 'valid'],
  [accessTokenSeconds + tolerance - 1, 'valid'],
  [accessTokenSeconds + tolerance, 'token_expired'],
  [accessTokenSeconds * 10, 'token_expired'],
])(
  '%i s after its issue a remembered token is what one seen for the first time is: %s',
  async (at, expected) => {
    const tokens = createAccessTokens({ current });
    const token = tokens.sign(claims, issued);
    expect(await outcome(tokens.verify(token, after(at)))).toBe(expected);
    expect(await tokens.verify(token, after(1))).toMatchObject({ sub: claims.sub, sid: claims.sid });
    expect(await outcome(tokens.verify(token, after(at)))).toBe(expected);
  },
);

test('a refusal is not remembered, and a token is forgotten when it is refused', async () => {
  const tokens = createAccessTokens({ current });
  const token = tokens.sign(claims, issued);
  for (const [at, expected] of [
    [accessTokenSeconds * 2, 'token_expired'],
    [0, 'valid'],
    [accessTokenSeconds * 2, 'token_expired'],
    [1, 'valid'],
  ] as const) {
    expect(await outcome(tokens.verify(token, after(at)))).toBe(expected);
  }
});

test('a token that differs from a remembered one in any character is refused', async () => {
  const tokens = createAccessTokens({ current });
  const token = tokens.sign(claims, issued);
  await tokens.verify(token, issued);
  // Two bits of the last character count for nothing in base64url: what differs there alone is verified by itself.
  for (let at = 0; at < token.length - 1; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A';
    const spoilt = token.slice(0, at) + other + token.slice(at + 1);
    expect(await outcome(tokens.verify(spoilt, issued)), `character ${at}`).toBe('token_invalid');
  }
  for (const spoilt of [`${token}A`, ` ${token}`, token.slice(0, -1), token.toLowerCase()]) {
    expect(await outcome(tokens.verify(spoilt, issued)), spoilt).toBe('token_invalid');
  }
});

test('a key that is rotated out ends its tokens with the restart that takes it out', async () => {
  const before = createAccessTokens({ current });
  const token = before.sign(claims, issued);
  await before.verify(token, issued);
  const next = 'another secret of more than thirty-two characters';
  const during = createAccessTokens({ current: next, previous: current });
  expect(await outcome(during.verify(token, issued))).toBe('valid');
  expect(await outcome(createAccessTokens({ current: next }).verify(token, issued))).toBe('token_invalid');
});

test('a remembered token ends as early as it states', async () => {
  const tokens = createAccessTokens({ current });
  const { kid, typ, alg } = JSON.parse(
    Buffer.from(tokens.sign(claims, issued).split('.')[0] ?? '', 'base64url').toString(),
  ) as { kid: string; typ: string; alg: string };
  const from = issued.getTime() / 1000;
  const token = await new SignJWT({
    sid: claims.sid,
    role: 'patient',
    tenant_id: 1,
    jti: 'x',
    sub: claims.sub,
  })
    .setProtectedHeader({ alg, typ, kid })
    .setIssuer('dermagate')
    .setAudience('dermagate-api')
    .setIssuedAt(from)
    .setNotBefore(from + 10)
    .setExpirationTime(from + 60)
    .sign(new TextEncoder().encode(current));
  const at = (seconds: number) => outcome(tokens.verify(token, after(seconds)));
  expect(await at(30)).toBe('valid');
  expect(await at(4)).toBe('token_invalid');
  expect(await at(30)).toBe('valid');
  expect(await at(60 + tolerance)).toBe('token_expired');
});
