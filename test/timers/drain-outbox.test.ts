import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { freshEmail, register } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { mailServer } from '../support/mail-server.ts';

const server = await mailServer();
const env = {
  ...server.settings,
  PORTAL_URL: 'https://portal.example/app',
  AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
  SELF_REGISTRATION_ROLES: 'patient',
  BCRYPT_COST: '10',
};
const app = await testApp({ env });

const waiting = async () => (await app.db.query('SELECT * FROM outbox_messages ORDER BY id')).rows;
/** Also the links that registrations are sent. */
const allDelivered = () => expect.poll(waiting).toEqual([]);
const askForReset = (email: string, language = 'en', of: Pick<TestApp, 'request'> = app) =>
  of.request('/api/auth/request-reset', { json: { email }, headers: { 'accept-language': language } });
const timerLines = ({ output }: Pick<TestApp, 'output'>) =>
  output.filter((line) => line.includes('"function":"drainOutbox"')).join('\n');

test('a mail leaves at its request, and waits for no timer', async () => {
  const { email } = await register(app);
  const reply = await askForReset(email, 'he');
  expect(reply.status).toBe(200);
  const mail = (await server.arrived(1)).at(-1);
  expect(mail).toMatchObject({ recipients: [email], subject: 'בחירת סיסמה חדשה' });
});

test('links point at the portal, for any Host header', async () => {
  const { email } = await register(app);
  const before = server.mails.length;
  const { port } = new URL(app.url);
  const body = JSON.stringify({ email });
  await new Promise<void>((resolve, reject) => {
    request({
      host: '127.0.0.1',
      port,
      path: '/api/auth/request-reset',
      method: 'POST',
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        origin: 'https://evil.example',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    })
      .on('response', (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end(body);
  });
  const mail = (await server.arrived(before + 1)).at(-1);
  expect(mail?.recipients).toEqual([email]);
  expect(mail?.raw).not.toContain('evil.example');
  expect(mail?.text).toMatch(/^https:\/\/portal\.example\/app\/reset-password#token=dgp_[\w-]{43}$/m);
});

describe('with the mail server down', () => {
  test('the reply is the same, and the mail leaves with a run of the timer when it is up again', async () => {
    const { email } = await register(app);
    await allDelivered();
    const before = server.mails.length;
    const asked = await anotherInstance(app);
    const usual = await askForReset(freshEmail('unknown'), 'en', asked);
    await server.behave({ kind: 'refuses_connections' });
    const reply = await askForReset(email, 'en', asked);
    expect([reply.status, await reply.text()]).toEqual([usual.status, await usual.text()]);
    await expect.poll(async () => (await waiting())[0]?.last_error_code).toBe('ESOCKET');
    // Otherwise it could deliver the mail before the timer does.
    await asked.stop();

    await server.behave({ kind: 'accepts' });
    await app.db.query('UPDATE outbox_messages SET available_at = now()');
    await app.runTimer('drainOutbox');
    await app.runTimer('drainOutbox');
    expect(server.mails.slice(before).map(({ recipients }) => recipients)).toEqual([[email]]);
    expect(await waiting()).toEqual([]);
    expect(timerLines(app)).toContain('"delivered":1');
    expect(timerLines(app)).toContain('"delivered":0');
  });
});

test('no token and no address of an account is in what production writes', () => {
  expect(server.mails.length).toBeGreaterThan(2);
  const output = app.output.join('\n');
  expect(output).toContain('mail_sent');
  expect(output).not.toContain('dgp_');
  for (const { recipients } of server.mails) expect(output).not.toContain(recipients[0]);
});

test('a run without a database is a line in the log, not a failure of the host', async () => {
  const lost = await testApp({ env: { ...env, DATABASE_URL: 'postgresql://nobody:x@127.0.0.1:1/none' } });
  await lost.runTimer('drainOutbox');
  expect(timerLines(lost)).toContain('timer_failed');
  expect((await lost.request('/healthy')).status).toBe(200);
});

test('a mail server that hangs does not hold up the end of the app, and the mail is not lost', async () => {
  const { email } = await register(app);
  await allDelivered();
  const before = server.mails.length;
  const connections = server.connections();
  // Cuts the connection that the app has kept open: it would still work.
  await server.behave({ kind: 'refuses_connections' });
  await server.behave({ kind: 'hangs' });
  await askForReset(email);
  await expect.poll(() => server.connections()).toBeGreaterThan(connections);
  await app.stop();
  expect(server.mails.length).toBe(before);
  expect(await waiting()).toMatchObject([{ topic: 'password_reset', dead_at: null }]);
  expect(app.output.join('\n')).not.toMatch(/unhandled|uncaught|is killed/i);
});
