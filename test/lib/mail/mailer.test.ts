import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMailer, type Mail, type Mailer } from '../../../src/lib/mail/mailer.ts';
import { afterwards } from '../../support/cleanup.ts';
import { mailServer } from '../../support/mail-server.ts';

const server = await mailServer();
const mailer = forServer(server.settings.MAIL_URL);

beforeEach(async () => {
  await server.behave({ kind: 'accepts' });
  server.mails.length = 0;
});

function forServer(url: string): Mailer {
  const created = createMailer({ url, from: server.settings.MAIL_FROM });
  afterwards(async () => created.close());
  return created;
}

const mail = (parts: Partial<Mail> = {}): Mail => ({
  to: 'alice@example.org',
  subject: 'Hello',
  text: 'Plain text',
  html: '<p>HTML</p>',
  language: 'en',
  key: crypto.randomUUID(),
  ...parts,
});

describe('a mail', () => {
  test('carries text, HTML, its language and headers against autoresponders', async () => {
    await mailer.send(mail({ subject: 'שלום — ¡hola!', text: 'متن', html: '<p>متن</p>', language: 'ar' }));
    const [received] = await server.arrived(1);
    expect(received).toMatchObject({
      recipients: ['alice@example.org'],
      from: 'no-reply@clinic.example',
      to: ['alice@example.org'],
      subject: 'שלום — ¡hola!',
      text: 'متن',
      html: '<p>متن</p>',
    });
    expect(received?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(received?.headers.get('content-language')).toBe('ar');
    expect(received?.headers.get('content-type')).toContain('multipart/alternative');
  });

  test('reveals neither the software nor the machine that sent it', async () => {
    await mailer.send(mail());
    const [received] = await server.arrived(1);
    expect([...(received?.headers.keys() ?? [])].toSorted()).toEqual([
      'auto-submitted',
      'content-language',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-auto-response-suppress',
    ]);
  });

  test('has a Message-ID that its key alone decides, in the domain of the sender', async () => {
    await mailer.send(mail({ key: 'a' }));
    await mailer.send(mail({ key: 'a', subject: 'Second copy' }));
    await mailer.send(mail({ key: 'b' }));
    const ids = (await server.arrived(3)).map(({ messageId }) => messageId);
    expect(ids[0]).toMatch(/^<[0-9a-f]{40}@clinic\.example>$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('keeps long links in one piece', async () => {
    const link = `https://portal.example/reset-password#token=dgp_${'aB3_-'.repeat(60)}`;
    await mailer.send(mail({ text: `Here:\n\n${link}\n\nBye`, html: `<a href="${link}">x</a>` }));
    const [received] = await server.arrived(1);
    expect(received?.text.split('\n')).toContain(link);
    expect(received?.html).toContain(`"${link}"`);
  });
});

describe('header injection', () => {
  const breaks = ['\r\n', '\n', '\r', '\u2028', '\0', '\u0085'];

  test.each(breaks)('a subject with %j adds no header and no recipient', async (lineBreak) => {
    await mailer.send(mail({ subject: `Hi${lineBreak}Bcc: eve@example.org${lineBreak}${lineBreak}Body` }));
    const [received] = await server.arrived(1);
    expect(received?.recipients).toEqual(['alice@example.org']);
    expect(received?.headers.has('bcc')).toBe(false);
    expect(received?.subject).toBe('Hi Bcc: eve@example.org Body');
    expect(received?.text).toBe('Plain text\n');
  });

  test.each([
    ...breaks.map((lineBreak) => `alice@example.org${lineBreak}Bcc: eve@example.org`),
    'alice@example.org, eve@example.org',
    'alice@example.org>,<eve@example.org',
    'Alice <alice@example.org>',
    'group:alice@example.org;',
    'alice',
    '',
  ])('%j is no address: refused before anything is sent', async (to) => {
    const connections = server.connections();
    await expect(mailer.send(mail({ to }))).rejects.toMatchObject({
      name: 'MailRejected',
      code: 'invalid_address',
    });
    expect(server.connections()).toBe(connections);
  });
});

describe('a mail server that', () => {
  test('refuses the recipient for good makes a rejection', async () => {
    await server.behave({ kind: 'rejects_recipients', status: 550 });
    await expect(mailer.send(mail())).rejects.toMatchObject({ name: 'MailRejected', code: 'rejected_550' });
  });

  test('refuses the recipient for now, or the sender, makes an error worth another try', async () => {
    await server.behave({ kind: 'rejects_recipients', status: 450 });
    await expect(mailer.send(mail())).rejects.toMatchObject({ code: 'EENVELOPE', name: 'Error' });
    // Of the sender's address, which the next configuration may put right.
    await server.behave({ kind: 'rejects_sender' });
    await expect(mailer.send(mail())).rejects.toMatchObject({ code: 'EENVELOPE', name: 'Error' });
    await server.behave({ kind: 'accepts' });
    await mailer.send(mail());
    expect((await server.arrived(1)).length).toBe(1);
  });

  test('is down makes an error at once, and is used again when it is back', async () => {
    await server.behave({ kind: 'refuses_connections' });
    // No timeout, which has another code.
    await expect(forServer(server.settings.MAIL_URL).send(mail())).rejects.toMatchObject({ code: 'ESOCKET' });
    await server.behave({ kind: 'accepts' });
    await mailer.send(mail());
    expect((await server.arrived(1)).length).toBe(1);
  });

  test('sends no reply times out', async () => {
    await server.behave({ kind: 'hangs' });
    await expect(forServer(server.settings.MAIL_URL).send(mail())).rejects.toMatchObject({
      code: 'ETIMEDOUT',
    });
  });

  test('drips a byte at a time, which no idle timeout detects, times out too', async () => {
    const sockets = new Set<Socket>();
    const dripping = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.write('220-');
      setInterval(() => socket.writable && socket.write('x'), 500).unref();
    });
    dripping.listen(0, '127.0.0.1');
    await once(dripping, 'listening');
    afterwards(async () => {
      for (const socket of sockets) socket.destroy();
      dripping.close();
    });
    const { port } = dripping.address() as AddressInfo;
    await expect(forServer(`smtp://127.0.0.1:${port}`).send(mail())).rejects.toThrow();
  });

  test('vanishes after it took the mail makes an error: the outcome is unknown, so it is sent again', async () => {
    await server.behave({ kind: 'drops_reply' });
    await expect(forServer(server.settings.MAIL_URL).send(mail())).rejects.toMatchObject({
      code: 'ECONNECTION',
    });
    expect(server.mails.length).toBe(1);
  });
});

test('closing does not wait for a mail server that hangs', async () => {
  await server.behave({ kind: 'hangs' });
  const doomed = forServer(server.settings.MAIL_URL);
  // A wait for the server ends in ETIMEDOUT.
  const sending = expect(doomed.send(mail())).rejects.toMatchObject({ code: 'ECONNECTION' });
  await new Promise((resolve) => void setTimeout(resolve, 100));
  doomed.close();
  await sending;
});

test('away from this machine nothing is sent without encryption', async () => {
  // The fake speaks no TLS. By this address the system finds it, and the mailer does not take it for local.
  const remote = forServer(server.settings.MAIL_URL.replace('127.0.0.1', '0.0.0.0'));
  await expect(remote.send(mail())).rejects.toMatchObject({ code: 'ETLS' });
  expect(server.mails).toEqual([]);
});
