import { get } from 'node:http';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { startMailCatcher } from './mail-catcher.ts';
import type { CaughtMail } from './mail-inbox.ts';
import { createMailer, type Mail } from '../../src/lib/mail/mailer.ts';
import { afterwards } from '../../test/support/cleanup.ts';

const catcher = await start();
const { inboxUrl } = catcher;
const html =
  '<!doctype html><html><head><title>x</title></head><body><script>alert(1)</script><a href="https://portal.example/#t">Go</a></body></html>';

beforeAll(async () => {
  await mail(catcher.smtpUrl, { subject: 'First', to: 'alice@example.org' });
  await mail(catcher.smtpUrl, { subject: '<b>שלום</b> & "co"', html, text: '<script>alert(2)</script>' });
});

async function start(options: Parameters<typeof startMailCatcher>[0] = {}) {
  const started = await startMailCatcher(options);
  afterwards(started.stop);
  return started;
}

async function mail(url: string, parts: Partial<Mail> = {}): Promise<void> {
  const mailer = createMailer({ url, from: 'no-reply@clinic.example' });
  const key = crypto.randomUUID();
  try {
    await mailer.send({
      to: 'bob@example.org',
      subject: 'Hello',
      text: 'Text',
      html: '',
      language: 'en',
      key,
      ...parts,
    });
  } finally {
    mailer.close();
  }
}

async function read(path: string) {
  const reply = await fetch(inboxUrl + path);
  return { status: reply.status, headers: reply.headers, body: await reply.text() };
}

describe('every mail', () => {
  test('is taken and shown to programs, oldest first', async () => {
    const { headers, body } = await read('/messages.json');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body) as CaughtMail[]).toMatchObject([
      { id: 1, from: 'no-reply@clinic.example', to: ['alice@example.org'], subject: 'First', text: 'Text\n' },
      { id: 2, to: ['bob@example.org'], subject: '<b>שלום</b> & "co"' },
    ]);
    expect(catcher.mails().map(({ messageId }) => messageId)).toEqual([
      expect.stringMatching(/^<\w+@clinic\.example>$/),
      expect.stringMatching(/^<\w+@clinic\.example>$/),
    ]);
  });

  test('is shown to people, newest first, as text and not as markup', async () => {
    const { status, headers, body } = await read('/');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(body.indexOf('שלום')).toBeLessThan(body.indexOf('First'));
    expect(body).not.toContain('<b>שלום');
    expect(body).not.toContain('<script');
    expect(body).toContain('2 mails');
  });

  test('has its HTML in a page that runs no script and whose links open beside it', async () => {
    const { status, headers, body } = await read('/messages/2.html');
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
    expect(policy).not.toContain('allow-scripts');
    expect(body).toContain('<base target="_blank">');
    expect(body).toContain('https://portal.example/#t');
  });
});

test('what is not there is 404, other methods are 405', async () => {
  for (const path of ['/messages/3.html', '/messages/x.html', '/favicon.ico', '/messages']) {
    expect((await read(path)).status).toBe(404);
  }
  expect((await fetch(inboxUrl, { method: 'POST' })).status).toBe(405);
});

test('a page elsewhere whose host name points here reads nothing', async () => {
  const asking = (host: string) =>
    new Promise((resolve, reject) => {
      get(`${inboxUrl}/messages.json`, { headers: { host } }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      }).on('error', reject);
    });
  expect(await asking(`evil.example:${catcher.inboxPort}`)).toBe(421);
  expect(await asking('127.0.0.1')).toBe(421);
  expect(await asking(`localhost:${catcher.inboxPort}`)).toBe(200);
});

test('a client that breaks off in the middle leaves no mail and no damage', async () => {
  const before = catcher.mails().length;
  const socket = createConnection(catcher.smtpPort, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\nSubject: half');
  await sleep(200);
  socket.destroy();
  await mail(catcher.smtpUrl, { subject: 'Whole' });
  expect(
    catcher
      .mails()
      .slice(before)
      .map(({ subject }) => subject),
  ).toEqual(['Whole']);
});

test('a mail beyond five megabytes is refused, whether or not the client announced its size', async () => {
  const text = `${'x'.repeat(70)}\n`.repeat(80_000);
  await expect(mail(catcher.smtpUrl, { text })).rejects.toMatchObject({ code: 'rejected_552' });
});

test('the wanted ports are used where they are free, others where not', async () => {
  const again = await start({ smtpPort: catcher.smtpPort, inboxPort: catcher.inboxPort });
  expect(again.smtpPort).not.toBe(catcher.smtpPort);
  expect(again.inboxPort).not.toBe(catcher.inboxPort);
  await again.stop();
  const third = await start({ smtpPort: again.smtpPort, inboxPort: again.inboxPort });
  expect([third.smtpPort, third.inboxPort]).toEqual([again.smtpPort, again.inboxPort]);
});

test('stopped, it answers no more, stops once and does not wait for clients that stay', async () => {
  const doomed = await start();
  const idle = createConnection(doomed.smtpPort, '127.0.0.1');
  idle.on('error', () => undefined);
  await sleep(100);
  await Promise.all([doomed.stop(), doomed.stop()]);
  await expect(fetch(doomed.inboxUrl)).rejects.toThrow();
  await expect(mail(doomed.smtpUrl)).rejects.toThrow();
  idle.destroy();
});
