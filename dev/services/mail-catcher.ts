import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { createPortAllocator, type PortAllocator } from './free-port.ts';
import { type CaughtMail, createInbox } from './mail-inbox.ts';

export type MailCatcherOptions = {
  /** Tried first. */
  smtpPort?: number | undefined;
  inboxPort?: number | undefined;
  /** Where the ports come from. By default any free ones. */
  ports?: PortAllocator;
};

export type MailCatcher = {
  /** For MAIL_URL. */
  smtpUrl: string;
  smtpPort: number;
  /** A page in a browser; `messages.json` below it is for programs. */
  inboxUrl: string;
  inboxPort: number;
  /** Oldest first. */
  mails(): readonly CaughtMail[];
  stop(): Promise<void>;
};

const LARGEST_MAIL = 5 * 1024 * 1024;
/** Older mails are dropped. */
const MOST_MAILS = 200;

/** A mail server on 127.0.0.1 that accepts every mail, delivers none and shows them all on a page. */
export async function startMailCatcher(options: MailCatcherOptions = {}): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  let count = 0;
  async function keep(raw: Buffer): Promise<void> {
    const { from, to, subject, date, messageId, headers, text, html } = await PostalMime.parse(raw);
    mails.push({
      id: ++count,
      receivedAt: new Date().toISOString(),
      from: from?.address ?? '',
      to: (to ?? []).flatMap(({ address }) => address ?? []),
      subject: subject ?? '',
      date: date ?? '',
      messageId: messageId ?? '',
      headers: headers.map(({ key, value }) => ({ name: key, value })),
      text: text ?? '',
      html: html ?? '',
    });
    if (mails.length > MOST_MAILS) mails.shift();
  }

  const { ports = createPortAllocator() } = options;
  const smtp = await ports.onFreePort(options.smtpPort, (port) => listenForMail(port, keep));
  const inbox = createServer(createInbox(() => mails));
  try {
    await ports.onFreePort(options.inboxPort, async (port) => {
      inbox.listen(port, '127.0.0.1');
      await once(inbox, 'listening');
    });
  } catch (error) {
    await smtp.stop();
    throw error;
  }
  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    const closed = once(inbox, 'close');
    inbox.close();
    inbox.closeAllConnections();
    await Promise.all([closed, smtp.stop()]);
  }
  const address = inbox.address();
  const inboxPort = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    smtpPort: smtp.port,
    inboxUrl: `http://127.0.0.1:${inboxPort}`,
    inboxPort,
    mails: () => mails,
    stop: () => (stopped ??= stop()),
  };
}

async function listenForMail(port: number, keep: (raw: Buffer) => Promise<void>) {
  const server = new SMTPServer({
    // Nothing leaves this machine, so neither encryption nor a login is required; any login is accepted.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    disableReverseLookup: true,
    size: LARGEST_MAIL,
    logger: false,
    closeTimeout: 500,
    onData(stream, _session, done) {
      const receive = async () => done(await store(stream, keep));
      void receive();
    },
  });
  // Aborted connections are the client's concern.
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  return { port, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** Stores a mail. Resolves with the reason of a refusal, or null. */
async function store(
  stream: SMTPServerDataStream,
  keep: (raw: Buffer) => Promise<void>,
): Promise<Error | null> {
  try {
    const raw = await buffer(stream);
    // The server refuses a too large announced size beforehand; this is for clients that exceed theirs.
    if (stream.sizeExceeded) return Object.assign(new Error('The mail is too large'), { responseCode: 552 });
    await keep(raw);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
