import { createHash } from 'node:crypto';
import { isLoopback } from '../network/loopback.ts';

export interface Mail {
  /** One bare address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** BCP 47, as in `Content-Language`. */
  language: string;
  /** Where replies go: one bare address. Without it they go nowhere. */
  replyTo?: string | undefined;
  /** Identifies the mail: the same key gives the same Message-ID, so that mail programs fold copies. */
  key: string;
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail.
   * @throws {MailRejected} when a retry cannot help; any other error concerns the server or the connection.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server refuses this recipient or this mail permanently (a 5xx reply, RFC 5321 §4.2.1). */
export class MailRejected extends Error {
  /** `rejected_<SMTP code>`, such as `rejected_550`, or `invalid_address`. */
  readonly code: string;

  constructor(code: string, options?: { cause?: unknown }) {
    super(`mail: ${code}`, options);
    this.name = 'MailRejected';
    this.code = code;
  }
}

export interface MailerOptions {
  /** `smtps://`, or `smtp://` with STARTTLS, which is required unless the server is on this machine; with credentials. */
  url: string;
  /** The sender: one bare address. */
  from: string;
}

/** Maximum time for one mail, however slow the server; the outbox relies on it. */
const sendTimeoutMs = 15_000;

/** Sends mail by SMTP over a small pool of connections, which opens with the first mail. */
export function createMailer({ url, from }: MailerOptions): Mailer {
  let opened: ReturnType<typeof openTransport> | undefined;
  const domain = from.slice(from.lastIndexOf('@') + 1);

  return {
    async send({ to, subject, text, html, language, replyTo, key }) {
      try {
        const transport = await (opened ??= openTransport(url));
        await transport.sendMail({
          // As objects, so that the library never parses one address into several.
          from: { name: '', address: singleAddress(from) },
          to: { name: '', address: singleAddress(to) },
          ...(replyTo !== undefined && { replyTo: { name: '', address: singleAddress(replyTo) } }),
          subject: singleLine(subject),
          text,
          html,
          messageId: `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`,
          // These keep autoresponders from replying (RFC 3834 §5; the second is Exchange's).
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
    // If opening failed, its mails have already failed.
    close: () =>
      void opened?.then(
        (transport) => transport.close({ force: true }),
        () => undefined,
      ),
  };
}

/** Loads the library on first use: no cold start begins with a mail. */
async function openTransport(url: string) {
  // The default export, because a bundled CommonJS package has no named exports.
  const { default: nodemailer } = await import('nodemailer');
  return nodemailer.createTransport({
    ...connection(url),
    pool: true,
    maxConnections: 5,
    idleTimeout: 30_000,
    // The outbox retries.
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
    // Optional TLS protects no reset link: a man in the middle could strip STARTTLS.
    ...(isLoopback(host) ? { ignoreTLS: true } : { requireTLS: true }),
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  };
}

/** Removes everything that could end a header line. The library escapes headers too. */
function singleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function singleAddress(text: string): string {
  if (!/^[^\s@\p{Cc}<>()[\],;:"\\]+@[^\s@\p{Cc}<>()[\],;:"\\]+$/u.test(text)) {
    throw new MailRejected('invalid_address');
  }
  return text;
}

/** A 5xx reply to the recipient or the content; one to login, connection or sender does not concern this mail. */
function isFinal(error: unknown): error is Error & { responseCode: number } {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
    !('command' in error && error.command === 'MAIL FROM') &&
    'responseCode' in error &&
    typeof error.responseCode === 'number' &&
    error.responseCode >= 500
  );
}
