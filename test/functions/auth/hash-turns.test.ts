import { expect, test } from 'vitest';
import { freshAddress, freshEmail, from, goodPassword, logIn, register } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';

// At a cost that makes hashing what requests wait for.
const app = await testApp({
  process: true,
  env: { TRUSTED_PROXY_HOPS: '2', BCRYPT_COST: '8', PG_POOL_MAX: '12' },
});

async function timed(work: () => Promise<Response>): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  const { status } = await work();
  return { status, ms: performance.now() - started };
}

test.each([
  [
    '80 registrations',
    80,
    (address: string) =>
      app.request('/api/auth/register', {
        json: { email: freshEmail('flood'), password: goodPassword, role: 'patient' },
        headers: from(address),
      }),
  ],
  [
    '200 logins',
    200,
    (address: string) => logIn(app, { email: freshEmail('flood'), password: goodPassword }, address),
  ],
])(
  'while one network sends %s at once, a login from another waits its turn only',
  async (_what, count, send) => {
    const account = await register(app);
    const alone = await timed(() => logIn(app, account));
    expect(alone.status).toBe(200);
    const address = freshAddress();
    let answered = 0;
    const flood = Array.from({ length: count }, () => send(address).finally(() => (answered += 1)));
    await Promise.race(flood);
    const meanwhile = await timed(() => logIn(app, account));
    console.log(`alone ${Math.round(alone.ms)} ms, meanwhile ${Math.round(meanwhile.ms)} ms`);
    expect(meanwhile.status).toBe(200);
    // It came long before the flood was through: first come, first served would have put it last.
    expect(answered).toBeLessThan(count / 2);
    const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
    for (const status of statuses) expect([201, 401, 429]).toContain(status);
  },
);
