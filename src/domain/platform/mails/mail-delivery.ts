import type { Clock } from '../../../contract/clock.ts';
import type { Db } from '../../../lib/db/connect.ts';
import type { FieldCrypto } from '../../../lib/field-crypto.ts';
import type { Log } from '../../../lib/log.ts';
import type { Repetition } from '../events/record-refusal.ts';
import type { Mailer } from '../../../lib/mail/mailer.ts';

/** What the consumer `mail` works with. */
export interface MailDelivery {
  db: Db;
  log: Log;
  clock: Clock;
  fieldCrypto: FieldCrypto;
  /** Absent where no mail server is configured. */
  mailer: Mailer | undefined;
  /** Where links point: never a Host header, which a stranger can choose. */
  portalUrl: string;
  production: boolean;
  /** For requests about addresses without an account. */
  repetition: Repetition;
}
