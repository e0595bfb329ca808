import type { AiClient } from '../ai/ai-client.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import type { ThrottleKey } from '../auth/throttle-key.ts';
import type { Passwords } from '../auth/passwords.ts';
import type { BlobStore } from '../blob/blob-store.ts';
import type { AccountActor } from '../../contract/actor.ts';
import type { Clock } from '../../contract/clock.ts';
import type { Config } from '../configuration/config.ts';
import type { Db, Tx } from '../db/connect.ts';
import type { FieldCrypto } from '../crypto/field-crypto.ts';
import type { SharedImageDecoder, ImageDecoder } from '../image/decode.ts';
import type { AuditContext } from './audit.ts';
import type { Memory } from './memory.ts';
import type { RequestFacts } from '../../contract/request-facts.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import type { Streams } from '../live/streams.ts';
import type { Log } from '../telemetry/log.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { PushSender } from '../push/push-sender.ts';
import type { RequestMetrics } from '../telemetry/request-metrics.ts';

/** What the app is made of; built by `createApp`, and shared with no other app. */
export interface AppContext {
  config: Config;
  clock: Clock;
  log: Log;
  db: Db;
  metrics: RequestMetrics;
  /** What the app remembers between requests. */
  memory: Memory;
  passwords: Passwords;
  throttleKey: ThrottleKey;
  accessTokens: AccessTokens;
  fieldCrypto: FieldCrypto;
  /** Absent where MAIL_URL is not set. Use cases leave mails to the outbox. */
  mailer: Mailer | undefined;
  /** Use cases leave push messages to the outbox as well. */
  push: PushSender;
  outbox: Outbox;
  ai: AiClient;
  /** The eligibility service; absent where ELIGIBILITY_SERVICE_URL is not set. */
  members: AiClient | undefined;
  /** Live counts; absent where Web PubSub is not configured. */
  analytics: LiveFeed | undefined;
  /** Requests of event streams that wait for a notice. */
  streams: Streams;
  images: SharedImageDecoder;
  blobs: BlobStore;
  findCasePhotos: FindCasePhotos;
}

/** What a query needs that shares a round trip with others, or remembers what became of one. */
export type SharedQueries = Pick<AppContext, 'db' | 'memory'>;

/** Of these images, those in a case that the caller may see as staff. Handed in by `app.ts`: images know no cases. */
export type FindCasePhotos = (
  tx: Tx,
  actor: AccountActor,
  imageUuids: readonly string[],
) => Promise<ReadonlySet<string>>;

/** What a use case is given to work with: the app's parts on behalf of one request. */
export interface Context extends Omit<AppContext, 'images' | 'openApiDocument'> {
  /** On behalf of this caller, whose uploads wait for each other. */
  images: Pick<ImageDecoder, 'check' | 'thumbnail'>;
  request: RequestFacts;
  audit: AuditContext;
}
