import type { AiClient } from './ai/ai-client.ts';
import type { AccessTokens } from './auth/access-token.ts';
import type { ThrottleKey } from './auth/throttle-key.ts';
import type { Passwords } from './auth/passwords.ts';
import type { BlobStore } from './blob/blob-store.ts';
import type { Clock } from '../contract/clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import type { FieldCrypto } from './field-crypto.ts';
import type { SharedImageDecoder, ImageDecoder } from './image/decode.ts';
import type { AuditContext } from './audit.ts';
import type { RequestFacts } from '../contract/request-facts.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Outbox } from './outbox/outbox.ts';

/** What the app is made of; built once by `main.ts`. There are no other globals. */
export interface AppContext {
  config: Config;
  clock: Clock;
  log: Log;
  db: Db;
  passwords: Passwords;
  throttleKey: ThrottleKey;
  accessTokens: AccessTokens;
  fieldCrypto: FieldCrypto;
  /** Absent where MAIL_URL is not set. Use cases leave mails to the outbox. */
  mailer: Mailer | undefined;
  outbox: Outbox;
  ai: AiClient;
  /** The eligibility service; absent where ELIGIBILITY_SERVICE_URL is not set. */
  members: AiClient | undefined;
  images: SharedImageDecoder;
  blobs: BlobStore;
}

/** What a use case is given to work with: the app's parts on behalf of one request. */
export interface Context extends Omit<AppContext, 'images' | 'openApiDocument'> {
  /** On behalf of this caller, whose uploads wait for each other. */
  images: Pick<ImageDecoder, 'check' | 'thumbnail'>;
  request: RequestFacts;
  audit: AuditContext;
}
