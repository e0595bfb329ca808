import { createHash } from 'node:crypto';
import { isLoopback } from '../loopback.ts';

export interface Mail {
  /** One bare address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** BCP 47, as in `Content-Language`. */
  language: string;
  /** Names this mail for ever: the same key gives the same Message-ID, so that mail programs fold copies. */
  key: string;
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail.
   * @throws {MailRejected} when trying again cannot help; any other error is about the server or the way there.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server refuses this recipient or this mail for good (a 5xx reply, RFC 5321 §4.2.1). */
export class MailRejected extends Error {
  /** Such as `rejected_550`. */
  readonly code: string;

  constructor(code: string, options?: { cause?: unknown }) {
    super(`mail: ${code}`, options);
    this.name = 'MailRejected';
    this.code = code;
  }
}

export interface MailerOptions {
  /** `smtp://` (STARTTLS, which the server must offer unless it is on this machine) or `smtps://`, with credentials. */
  url: string;
  /** The sender: one bare address. */
  from: string;
}

/** One mail takes at most this long, whatever the server does; the outbox counts on it. */
const sendTimeoutMs = 15_000;

/** SMTP with a small pool of connections; nothing is connected before the first mail. */
export function createMailer({ url, from }: MailerOptions): Mailer {
  let opened: ReturnType<typeof openTransport> | undefined;
  const domain = from.slice(from.lastIndexOf('@') + 1);

  return {
    async send({ to, subject, text, html, language, key }) {
      try {
        const transport = await (opened ??= openTransport(url));
        await transport.sendMail({
          // As objects: an address is never parsed into several.
          from: { name: '', address: singleAddress(from) },
          to: { name: '', address: singleAddress(to) },
          subject: singleLine(subject),
          text,
          html,
          messageId: `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`,
          // No autoresponder answers these (RFC 3834 §5; the second is Exchange's).
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            'Content-Language': language,
          },
          xMailer: false,
          signal: AbortSignal.timeout(sendTimeoutMs),
        });
      } catch (error) {
        throw isFinal(error) ? new MailRejected(`rejected_${error.responseCode}`, { cause: error }) : error;
      }
    },
    // One that could not be opened has failed its mails already.
    close: () =>
      void opened?.then(
        (transport) => transport.close({ force: true }),
        () => undefined,
      ),
  };
}

/** The library is loaded when first needed: no cold start begins with a mail. */
async function openTransport(url: string) {
  // The default, because a bundled CommonJS package has no named exports.
  const { default: nodemailer } = await import('nodemailer');
  return nodemailer.createTransport({
    ...connection(url),
    pool: true,
    maxConnections: 5,
    idleTimeout: 30_000,
    // The outbox is what tries again.
    maxRequeues: 0,
    dnsTimeout: 5000,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function connection(address: string) {
  const url = new URL(address);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // Encryption that a man in the middle can talk the client out of protects no reset link.
    ...(isLoopback(host) ? { ignoreTLS: true } : { requireTLS: true }),
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  };
}

/** The library escapes headers as well; what could end one is not even handed over. */
function singleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function singleAddress(text: string): string {
  if (!/^[^\s@\p{Cc}<>()[\],;:"\\]+@[^\s@\p{Cc}<>()[\],;:"\\]+$/u.test(text)) {
    throw new MailRejected('invalid_address');
  }
  return text;
}

/** 5xx to the recipient or the content; one to the login or the connection says nothing about this mail. */
function isFinal(error: unknown): error is Error & { responseCode: number } {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
    'responseCode' in error &&
    typeof error.responseCode === 'number' &&
    error.responseCode >= 500
  );
}
