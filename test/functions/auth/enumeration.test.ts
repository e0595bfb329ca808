import bcrypt from 'bcryptjs';
import { expect, test } from 'vitest';
import {
  comparable,
  freshAddress,
  freshEmail,
  from,
  logIn,
  register,
  tenantRows,
} from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { comparePairs, type Comparison } from '../../support/paired-times.ts';

// The cost is one of production's: what is compared is what a guesser would measure.
const app = await testApp({ process: true, env: { TRUSTED_PROXY_HOPS: '2', BCRYPT_COST: '10' } });

/** An account that skips the hashing would be ten times as fast, one that hashes twice would take twice as long. */
const bound = 1.5;
const most = 150;
/** A busy machine takes more pairs, and longer for each. */
const patience = 300_000;

function expectAlike(what: string, { ratio, interval: [low, high], pairs }: Comparison): void {
  console.log(`${what}: ${ratio.toFixed(2)} times an unknown address, after ${pairs} pairs`);
  expect(low, what).toBeGreaterThan(1 / bound);
  expect(high, what).toBeLessThan(bound);
}

/** Addresses of `most` accounts; each is used once, so that no limit of an address is met. */
async function accounts(passwordHash?: string, isActive = true): Promise<() => string> {
  const { email } = await register(app);
  const rows = await tenantRows<{ email: string }>(
    app,
    `INSERT INTO users (uuid, tenant_id, email, role, password_hash, is_active)
     SELECT gen_random_uuid(), tenant_id, n || email, role, coalesce($2, password_hash), $3
     FROM users, generate_series(1, $4) AS n WHERE email = $1 RETURNING email`,
    [email, passwordHash, isActive, most],
  );
  return () => rows.pop()?.email as string;
}

/** Sends a request and reads its reply to the end; a limit that answers instead would compare nothing. */
async function answered(request: Promise<Response>, status: number): Promise<void> {
  const reply = await request;
  expect(reply.status, await reply.text()).toBe(status);
}

test.each([
  ['a known address', () => accounts()],
  ['an account with a cheap legacy hash', async () => accounts(await bcrypt.hash('legacy password', 6))],
  ['an inactive account', () => accounts(undefined, false)],
])(
  'a wrong password takes as long for %s as for an unknown one',
  async (what, prepare) => {
    const known = await prepare();
    const guess = (email: string) => answered(logIn(app, { email, password: 'a wrong password' }), 401);
    await guess(freshEmail());
    const comparison = await comparePairs(
      () => guess(known()),
      () => guess(freshEmail()),
      { bound, most },
    );
    expectAlike(what, comparison);
  },
  patience,
);

test(
  'asking for a reset takes as long for a known address as for an unknown one',
  async () => {
    const known = await accounts();
    const ask = (email: string) =>
      answered(
        app.request('/api/auth/request-reset', { json: { email }, headers: from(freshAddress()) }),
        200,
      );
    // The mail is made after the answer; the next request must not be timed together with it. The timer delivers it
    // now; the kick would wait up to a second.
    const settle = async () => {
      do await app.runTimer('drainOutbox');
      while ((await app.db.query('SELECT FROM outbox_messages')).rowCount !== 0);
    };
    await ask(freshEmail());
    const comparison = await comparePairs(
      () => ask(known()),
      () => ask(freshEmail()),
      { bound, most, settle },
    );
    expectAlike('a request for a reset', comparison);
  },
  patience,
);

test('the answer to a request for a reset is the same for every address, byte for byte', async () => {
  const known = await register(app);
  const inactive = await register(app);
  await tenantRows(app, 'UPDATE users SET is_active = false WHERE email = $1', [inactive.email]);
  const answers = new Set<string>();
  for (const email of [known.email, inactive.email, freshEmail(), known.email, known.email, known.email]) {
    const reply = await app.request('/api/auth/request-reset', { json: { email } });
    answers.add(await comparable(reply));
  }
  expect([...answers]).toEqual([expect.stringMatching(/^200\n[^]*\{"message":"[^"]+"\}$/)]);
});
