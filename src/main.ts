// The entry point of the function app: the only place that reads the environment and registers functions.
import { meters } from './lib/telemetry/installed.ts';
import { hostname } from 'node:os';
import { app } from '@azure/functions';
import { trace } from '@opentelemetry/api';
import { endpoints } from './endpoints.ts';
import { admitAnonymousAiCaller } from './domain/intake/ai-calls/admit-ai-caller.ts';
import { authenticateBearer } from './domain/identity/sessions/authenticate-bearer.ts';
import { openAudit } from './domain/platform/events/record-event.ts';
import { recordRefusal } from './domain/platform/events/record-refusal.ts';
import { findCasePhotos } from './domain/cases/photos/find-case-photos.ts';
import { createAnalysisWork } from './domain/cases/admission/resume-analysis.ts';
import { createPushWork } from './domain/delivery/news/push-work.ts';
import { createAnalyticsFeed } from './domain/delivery/analytics/analytics-feed.ts';
import { findNotices } from './domain/announce/live/notice.queries.ts';
import { createMailWork } from './domain/delivery/mails/deliver-mail.ts';
import { createAiClient } from './lib/ai/ai-client.ts';
import { createAccessTokens } from './lib/auth/access-token.ts';
import { createPasswords } from './lib/auth/passwords.ts';
import { createThrottleKey } from './lib/auth/throttle-key.ts';
import { createBlobStore } from './lib/blob/blob-store.ts';
import { systemClock } from './contract/clock.ts';
import { type Config, ConfigError, contradictions, readConfig } from './lib/configuration/config.ts';
import type { AppContext } from './lib/app/context.ts';
import { connectDatabase } from './lib/db/connect.ts';
import { azureCredential } from './lib/db/entra-token.ts';
import { createFieldCrypto } from './lib/crypto/field-crypto.ts';
import type { AnyEndpoint } from './lib/http/endpoint.ts';
import { behindFrontDoor } from './lib/http/front-door.ts';
import { exceptForeign, serveNotFound } from './lib/http/not-found.ts';
import { type ServeHooks, serve } from './lib/http/serve.ts';
import { serveMetrics } from './lib/http/serve-metrics.ts';
import { createImageDecoder } from './lib/image/decode.ts';
import { createLog, describeError, type LogLevel } from './lib/telemetry/log.ts';
import { createStreams } from './lib/live/streams.ts';
import { createHub } from './lib/live/web-pubsub.ts';
import { createMailer } from './lib/mail/mailer.ts';
import { exportToAzure } from './lib/telemetry/azure-export.ts';
import { watchResources } from './lib/telemetry/resource-metrics.ts';
import { collectSpans } from './lib/telemetry/span-collector.ts';
import { createOutbox } from './lib/outbox/outbox.ts';
import { readServiceAccount } from './lib/push/push-keys.ts';
import { createPushSender } from './lib/push/push-sender.ts';
import { serveTimer } from './lib/app/timer.ts';
import { timers } from './timers.ts';

const toConsole = (level: LogLevel, line: string) => console[level](line);
const config = loadConfig();
const log = createLog(toConsole, config.LOG_LEVEL);
for (const facts of contradictions(config)) log.warn('configuration_contradicts_itself', { ...facts });
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
const push = createPushSender({ fcm: fcmOptions(config), web: webPushOptions(config), clock: systemClock });
const throttleKey = createThrottleKey(config.PASSWORD_PEPPER);
const repetition = { key: throttleKey, seconds: config.REFUSAL_WINDOW_MINUTES * 60 };
const mailDelivery = {
  db,
  log,
  clock: systemClock,
  fieldCrypto,
  mailer,
  push,
  portalUrl,
  backofficeUrl: config.BACKOFFICE_URL ?? portalUrl,
  production,
  repetition,
};

const { AI_SERVICE_URL: url, AI_SERVICE_KEY: key, AI_TIMEOUT_MS: usualTimeMs } = config;
const ai = createAiClient({ url, key, log, usualTimeMs });
const members =
  config.ELIGIBILITY_SERVICE_URL === undefined
    ? undefined
    : createAiClient({ url: config.ELIGIBILITY_SERVICE_URL, key: config.ELIGIBILITY_SERVICE_KEY, log });
const blobs = createBlobStore({
  connectionString: config.STORAGE_CONNECTION_STRING,
  accountUrl: config.STORAGE_ACCOUNT_URL,
  container: config.STORAGE_CONTAINER,
});
const analysis = { db, ai, members, blobs, config, clock: systemClock, log };

const { WEBPUBSUB_CONNECTION_STRING: connectionString, WEBPUBSUB_ENDPOINT: endpoint } = config;
const analytics =
  connectionString === undefined && endpoint === undefined
    ? undefined
    : createAnalyticsFeed({
        db,
        hub: createHub({ connectionString, endpoint, name: 'analytics' }),
        clock: systemClock,
        log,
      });

const context: AppContext = {
  config,
  clock: systemClock,
  log,
  db,
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
    clock: systemClock,
    consumers: {
      mail: createMailWork(mailDelivery),
      push: createPushWork(mailDelivery),
      analysis: createAnalysisWork(analysis),
    },
  }),
  ai,
  members,
  analytics,
  streams: createStreams({
    read: (asked, now) => findNotices(db, asked, now),
    clock: systemClock,
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

watchResources({ pool, passwords: context.passwords, streams: context.streams });
const telemetry = sendTelemetry(config.APPLICATIONINSIGHTS_CONNECTION_STRING);

function sendTelemetry(connectionString: string | undefined) {
  // Without an exporter no spans are recorded; the AI service then gets the host's span as parent.
  if (connectionString === undefined) return undefined;
  const spans = collectSpans();
  trace.setGlobalTracerProvider(spans);
  const openCredential = config.AZURE_CLIENT_ID === undefined ? undefined : azureCredential;
  const role = process.env['WEBSITE_SITE_NAME'] ?? 'dermagate';
  const instance = process.env['WEBSITE_INSTANCE_ID'] ?? hostname();
  return exportToAzure({ meters, spans, connectionString, role, instance, log, openCredential });
}

const hooks: ServeHooks = {
  authenticate: (token, request, quota) => authenticateBearer(context, token, request, quota),
  admitAnonymous: (request) => admitAnonymousAiCaller(context, request),
  openAudit: (declared, actor, request) =>
    openAudit(declared, actor, request, ({ category, tenantId }) => {
      if (category === 'case' && tenantId !== undefined) analytics?.stir(tenantId);
    }),
  recordRefusal: (refusal) => recordRefusal(db, repetition, refusal),
};

const notFound = serveNotFound(endpoints, context);

function register(endpoint: AnyEndpoint): void {
  const handler = serve(endpoint, context, hooks);
  app.http(endpoint.name, {
    // The host adds neither HEAD for GET nor OPTIONS.
    methods: endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method],
    route: endpoint.route,
    authLevel: 'anonymous',
    handler: behindFrontDoor(exceptForeign(endpoint, endpoints, { handler, notFound }), context),
  });
}

endpoints.forEach(register);
app.http('zz-not-found', {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  route: '{*path}',
  authLevel: 'anonymous',
  handler: behindFrontDoor(notFound, context),
});
if (!production) {
  app.http('getMetrics', {
    methods: ['GET'],
    route: 'metrics',
    authLevel: 'anonymous',
    handler: serveMetrics(meters),
  });
}
for (const timer of timers) {
  app.timer(timer.name, { schedule: timer.schedule, handler: serveTimer(timer, context) });
}

// The host ends the process after five seconds.
app.hook.appTerminate(async () => {
  context.streams.close();
  await Promise.allSettled([
    context.analytics?.close(),
    context.passwords.close(),
    context.images.close(),
    context.ai.close(),
    context.members?.close(),
    closeOutbox(),
    telemetry?.close(),
  ]);
});

/** Closes mail server and database last: running deliveries still need them. */
async function closeOutbox(): Promise<void> {
  await context.outbox.close();
  mailer?.close();
  await push.close();
  await pool.end();
}

function fcmOptions({ FCM_SERVICE_ACCOUNT: file, FCM_URL: url }: Config) {
  const account = file === undefined ? undefined : readServiceAccount(file);
  return account && { account, url };
}

function webPushOptions({ VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject, WEB_PUSH_HOSTS }: Config) {
  if (privateKey === undefined || subject === undefined) return undefined;
  return { privateKey, subject, hosts: WEB_PUSH_HOSTS };
}

/**
 * Reads the configuration. An unusable one is logged in one line, which an alert matches, and thrown: the host then serves
 * no function. process.exit would lose the line: the host waits 30 s for the ended process and then recycles the
 * instance before it forwards the log (azure-functions-host, StandbyManager.cs).
 */
function loadConfig(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    const log = createLog(toConsole);
    if (error instanceof ConfigError) log.error('configuration_unusable', { error: error.message });
    throw error;
  }
}
