import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { afterwards } from './cleanup.ts';

export type ReceivedMail = {
  /** Recipients of the envelope, which is what counts. */
  recipients: string[];
  from: string;
  to: string[];
  subject: string;
  messageId: string;
  /** By lower-case name. */
  headers: Map<string, string>;
  text: string;
  html: string;
  raw: string;
};

export type MailServerMode =
  /** Takes every mail. */
  | { kind: 'accepts' }
  /** Its port refuses connections. */
  | { kind: 'refuses_connections' }
  /** Answers RCPT TO with this status: 550 for ever, 450 for now. */
  | { kind: 'rejects_recipients'; status: number }
  /** Answers MAIL FROM with 553: it does not let us send under this address. */
  | { kind: 'rejects_sender' }
  /** Lets clients connect and never says a word. */
  | { kind: 'hangs' }
  /** Takes mails, but says so only after that many milliseconds. */
  | { kind: 'slow'; ms: number }
  /** Takes the mail and vanishes before it says so: what a client sees when it, or the way, breaks just then. */
  | { kind: 'drops_reply' };

export type MailServer = {
  /** For the app's environment. */
  settings: { MAIL_URL: string; MAIL_FROM: string };
  /** What was taken, in order. */
  mails: ReceivedMail[];
  /** Connections that clients have opened so far. */
  connections(): number;
  behave(mode: MailServerMode): Promise<void>;
  /** Waits until at least `count` mails have been taken. */
  arrived(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
};

/**
 * A mail server over a real socket that does what the test tells it; takes every mail until then. Links that verify an
 * address go to everybody who registers: they are listed only with `verifications`.
 */
export async function mailServer({ verifications = false } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let mode: MailServerMode = { kind: 'accepts' };
  let connections = 0;
  let server: SMTPServer | undefined;

  async function listen(port: number): Promise<number> {
    const created = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 50,
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
      onConnect(_session, done) {
        connections++;
        if (mode.kind !== 'hangs') done();
      },
      onMailFrom(_address, _session, done) {
        if (mode.kind !== 'rejects_sender') return done();
        done(Object.assign(new Error('not your address'), { responseCode: 553 }));
      },
      onRcptTo(_address, _session, done) {
        if (mode.kind !== 'rejects_recipients') return done();
        done(Object.assign(new Error('no such mailbox'), { responseCode: mode.status }));
      },
      onData(stream, session, done) {
        const take = async () => {
          const { kind } = mode;
          const mail = await read(stream, session);
          if (verifications || !mail.text.includes('dgv_')) mails.push(mail);
          if (kind === 'drops_reply') return created.connections.forEach((each) => each._socket.destroy());
          if (mode.kind === 'slow') await sleep(mode.ms);
          done();
        };
        // A client that dies in the middle of a mail has sent none.
        take().catch(() => undefined);
      },
    });
    created.on('error', () => undefined);
    const listening = created.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    server = created;
    return (listening.address() as AddressInfo).port;
  }

  async function close(): Promise<void> {
    const closing = server;
    server = undefined;
    await new Promise<void>((resolve) =>
      closing === undefined ? resolve() : closing.close(() => resolve()),
    );
  }

  const port = await listen(0);
  afterwards(close);
  return {
    settings: { MAIL_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'no-reply@clinic.example' },
    mails,
    connections: () => connections,
    async behave(wanted) {
      mode = wanted;
      if (mode.kind === 'refuses_connections') await close();
      else if (server === undefined) await listen(port);
    },
    async arrived(count) {
      const deadline = Date.now() + 30_000;
      while (mails.length < count) {
        if (Date.now() > deadline) throw new Error(`${mails.length} of ${count} mails arrived.`);
        await sleep(20);
      }
      return mails;
    },
    stop: close,
  };
}

async function read(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<ReceivedMail> {
  const raw = await buffer(stream);
  const mail = await PostalMime.parse(raw);
  return {
    recipients: session.envelope.rcptTo.map(({ address }) => address),
    from: mail.from?.address ?? '',
    to: (mail.to ?? []).flatMap(({ address }) => address ?? []),
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? '',
    headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
    text: mail.text ?? '',
    html: mail.html ?? '',
    raw: raw.toString('utf8'),
  };
}
