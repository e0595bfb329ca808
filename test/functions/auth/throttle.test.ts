import { expect, test } from 'vitest';
import {
  codeOf,
  comparable,
  freshAddress,
  freshEmail,
  from,
  goodPassword,
  logIn,
  register,
  resetTokenFor,
  simultaneously,
  statusesOf,
  type Tokens,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';

const app = await testApp({ env: { TRUSTED_PROXY_HOPS: '2', PG_POOL_MAX: '12' } });
const second = await anotherInstance(app);

const guess = (email: string, address: string, at: Parameters<typeof logIn>[0] = app) =>
  logIn(at, { email, password: 'a wrong guess' }, address);

async function guessTimes(count: number, email: () => string, address: () => string) {
  const replies: Response[] = [];
  for (let done = 0; done < count; done += 20) {
    const batch = Math.min(20, count - done);
    replies.push(...(await simultaneously(batch, () => guess(email(), address()))));
  }
  return statusesOf(replies);
}

const times = (count: number, status: number) => Array<number>(count).fill(status);
const retryAfter = (reply: Response) => Number(reply.headers.get('retry-after'));

test('ten failures of one address from one network, then 429 even for the right password; elsewhere the owner gets in', async () => {
  const account = await register(app);
  const [here, nextDoor, elsewhere] = ['10.200.1.7', '10.200.1.250', '10.200.2.7'];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await guess(account.email, here)).status).toBe(401);
  }
  for (const address of [here, nextDoor]) {
    const refused = await logIn(app, account, address);
    expect(refused.status).toBe(429);
    expect(retryAfter(refused)).toBeGreaterThan(600);
    expect(retryAfter(refused)).toBeLessThanOrEqual(900);
    expect(await codeOf(refused)).toBe('rate_limited');
  }
  expect((await logIn(app, account, elsewhere)).status).toBe(200);
  // Others of the network still get in.
  expect((await logIn(app, await register(app), here)).status).toBe(200);
});

test('Retry-After is true: a second before its end it is still 429, at its end it is not', async () => {
  const account = await register(app);
  const address = freshAddress();
  await guessTimes(
    10,
    () => account.email,
    () => address,
  );
  await app.db.query(`UPDATE throttle_counters SET window_ends_at = now() + interval '2.5 seconds'
                      WHERE attempts >= 10`);
  const refused = await logIn(app, account, address);
  expect(refused.status).toBe(429);
  const seconds = retryAfter(refused);
  expect([2, 3]).toContain(seconds);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  expect((await logIn(app, account, address)).status).toBe(200);
});

test('the end of the window restores all ten attempts', async () => {
  const { email } = await register(app);
  const address = freshAddress();
  expect(
    await guessTimes(
      11,
      () => email,
      () => address,
    ),
  ).toEqual([...times(10, 401), 429]);
  await app.db.query(`UPDATE throttle_counters SET window_ends_at = now() - interval '1 millisecond'`);
  expect(
    await guessTimes(
      11,
      () => email,
      () => address,
    ),
  ).toEqual([...times(10, 401), 429]);
});

test('of fifty wrong guesses at the same time ten are judged', async () => {
  for (const email of [(await register(app)).email, freshEmail('unknown')]) {
    const address = freshAddress();
    const replies = await simultaneously(50, () => guess(email, address));
    expect(statusesOf(replies)).toEqual([...times(10, 401), ...times(40, 429)]);
  }
});

test('fifty wrong guesses at the same time on two instances are counted together', async () => {
  const { email } = await register(app);
  const address = freshAddress();
  const replies = await simultaneously(50, (index) => guess(email, address, index % 2 ? app : second));
  expect(statusesOf(replies)).toEqual([...times(10, 401), ...times(40, 429)]);
});

test('thirty right logins of one account at the same time from one network all get in', async () => {
  const account = await register(app);
  const address = freshAddress();
  const replies = await simultaneously(30, (index) => logIn(index % 2 ? app : second, account, address));
  expect(statusesOf(replies)).toEqual(times(30, 200));
});

test('a right login waits for its place while guesses are under way, and gets none when they take all ten', async () => {
  const account = await register(app);
  const address = freshAddress();
  await guess(account.email, address);
  // Nine more are being judged, by an instance that takes its time.
  await app.db.query('UPDATE throttle_counters SET attempts = 10, in_flight = 9 WHERE attempts = 1');
  const waiting = logIn(app, account, address);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await app.db.query(
    'UPDATE throttle_counters SET attempts = attempts - 1, in_flight = 8 WHERE in_flight = 9',
  );
  expect((await waiting).status).toBe(200);

  await app.db.query('UPDATE throttle_counters SET attempts = 10, in_flight = 8 WHERE in_flight = 8');
  const inVain = logIn(app, account, address);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await app.db.query('UPDATE throttle_counters SET in_flight = 0 WHERE in_flight = 8');
  const refused = await inVain;
  expect(refused.status).toBe(429);
  expect(retryAfter(refused)).toBeGreaterThan(600);
});

test('a login waits a few seconds for slots in flight, and then is 429 with a short Retry-After', async () => {
  const account = await register(app);
  const address = freshAddress();
  await guess(account.email, address);
  await app.db.query('UPDATE throttle_counters SET attempts = 10, in_flight = 9 WHERE attempts = 1');
  const refused = await logIn(app, account, address);
  expect(refused.status).toBe(429);
  expect(retryAfter(refused)).toBe(1);
  await app.db.query(
    `UPDATE throttle_counters SET window_ends_at = now() - interval '1 ms' WHERE in_flight = 9`,
  );
  expect((await logIn(app, account, address)).status).toBe(200);
});

test('when all is done no attempt is under way', async () => {
  const account = await register(app);
  await simultaneously(12, (index) =>
    index % 3 === 0 ? guess(account.email, freshAddress()) : logIn(app, account, freshAddress()),
  );
  await app.request('/api/auth/register', { json: { ...account, role: 'patient' } });
  const { rows } = await app.db.query(
    `SELECT count(*)::int AS held FROM throttle_counters WHERE in_flight <> 0 AND window_ends_at > now()`,
  );
  expect(rows).toEqual([{ held: 0 }]);
});

test('success does not count, and does not forgive', async () => {
  const account = await register(app);
  const address = freshAddress();
  expect(
    await guessTimes(
      9,
      () => account.email,
      () => address,
    ),
  ).toEqual(times(9, 401));
  for (let attempt = 0; attempt < 20; attempt += 1) {
    expect((await logIn(app, account, address)).status).toBe(200);
  }
  expect(
    await guessTimes(
      2,
      () => account.email,
      () => address,
    ),
  ).toEqual([401, 429]);
});

test('after a hundred failures from one network, for any account, the whole network is 429', async () => {
  const account = await register(app);
  const address = freshAddress();
  expect(
    await guessTimes(
      100,
      () => freshEmail('stuffing'),
      () => address,
    ),
  ).toEqual(times(100, 401));
  const refused = await logIn(app, account, address);
  expect(refused.status).toBe(429);
  expect(retryAfter(refused)).toBeLessThanOrEqual(900);
  expect((await logIn(app, account)).status).toBe(200);
});

test('a hundred failures of one address in a day lock it everywhere, and a reset unlocks it', async () => {
  const account = await register(app);
  expect(await guessTimes(100, () => account.email, freshAddress)).toEqual(times(100, 401));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const refused = await logIn(app, account);
    expect(refused.status).toBe(429);
    expect(retryAfter(refused)).toBeGreaterThan(86_000);
    expect(retryAfter(refused)).toBeLessThanOrEqual(86_400);
  }
  const token = await resetTokenFor(app, account.email);
  const password = 'a brand new password';
  const reset = await app.request('/api/auth/reset-password', { json: { token, new_password: password } });
  expect(reset.status).toBe(200);
  expect((await logIn(app, { ...account, password })).status).toBe(200);
});

test('an unknown address is counted, refused and spoken to like a known one', async () => {
  const { email: known } = await register(app);
  const transcripts = [];
  for (const email of [known, freshEmail('unknown')]) {
    const address = freshAddress();
    const transcript: string[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      transcript.push((await comparable(await guess(email, address))).replaceAll(/\b8\d\d\b|\b900\b/g, 'N'));
    }
    transcripts.push(transcript);
  }
  expect(transcripts[0]).toEqual(transcripts[1]);
  expect(transcripts[0]?.[11]).toMatch(/^429\n/);
});

test('wrong current passwords are counted by session: neither a login nor another session is shut out by them', async () => {
  const account = await register(app);
  const own = (await (await logIn(app, account)).json()) as Tokens;
  const address = freshAddress();
  const change = (current: string, token = account.access_token) =>
    app.request('/api/auth/change-password', {
      token,
      json: { current_password: current, new_password: 'a brand new password' },
      headers: from(address),
    });
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await change('wrong')).status).toBe(400);
  const refused = await change(goodPassword);
  expect(refused.status).toBe(429);
  expect(retryAfter(refused)).toBeGreaterThan(600);
  expect((await logIn(app, account, address)).status).toBe(200);
  // After the window of 15 minutes, with 90 more failures on the same day.
  await app.db.query(
    `UPDATE throttle_counters SET window_ends_at = now() - interval '1 ms'
     WHERE window_ends_at < now() + interval '1 hour'`,
  );
  await app.db.query(
    'UPDATE throttle_counters SET attempts = 100 WHERE attempts = 10 AND window_ends_at > now()',
  );
  const ofTheDay = await change(goodPassword);
  expect(ofTheDay.status).toBe(429);
  expect(retryAfter(ofTheDay)).toBeGreaterThan(80_000);
  expect((await change(goodPassword, own.access_token)).status).toBe(200);
});

test('an IPv6 network is its /64, however the address is written', async () => {
  const { email } = await register(app);
  const network = [
    '2001:db8:1:2::1',
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    '2001:0DB8:0001:0002:0000:0000:0000:0009',
    '[2001:db8:1:2::5]:4711',
  ];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await guess(email, network[attempt % network.length] as string)).status).toBe(401);
  }
  for (const address of network) expect((await guess(email, address)).status).toBe(429);
  expect((await guess(email, '2001:db8:1:3::1')).status).toBe(401);
  // An IPv4 address is the same in its IPv6 clothes.
  const { email: second } = await register(app);
  expect(
    await guessTimes(
      10,
      () => second,
      () => '::ffff:198.51.100.7',
    ),
  ).toEqual(times(10, 401));
  expect((await guess(second, '198.51.100.99')).status).toBe(429);
  expect((await guess(second, '198.51.100.99:5555')).status).toBe(429);
});

test('what a client writes into X-Forwarded-For is not believed', async () => {
  const { email } = await register(app);
  const spoofing = (index: number) => `10.9.${index}.1, 203.0.113.9`;
  for (let index = 0; index < 10; index += 1) expect((await guess(email, spoofing(index))).status).toBe(401);
  expect((await guess(email, spoofing(99))).status).toBe(429);
  expect((await guess(email, '203.0.113.10')).status).toBe(429);

  // With one hop, as in front of Azure alone, the whole header is the client's.
  const direct = await anotherInstance(app, { TRUSTED_PROXY_HOPS: '1' });
  const { email: second } = await register(app);
  for (let index = 0; index < 10; index += 1) {
    expect((await guess(second, `10.8.${index}.1`, direct)).status).toBe(401);
  }
  expect((await guess(second, '10.8.77.1', direct)).status).toBe(429);
});

test('where no proxy names an address all callers are one network', async () => {
  const blind = await anotherInstance(app, { TRUSTED_PROXY_HOPS: '0' });
  const { email } = await register(app);
  for (let index = 0; index < 10; index += 1) {
    expect((await guess(email, freshAddress(), blind)).status).toBe(401);
  }
  expect((await guess(email, freshAddress(), blind)).status).toBe(429);
});

test('the table of counters names no address and no network', async () => {
  const email = freshEmail('counted');
  await guess(email, '203.0.113.77');
  const { rows } = await app.db.query<{ row: string }>(
    `SELECT c::text || ' ' || encode(key, 'escape') AS row FROM throttle_counters c`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toMatch(/counted|example|203\.0/);
});

test('right and wrong passwords for one account at the same time never end in an error of ours', async () => {
  const account = await register(app);
  const address = freshAddress();
  const replies = await simultaneously(40, (index) =>
    index % 4 === 0 ? guess(account.email, address) : logIn(app, account, address),
  );
  for (const reply of replies) expect([200, 401, 429], await reply.text()).toContain(reply.status);
});

test('what cannot even be a token counts against the network like a token that does not exist', async () => {
  const strict = await anotherInstance(app, {
    LIMIT_REFUSED_CREDENTIALS_PER_NETWORK: '3',
    LIMIT_REFUSED_REGISTRATIONS_PER_NETWORK: '3',
  });
  const sends: [string, (token: string) => object][] = [
    ['refresh', (token) => ({ refresh_token: token })],
    ['reset-password', (token) => ({ token, new_password: goodPassword })],
    ['verify-email', (token) => ({ token })],
    ['register', (token) => ({ invitation_token: token, password: goodPassword })],
  ];
  for (const [path, bodyOf] of sends) {
    const address = freshAddress();
    const send = (token: string, at = address) =>
      strict.request(`/api/auth/${path}`, { json: bodyOf(token), headers: from(at) });
    const usual = (await send('junk', freshAddress())).status;
    const prefix = { refresh: 'dgr_', 'reset-password': 'dgp_', 'verify-email': 'dgv_', register: 'dgi_' }[
      path
    ];
    const statuses = [];
    for (const token of ['junk', '', `${prefix}${'A'.repeat(43)}`, 'x'.repeat(3000)]) {
      statuses.push((await send(token)).status);
    }
    expect([path, statuses]).toEqual([path, [usual, usual, usual, 429]]);
    expect((await send('junk', freshAddress())).status).toBe(usual);
  }
});

test('of forty invitations that do not exist, tried side by side, a network may try five', async () => {
  const strict = await anotherInstance(app, { LIMIT_REFUSED_REGISTRATIONS_PER_NETWORK: '5' });
  const address = freshAddress();
  const replies = await simultaneously(40, () =>
    strict.request('/api/auth/register', {
      json: { invitation_token: `dgi_${'A'.repeat(43)}`, password: goodPassword },
      headers: from(address),
    }),
  );
  expect(statusesOf(replies)).toEqual([...times(5, 400), ...times(35, 429)]);
});
