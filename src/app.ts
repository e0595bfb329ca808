import type { HttpFunctionOptions, TimerFunctionOptions } from '@azure/functions';
import { trace } from '@opentelemetry/api';
import { systemClock } from './contract/clock.ts';
import { findCasePhotos } from './domain/cases/photos/find-case-photos.ts';
import { createAnalysisWork } from './domain/cases/admission/resume-analysis.ts';
import { createAnalyticsFeed } from './domain/delivery/analytics/analytics-feed.ts';
import { createMailWork } from './domain/delivery/mails/deliver-mail.ts';
import { createPushWork } from './domain/delivery/news/push-work.ts';
import { findNotices } from './domain/announce/live/notice.queries.ts';
import { authenticateBearer } from './domain/identity/sessions/authenticate-bearer.ts';
import { admitAnonymousAiCaller } from './domain/intake/ai-calls/admit-ai-caller.ts';
import { openAudit } from './domain/platform/events/record-event.ts';
import { recordRefusal } from './domain/platform/events/record-refusal.ts';
import { endpoints } from './endpoints.ts';
import { createAiClient } from './lib/ai/ai-client.ts';
import type { AppContext } from './lib/app/context.ts';
import { createMemory } from './lib/app/memory.ts';
import { createAccessTokens } from './lib/auth/access-token.ts';
import { createPasswords } from './lib/auth/passwords.ts';
import { createThrottleKey } from './lib/auth/throttle-key.ts';
import { createBlobStore } from './lib/blob/blob-store.ts';
import { type Config, ConfigError, contradictions } from './lib/configuration/config.ts';
import { createFieldCrypto } from './lib/crypto/field-crypto.ts';
import { connectDatabase } from './lib/db/connect.ts';
import { azureCredential } from './lib/db/entra-token.ts';
import type { AnyEndpoint } from './lib/http/endpoint.ts';
import { behindFrontDoor } from './lib/http/front-door.ts';
import { exceptForeign, serveNotFound } from './lib/http/not-found.ts';
import { type ServeHooks, serve } from './lib/http/serve.ts';
import { serveMetrics } from './lib/http/serve-metrics.ts';
import { createImageDecoder } from './lib/image/decode.ts';
import { createStreams } from './lib/live/streams.ts';
import { createHub } from './lib/live/web-pubsub.ts';
import { createMailer } from './lib/mail/mailer.ts';
import { createOutbox } from './lib/outbox/outbox.ts';
import { readServiceAccount } from './lib/push/push-keys.ts';
import { createPushSender } from './lib/push/push-sender.ts';
import { createAiMetrics } from './lib/ai/ai-metrics.ts';
import { exportToAzure } from './lib/telemetry/azure-export.ts';
import { createLog, describeError, type LogLevel } from './lib/telemetry/log.ts';
import { type CollectedMeters, createMeters } from './lib/telemetry/meters.ts';
import { createRequestMetrics } from './lib/telemetry/request-metrics.ts';
import { createOutboxMetrics, watchResources } from './lib/telemetry/resource-metrics.ts';
import { collectSpans } from './lib/telemetry/span-collector.ts';
import { everyMinuteFunction, serveTimers } from './lib/timers/run-due.ts';
import { timers } from './timers.ts';

type HttpFunction = HttpFunctionOptions & { name: string };
type TimerFunction = TimerFunctionOptions & { name: string };

/** Where an app runs. */
export interface AppHost {
  /** Takes each line of the log that belongs to no request and no timer. */
  write(level: LogLevel, line: string): void;
  /** The name under which Application Insights shows the app. */
  role: string;
  /** Names this instance of it. */
  instance: string;
}

/** The function app as a value: what is registered with a host, and what ends it. It shares nothing with another app. */
export interface App {
  endpoints: readonly HttpFunction[];
  timers: readonly TimerFunction[];
  /** Ends what the app has begun. Within five seconds, after which the host ends the process. */
  close(): Promise<void>;
}

/**
 * Builds the app; it connects to nothing before its first request or timer.
 * @throws {ConfigError} where TIMERS_OFF names what is no timer: the one meant would run.
 */
export function createApp(config: Config, { write, role, instance }: AppHost): App {
  const strangers = config.TIMERS_OFF.filter((name) => !timers.some((timer) => timer.name === name));
  if (strangers.length > 0) {
    const message = `must name timers (npm run timer -- --list), not ${strangers.join(', ')}`;
    throw new ConfigError([{ key: 'TIMERS_OFF', message }]);
  }
  const log = createLog(write, config.LOG_LEVEL);
  for (const facts of contradictions(config)) log.warn('configuration_contradicts_itself', { ...facts });
  const meters = createMeters();
  const spans = config.APPLICATIONINSIGHTS_CONNECTION_STRING === undefined ? undefined : collectSpans();
  const clock = systemClock;
  const memory = createMemory();
  const { db, pool } = connectDatabase({
    url: config.DATABASE_URL,
    poolMax: config.PG_POOL_MAX,
    onIdleError: (error) => log.warn('idle_connection_lost', describeError(error)),
    onForgottenStatement: (error) => log.warn('prepared_statement_lost', describeError(error)),
  });
  const fieldCrypto = createFieldCrypto({
    current: config.FIELD_ENCRYPTION_KEY,
    previous: config.FIELD_ENCRYPTION_KEY_PREVIOUS,
  });
  const { MAIL_URL, MAIL_FROM, PORTAL_URL: portalUrl, production } = config;
  const mailer =
    MAIL_URL === undefined || MAIL_FROM === undefined
      ? undefined
      : createMailer({ url: MAIL_URL, from: MAIL_FROM });
  const push = createPushSender({ fcm: fcmOptions(config), web: webPushOptions(config), clock });
  const throttleKey = createThrottleKey(config.PASSWORD_PEPPER);
  const repetition = { key: throttleKey, seconds: config.REFUSAL_WINDOW_MINUTES * 60 };
  const backofficeUrl = config.BACKOFFICE_URL ?? portalUrl;
  const delivery = { db, log, clock, memory, fieldCrypto, mailer, push, portalUrl, backofficeUrl };

  const calls = {
    log,
    metrics: createAiMetrics(meters),
    // Without an exporter no spans are recorded; the AI service then gets the host's span as parent.
    tracer: (spans ?? trace).getTracer('dermagate.ai'),
  };
  const { AI_SERVICE_URL, AI_SERVICE_KEY, AI_TIMEOUT_MS: usualTimeMs } = config;
  const ai = createAiClient({ ...calls, url: AI_SERVICE_URL, key: AI_SERVICE_KEY, usualTimeMs });
  const { ELIGIBILITY_SERVICE_URL: membersUrl, ELIGIBILITY_SERVICE_KEY: membersKey } = config;
  const members =
    membersUrl === undefined ? undefined : createAiClient({ ...calls, url: membersUrl, key: membersKey });
  const blobs = createBlobStore({
    connectionString: config.STORAGE_CONNECTION_STRING,
    accountUrl: config.STORAGE_ACCOUNT_URL,
    container: config.STORAGE_CONTAINER,
  });
  const { WEBPUBSUB_CONNECTION_STRING: connectionString, WEBPUBSUB_ENDPOINT: endpoint } = config;
  const analytics =
    connectionString === undefined && endpoint === undefined
      ? undefined
      : createAnalyticsFeed({
          db,
          hub: createHub({ connectionString, endpoint, name: 'analytics' }),
          clock,
          log,
        });

  const context: AppContext = {
    config,
    clock,
    log,
    db,
    metrics: createRequestMetrics(meters),
    memory,
    passwords: createPasswords({
      pepper: config.PASSWORD_PEPPER,
      cost: config.BCRYPT_COST,
      perNetwork: config.LIMIT_HASHES_PER_NETWORK,
      maxWaitMs: config.LIMIT_HASH_WAIT_MS,
    }),
    throttleKey,
    accessTokens: createAccessTokens({ current: config.SECRET_KEY, previous: config.SECRET_KEY_PREVIOUS }),
    fieldCrypto,
    mailer,
    push,
    outbox: createOutbox({
      db,
      log,
      clock,
      metrics: createOutboxMetrics(meters),
      consumers: {
        mail: createMailWork({ ...delivery, production, repetition }),
        push: createPushWork(delivery),
        analysis: createAnalysisWork({ db, ai, members, blobs, config, clock, log, memory }),
      },
    }),
    ai,
    members,
    analytics,
    streams: createStreams({
      read: (asked, now) => findNotices(db, asked, now),
      clock,
      log,
      maxHeld: config.SSE_MAX_CONNECTIONS,
      holdMs: config.SSE_HOLD_MS,
      pollMs: config.SSE_POLL_MS,
    }),
    // Uploads queue instead of failing: on a bad line, sending the photo again is slow.
    images: createImageDecoder({ maxQueued: 128, maxWaitMs: 30_000 }),
    blobs,
    findCasePhotos,
  };
  watchResources(meters, { pool, passwords: context.passwords, streams: context.streams });
  const telemetry =
    spans &&
    exportToAzure({
      meters,
      spans,
      connectionString: config.APPLICATIONINSIGHTS_CONNECTION_STRING ?? '',
      role,
      instance,
      log,
      openCredential: config.AZURE_CLIENT_ID === undefined ? undefined : azureCredential,
    });

  return {
    endpoints: functionsOf(context, meters, {
      authenticate: (token, request, quota) => authenticateBearer(context, token, request, quota),
      admitAnonymous: (request) => admitAnonymousAiCaller(context, request),
      openAudit: (declared, actor, request) =>
        openAudit(declared, actor, request, ({ category, tenantId }) => {
          if (category === 'case' && tenantId !== undefined) analytics?.stir(tenantId);
        }),
      recordRefusal: (refusal) => recordRefusal(db, repetition, refusal),
    }),
    timers: [{ ...everyMinuteFunction, handler: serveTimers({ timers, context, write }) }],
    async close() {
      context.streams.close();
      await Promise.allSettled([
        analytics?.close(),
        context.passwords.close(),
        context.images.close(),
        ai.close(),
        members?.close(),
        closeOutbox(),
        telemetry?.close(),
      ]);
    },
  };

  /** Closes mail server and database last: running deliveries still need them. */
  async function closeOutbox(): Promise<void> {
    await context.outbox.close();
    mailer?.close();
    await push.close();
    await pool.end();
  }
}

/** The functions of all endpoints, and the one that answers what matches none. */
function functionsOf(context: AppContext, meters: CollectedMeters, hooks: ServeHooks): App['endpoints'] {
  const authLevel = 'anonymous';
  const notFound = serveNotFound(endpoints, context);
  const functionOf = (endpoint: AnyEndpoint): HttpFunction => {
    const handler = serve(endpoint, context, hooks);
    return {
      name: endpoint.name,
      // The host adds neither HEAD for GET nor OPTIONS.
      methods: endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method],
      route: endpoint.route,
      authLevel,
      handler: behindFrontDoor(exceptForeign(endpoint, endpoints, { handler, notFound }), context),
    };
  };
  const catchAll: HttpFunction = {
    name: 'zz-not-found',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    route: '{*path}',
    authLevel,
    handler: behindFrontDoor(notFound, context),
  };
  // In the cloud it would be public.
  const metrics: HttpFunction[] = context.config.production
    ? []
    : [{ name: 'getMetrics', methods: ['GET'], route: 'metrics', authLevel, handler: serveMetrics(meters) }];
  return [...endpoints.map(functionOf), catchAll, ...metrics];
}

function fcmOptions({ FCM_SERVICE_ACCOUNT: file, FCM_URL: url }: Config) {
  const account = file === undefined ? undefined : readServiceAccount(file);
  return account && { account, url };
}

function webPushOptions({ VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject, WEB_PUSH_HOSTS }: Config) {
  if (privateKey === undefined || subject === undefined) return undefined;
  return { privateKey, subject, hosts: WEB_PUSH_HOSTS };
}
