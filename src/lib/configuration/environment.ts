import { z } from 'zod';
import { Role } from '../../contract/role.ts';
import { limitKeys } from './limits.ts';
import {
  bearerToken,
  fieldKey,
  flag,
  guid,
  httpUrl,
  integer,
  isMailUrl,
  list,
  origin,
  phoneNumber,
  secret,
  serviceUrl,
  storageConnection,
  text,
} from './values.ts';
import { serviceAccountFile, vapidKey } from '../push/push-keys.ts';

/**
 * The environment variables that configure the app. The documentation's table of settings and the keys of
 * `local.settings.example.json` follow this schema; tests prove it.
 */
export const Environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }).meta({
    description:
      'PostgreSQL, as `postgresql://user:password@host:port/database`; without a password the app authenticates with a ' +
      'token of its managed identity, over TLS only',
  }),
  AI_SERVICE_URL: serviceUrl.meta({ description: 'Base address of the AI service' }),
  STORAGE_CONNECTION_STRING: storageConnection
    .optional()
    .meta({ description: 'Blob storage by connection string (laptops, tests)' }),
  STORAGE_ACCOUNT_URL: httpUrl
    .optional()
    .meta({ description: 'Blob storage by managed identity, as `https://<account>.blob.core.windows.net`' }),
  STORAGE_CONTAINER: z
    .string()
    .regex(/^[a-z0-9](-?[a-z0-9]){2,62}$/, 'must be a blob container name')
    .default('images')
    .meta({ description: 'Container of the images' }),
  SECRET_KEY: secret.meta({
    description: 'Signs access tokens (HS256); the UTF-8 bytes of the text, at least 32',
  }),
  SECRET_KEY_PREVIOUS: secret
    .optional()
    .meta({ description: 'The previous key: still verifies tokens, signs none' }),
  PASSWORD_PEPPER: secret.meta({
    description: 'HMAC key applied to passwords before bcrypt; never change it',
  }),
  FIELD_ENCRYPTION_KEY: fieldKey.meta({
    description:
      'Encrypts secrets that must be read back, such as reset links (AES-256-GCM); base64 of 32 bytes',
  }),
  FIELD_ENCRYPTION_KEY_PREVIOUS: fieldKey
    .optional()
    .meta({ description: 'The previous key: still decrypts, encrypts nothing' }),
  BCRYPT_COST: integer(4, 15).default(12).meta({ description: 'bcrypt cost; at least 10 in production' }),
  CORS_ORIGINS: list.pipe(z.array(origin)).default([]).meta({
    description:
      'Origins of browser apps that may call, separated by commas; no wildcard. In development any loopback origin may, too',
  }),
  SELF_REGISTRATION_ROLES: list.pipe(z.array(Role)).default(['patient']).meta({
    description: 'Roles that anyone may register with, separated by commas; there is no value for none',
  }),
  ALLOW_ADMIN_SELF_REGISTRATION: flag
    .default(false)
    .meta({ description: 'Lets production start with `admin` in SELF_REGISTRATION_ROLES' }),
  ALLOW_PHYSICIAN_SELF_REGISTRATION: flag
    .default(false)
    .meta({ description: 'Lets production start with `physician` in SELF_REGISTRATION_ROLES' }),
  REFRESH_RACE_SKEW_MS: integer(0, 10_000).default(250).meta({
    description:
      'Milliseconds after an exchange within which another use of the same refresh token is a race, not reuse',
  }),
  REFRESH_REPLAY_GRACE_SECONDS: integer(0, 300).default(0).meta({
    description: 'Seconds within which a used refresh token returns the same successor again; 0: never',
  }),
  AI_SERVICE_KEY: bearerToken.optional().meta({ description: 'Sent to the AI service as a bearer token' }),
  AI_TIMEOUT_MS: integer(100, 120_000)
    .default(10_000)
    .meta({ description: 'Deadline of a call to the AI service in milliseconds, retries included' }),
  ELIGIBILITY_SERVICE_URL: serviceUrl.optional().meta({
    description:
      'Base address of the service that knows who may submit cases, asked by `POST …/membership` where a tenant wants it; ' +
      'without it such a tenant accepts any patient with an external id',
  }),
  ELIGIBILITY_SERVICE_KEY: bearerToken
    .optional()
    .meta({ description: 'Sent to the eligibility service as a bearer token' }),
  PUBLIC_AI_ROUTES: flag
    .default(false)
    .meta({ description: 'Opens diagnosis and the AI routes to callers without a token' }),
  IMAGE_URL_HOSTS: list
    .pipe(z.array(z.hostname('each must be a host name').toLowerCase()))
    .default([])
    .meta({ description: 'Foreign https hosts that `images[].url` of an anamnesis may name; never fetched' }),
  MAIL_URL: z
    .string()
    .refine(isMailUrl, { error: 'must be an address such as smtps://user:password@host:465' })
    .optional()
    .meta({
      description: 'Mail server, as `smtps://` or `smtp://` (then with STARTTLS); without it no mail is sent',
    }),
  MAIL_FROM: z
    .email({ error: 'must be one bare address such as no-reply@example.org' })
    .optional()
    .meta({ description: 'Sender of all mails; required with MAIL_URL' }),
  FCM_SERVICE_ACCOUNT: serviceAccountFile.optional().meta({
    description:
      'Key file of a Google service account that may send by Firebase Cloud Messaging, as JSON; without it phones get no push messages',
  }),
  FCM_URL: httpUrl
    .default('https://fcm.googleapis.com')
    .meta({ description: 'Base address of Firebase Cloud Messaging' }),
  VAPID_PRIVATE_KEY: vapidKey.optional().meta({
    description:
      'Private key of Web Push, base64url of 32 bytes; without it browsers get no push messages. A new one ends all subscriptions',
  }),
  VAPID_SUBJECT: z
    .string()
    .refine((value) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value), {
      error: 'must be a mailto: or https: address',
    })
    .optional()
    .meta({
      description: 'Whom push services may contact about our messages; required with VAPID_PRIVATE_KEY',
    }),
  WEB_PUSH_HOSTS: list
    .pipe(z.array(z.string().regex(/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'each must be a host name')))
    .default([
      'fcm.googleapis.com',
      '*.push.services.mozilla.com',
      '*.notify.windows.com',
      '*.push.apple.com',
    ])
    .meta({ description: 'Hosts of push services that browsers may name; `*.` stands for any label before' }),
  PORTAL_URL: httpUrl
    .refine((value) => !/[?#@]/.test(value), { error: 'must have no query, fragment or credentials' })
    .default('http://localhost:5173')
    .meta({ description: 'Base address of links in mails; https in production' }),
  BACKOFFICE_URL: httpUrl
    .refine((value) => !/[?#@]/.test(value), { error: 'must have no query, fragment or credentials' })
    .optional()
    .meta({ description: 'Base address of links in mails to staff; PORTAL_URL where it is not set' }),
  EMERGENCY_NUMBER: phoneNumber
    .default('112')
    .meta({ description: 'Telephone number of the emergency services, shown to patients' }),
  CRISIS_LINE: phoneNumber.optional().meta({
    description: 'Telephone number of a crisis line, shown at risk of self-harm; without it none is shown',
  }),
  REQUIRE_VERIFIED_EMAIL: flag.default(false).meta({
    description:
      'Accepts health data (diagnoses, predictions, photos, cases, profiles) only from accounts with a verified email address; needs MAIL_URL in production. Not applied to callers without a token, whom PUBLIC_AI_ROUTES admits',
  }),
  ...limitKeys,
  REFUSAL_WINDOW_MINUTES: integer(1, 1440).default(15).meta({
    description:
      'Minutes within which repeated refusals of one kind from one network become one event with a count',
  }),
  TRUSTED_PROXY_HOPS: integer(0, 8).default(1).meta({
    description: 'Number of entries at the right end of X-Forwarded-For that trusted proxies wrote',
  }),
  FRONT_DOOR_ID: guid.optional().meta({
    description:
      'Id of the Azure Front Door in front of the app: only requests that it forwards are served; required in ' +
      'production when TRUSTED_PROXY_HOPS is greater than 1',
  }),
  WEBPUBSUB_CONNECTION_STRING: text
    .regex(/(^|;)\s*Endpoint=[^;]/i, 'must name an Endpoint')
    .optional()
    .meta({
      description:
        'Azure Web PubSub by access key (laptops, tests); without it and WEBPUBSUB_ENDPOINT no live counts',
    }),
  WEBPUBSUB_ENDPOINT: httpUrl.optional().meta({
    description: 'Azure Web PubSub by managed identity, as `https://<name>.webpubsub.azure.com`',
  }),
  SSE_MAX_CONNECTIONS: integer(0, 250)
    .default(4)
    .meta({
      description:
        'Requests of event streams that an instance holds at a time; further ones are answered at once and ask again after five ' +
        'seconds. At most two fifths of its HTTP concurrency, which uploads share',
    }),
  SSE_HOLD_MS: integer(100, 60_000)
    .default(25_000)
    .meta({ description: 'Milliseconds for which a request of an event stream is held' }),
  SSE_POLL_MS: integer(50, 60_000).default(2000).meta({
    description: 'Milliseconds between two reads of an instance for all its event streams together',
  }),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .meta({ description: 'Lowest severity that is logged' }),
  PG_POOL_MAX: integer(1, 50)
    .default(10)
    .meta({ description: 'Maximum number of PostgreSQL connections per instance' }),
  PG_USER_CONNECTIONS: integer(1, 100_000)
    .optional()
    .meta({
      description:
        'Connections that the PostgreSQL server grants to users; the app refuses to start when MAX_INSTANCES × ' +
        'PG_POOL_MAX is more than 80 % of it',
    }),
  MAX_INSTANCES: integer(1, 2000).optional().meta({
    description:
      'Maximum number of instances, that of the timers included; required with PG_USER_CONNECTIONS',
  }),
  TIMERS_OFF: list.default([]).meta({
    description: 'Timers that do not run, by name, comma-separated; `npm run timer -- --list` has the names',
  }),
  AZURE_CLIENT_ID: text
    .optional()
    .meta({ description: 'User-assigned managed identity of the app, for storage and database' }),
  APPLICATIONINSIGHTS_CONNECTION_STRING: text
    .regex(/(^|;)InstrumentationKey=[^;]/i, 'must name an InstrumentationKey')
    .optional()
    .meta({ description: 'Application Insights resource for the app’s metrics; set by Azure' }),
  AZURE_FUNCTIONS_ENVIRONMENT: z.string().default('Production').meta({
    description:
      'Any value but `Development` means production; set by Azure, Core Tools and dev/packages/functions-host',
  }),
});
