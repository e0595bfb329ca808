import type { z } from 'zod';
import type { Environment } from './environment.ts';
import { serverTls, waivesTls } from '../db/server-tls.ts';
import { isLoopback } from '../network/loopback.ts';
import { connectsByPlainHttp, isPlainHttp } from '../network/plain-http.ts';
import { readServiceAccount } from '../push/push-keys.ts';

/** Rules that concern several keys, and the rules of production. */

export interface KeyProblem {
  key: string;
  message: string;
}

/** The valid values; a missing or wrong key is undefined. */
export type Readable = Partial<z.output<typeof Environment>>;

/** Share of the server's connections for all instances together; infra/main.bicep sizes the pools by the same share. */
const SHARE_OF_CONNECTIONS = 0.8;

const refusal = (key: keyof Readable, message: string): KeyProblem => ({ key, message });

/** The rules that apply in every environment. */
export function* rulesBetweenKeys(env: Readable): Generator<KeyProblem> {
  if (env.STORAGE_CONNECTION_STRING === undefined && env.STORAGE_ACCOUNT_URL === undefined) {
    yield refusal('STORAGE_CONNECTION_STRING', 'is required unless STORAGE_ACCOUNT_URL is set');
  }
  if (env.WEBPUBSUB_CONNECTION_STRING !== undefined && env.WEBPUBSUB_ENDPOINT !== undefined) {
    yield refusal('WEBPUBSUB_ENDPOINT', 'must not be set with WEBPUBSUB_CONNECTION_STRING');
  }
  if (env.MAIL_URL !== undefined && env.MAIL_FROM === undefined) {
    yield refusal('MAIL_FROM', 'is required with MAIL_URL');
  }
  if (env.ELIGIBILITY_SERVICE_KEY !== undefined && env.ELIGIBILITY_SERVICE_URL === undefined) {
    yield refusal('ELIGIBILITY_SERVICE_URL', 'is required with ELIGIBILITY_SERVICE_KEY');
  }
  if (env.VAPID_PRIVATE_KEY !== undefined && env.VAPID_SUBJECT === undefined) {
    yield refusal('VAPID_SUBJECT', 'is required with VAPID_PRIVATE_KEY');
  }
  // `options` in the URL would replace ours, and with them the role that row-level security depends on.
  if (env.DATABASE_URL !== undefined && new URL(env.DATABASE_URL).searchParams.has('options')) {
    yield refusal('DATABASE_URL', 'must not set options: the app sets its database role there');
  }
  yield* connectionRules(env);
}

function* connectionRules(env: Readable): Generator<KeyProblem> {
  const { PG_USER_CONNECTIONS: granted, MAX_INSTANCES: instances, PG_POOL_MAX: pool } = env;
  if (granted !== undefined && instances === undefined) {
    yield refusal('MAX_INSTANCES', 'is required with PG_USER_CONNECTIONS');
  } else if (granted !== undefined && pool !== undefined && instances !== undefined) {
    // The rest is for deployments, when instances of two versions run, and for operators.
    const ours = Math.floor(granted * SHARE_OF_CONNECTIONS);
    if (instances * pool > ours) {
      yield refusal(
        'PG_POOL_MAX',
        `must be at most ${Math.floor(ours / instances)}: MAX_INSTANCES × PG_POOL_MAX connections must fit into ` +
          `${ours}, which is ${SHARE_OF_CONNECTIONS * 100} % of PG_USER_CONNECTIONS`,
      );
    }
  }
}

/** Valid settings of which one undoes what another promises: logged at the start, not refused. */
export function* contradictions(env: Readable): Generator<KeyProblem> {
  if (env.REQUIRE_VERIFIED_EMAIL === true && env.PUBLIC_AI_ROUTES === true) {
    yield refusal(
      'REQUIRE_VERIFIED_EMAIL',
      'does not apply to callers without a token, whom PUBLIC_AI_ROUTES admits to diagnosis and the AI routes',
    );
  }
}

/** The rules that apply only in production. */
export function* productionRules(env: Readable): Generator<KeyProblem> {
  if (env.REQUIRE_VERIFIED_EMAIL === true && env.MAIL_URL === undefined) {
    yield refusal('REQUIRE_VERIFIED_EMAIL', 'needs MAIL_URL in production: no address could be verified');
  }
  yield* addressRules(env);
  yield* databaseRules(env.DATABASE_URL);
  yield* proxyRules(env);
  yield* registrationRules(env);
  yield* secretRules(env);
}

const LOCAL_HTTP = 'in production; http only for this machine: localhost, 127.0.0.1 or [::1]';

function* addressRules(env: Readable): Generator<KeyProblem> {
  // A recipient opens a mailed link on another machine than this one, so even loopback http is refused.
  for (const key of ['PORTAL_URL', 'BACKOFFICE_URL'] as const) {
    const url = env[key];
    if (env.MAIL_URL !== undefined && url !== undefined && !/^https:/i.test(url)) {
      yield refusal(key, 'must be an https address in production');
    }
  }
  for (const key of [
    'AI_SERVICE_URL',
    'ELIGIBILITY_SERVICE_URL',
    'STORAGE_ACCOUNT_URL',
    'WEBPUBSUB_ENDPOINT',
    'FCM_URL',
    'PORTAL_URL',
    'BACKOFFICE_URL',
  ] as const) {
    if (isPlainHttp(env[key] ?? '')) yield refusal(key, `must be an https address ${LOCAL_HTTP}`);
  }
  if (isPlainHttp(readServiceAccount(env.FCM_SERVICE_ACCOUNT ?? '')?.token_uri ?? '')) {
    yield refusal('FCM_SERVICE_ACCOUNT', `must name an https address ${LOCAL_HTTP}`);
  }
  // A caller names the address of a push service: in production none of this machine.
  if (env.WEB_PUSH_HOSTS?.some(isLoopback) === true) {
    yield refusal('WEB_PUSH_HOSTS', 'must not name this machine in production');
  }
  for (const key of [
    'STORAGE_CONNECTION_STRING',
    'WEBPUBSUB_CONNECTION_STRING',
    'APPLICATIONINSIGHTS_CONNECTION_STRING',
  ] as const) {
    if (connectsByPlainHttp(env[key] ?? '')) yield refusal(key, `must name https addresses ${LOCAL_HTTP}`);
  }
  if (env.CORS_ORIGINS?.some(isPlainHttp) === true) {
    yield refusal('CORS_ORIGINS', `each must be an https origin ${LOCAL_HTTP}`);
  }
}

function* databaseRules(url: string | undefined): Generator<KeyProblem> {
  if (url === undefined) return;
  // Refused even where it has no effect today: the parameter would stay when the host changes.
  if (waivesTls(url)) {
    yield refusal('DATABASE_URL', 'must not waive TLS in production: sslmode=verify-full');
    return;
  }
  try {
    const tls = serverTls(url);
    if (tls === 'off') yield refusal('DATABASE_URL', 'must ask for TLS in production: sslmode=verify-full');
    if (tls === 'unverified') {
      yield refusal(
        'DATABASE_URL',
        'must verify the server’s certificate in production: sslmode=verify-full',
      );
    }
  } catch {
    yield refusal('DATABASE_URL', 'is not usable: the driver refuses its TLS parameters');
  }
}

function* proxyRules({ TRUSTED_PROXY_HOPS: hops, FRONT_DOOR_ID: id }: Readable): Generator<KeyProblem> {
  if (hops === undefined) return;
  if (hops > 1 && id === undefined) {
    yield refusal(
      'TRUSTED_PROXY_HOPS',
      'must be at most 1 in production without FRONT_DOOR_ID: a caller that bypasses the proxy could claim any address',
    );
  }
  if (hops < 2 && id !== undefined) {
    yield refusal(
      'TRUSTED_PROXY_HOPS',
      'must be at least 2 in production with FRONT_DOOR_ID: otherwise all its clients share one address',
    );
  }
}

function* registrationRules(env: Readable): Generator<KeyProblem> {
  const closed = [
    ['physician', env.ALLOW_PHYSICIAN_SELF_REGISTRATION, 'ALLOW_PHYSICIAN_SELF_REGISTRATION'],
    ['admin', env.ALLOW_ADMIN_SELF_REGISTRATION, 'ALLOW_ADMIN_SELF_REGISTRATION'],
  ] as const;
  const opened = closed.filter(
    ([role, allowed]) => env.SELF_REGISTRATION_ROLES?.includes(role) === true && allowed !== true,
  );
  if (opened.length === 0) return;
  const roles = opened.map(([role]) => `\`${role}\``).join(' or ');
  const keys = opened.map(([, , key]) => `${key}=true`).join(' and ');
  yield refusal('SELF_REGISTRATION_ROLES', `must not open ${roles} in production (or set ${keys} knowingly)`);
}

/** Secrets that must differ. Of two equal ones the error names the later one in this list. */
const secrets = [
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'PASSWORD_PEPPER',
  'FIELD_ENCRYPTION_KEY',
  'FIELD_ENCRYPTION_KEY_PREVIOUS',
  'AI_SERVICE_KEY',
  'ELIGIBILITY_SERVICE_KEY',
] as const;

function* secretRules(env: Readable): Generator<KeyProblem> {
  if (env.BCRYPT_COST !== undefined && env.BCRYPT_COST < 10) {
    yield refusal('BCRYPT_COST', 'must be at least 10 in production');
  }
  for (const key of ['SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'PASSWORD_PEPPER'] as const) {
    const value = env[key];
    if (value !== undefined && isSampleSecret(value)) yield refusal(key, 'is a sample or trivial value');
  }
  for (const key of ['FIELD_ENCRYPTION_KEY', 'FIELD_ENCRYPTION_KEY_PREVIOUS'] as const) {
    const bytes = Buffer.from(env[key] ?? '', 'base64').toString('latin1');
    if (bytes !== '' && isSampleSecret(bytes)) yield refusal(key, 'is a sample or trivial value');
  }
  for (const [i, key] of secrets.entries()) {
    const same = secrets.slice(0, i).find((other) => env[key] !== undefined && env[key] === env[other]);
    if (same !== undefined) yield refusal(key, `must differ from ${same}`);
  }
}

/** Whether a secret is a sample from documentation or has fewer than 8 distinct characters. */
function isSampleSecret(value: string): boolean {
  return (
    new Set(value).size < 8 || /change[-_ ]?me|example|sample|secret[-_ ]?key|dummy|placeholder/i.test(value)
  );
}
