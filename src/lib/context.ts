import type { AiClient } from './ai/ai-client.ts';
import type { AccessTokens } from './auth/access-token.ts';
import type { ThrottleKey } from './auth/throttle-key.ts';
import type { Passwords } from './auth/passwords.ts';
import type { BlobStore } from './blob/blob-store.ts';
import type { Clock } from '../contract/clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import type { FieldCrypto } from './field-crypto.ts';
import type { StaticFile } from './http/static-file.ts';
import type { SharedImageDecoder } from './image/decode.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Outbox } from './outbox/outbox.ts';

/** What handlers are given to work with; built once by `main.ts`. There are no other globals. */
export interface Context {
  config: Config;
  clock: Clock;
  log: Log;
  db: Db;
  passwords: Passwords;
  throttleKey: ThrottleKey;
  accessTokens: AccessTokens;
  fieldCrypto: FieldCrypto;
  /** Absent where MAIL_URL is not set. Handlers leave mails to the outbox. */
  mailer: Mailer | undefined;
  outbox: Outbox;
  ai: AiClient;
  images: SharedImageDecoder;
  blobs: BlobStore;
  /** The OpenAPI document of all endpoints, as JSON. */
  openApiDocument(): Promise<StaticFile>;
}
