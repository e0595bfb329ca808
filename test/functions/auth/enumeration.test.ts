import bcrypt from 'bcryptjs';
import { expect, test } from 'vitest';
import { comparable, freshEmail, logIn, register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';

// The cost is one of production's: what is compared is what a guesser would measure.
const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', BCRYPT_COST: '10' } });

const tries = 50;

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** Medians in ms; the kinds take turns, there and back, so that whatever else the machine does falls on all of them. */
async function medians<Kind extends string>(
  requests: Record<Kind, (index: number) => Promise<Response>>,
): Promise<Record<Kind, number>> {
  const kinds = Object.keys(requests) as Kind[];
  const times = new Map(kinds.map((kind): [Kind, number[]] => [kind, []]));
  for (let index = 0; index < tries; index += 1) {
    for (const kind of index % 2 === 0 ? kinds : kinds.toReversed()) {
      const start = performance.now();
      const reply = await requests[kind](index);
      await reply.arrayBuffer();
      times.get(kind)?.push(performance.now() - start);
    }
  }
  return Object.fromEntries(kinds.map((kind) => [kind, median(times.get(kind) ?? [])])) as Record<
    Kind,
    number
  >;
}

const inMs = (figures: Record<string, number>) =>
  Object.entries(figures)
    .map(([kind, ms]) => `${kind} ${ms.toFixed(1)} ms`)
    .join(', ');

/** Generous: shared machines stutter. An account that skips the hashing would be ten times as fast. */
function expectAlike(a: number, b: number): void {
  expect(a / b).toBeGreaterThan(0.75);
  expect(a / b).toBeLessThan(1.33);
}

test(
  'a wrong password takes as long for a known address as for an unknown one',
  { retry: 1, timeout: 300_000 },
  async () => {
    const known = await register(app);
    const old = await register(app);
    await tenantRows(app, 'UPDATE users SET password_hash = $2 WHERE email = $1', [
      old.email,
      await bcrypt.hash('legacy password', 6),
    ]);
    const inactive = await register(app);
    await tenantRows(app, 'UPDATE users SET is_active = false WHERE email = $1', [inactive.email]);
    const password = 'a wrong password';
    const figures = await medians({
      known: () => logIn(app, { email: known.email, password }),
      unknown: () => logIn(app, { email: freshEmail(), password }),
      'known, cheap legacy hash': () => logIn(app, { email: old.email, password }),
      'known, inactive': () => logIn(app, { email: inactive.email, password }),
    });
    console.log(`login with a wrong password, medians of ${tries}: ${inMs(figures)}`);
    for (const ms of Object.values(figures)) expectAlike(ms, figures.unknown);
  },
);

test(
  'asking for a reset takes as long for a known address as for an unknown one',
  { retry: 3, timeout: 300_000 },
  async () => {
    const accounts = await Promise.all(Array.from({ length: tries }, () => register(app)));
    // Asked for once before: the first request of a process compiles what the later ones use.
    const ask = (email: string) => app.request('/api/auth/request-reset', { json: { email } });
    await ask(freshEmail());
    const figures = await medians({
      known: (index) => ask(accounts[index]?.email as string),
      unknown: () => ask(freshEmail()),
    });
    console.log(`request-reset, medians of ${tries}: ${inMs(figures)}`);
    expectAlike(figures.known, figures.unknown);
  },
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
