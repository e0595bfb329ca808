// npm run check-settings: checks the settings of infra/deploy.sh that reach the app (DERMAGATE_…), and secrets that the environment
// gives for the Key Vault, as the app does when it starts, so that the script stops before a live app restarts with what it
// refuses.
import { randomBytes } from 'node:crypto';
import { ConfigError, readConfig } from '../lib/configuration/config.ts';
import { Environment } from '../lib/configuration/environment.ts';
import { explainError } from './explain-error.ts';
import { readArguments } from './read-arguments.ts';

/**
 * Keys that infra/main.bicep sets, from parameters, from other resources or from the Key Vault, and keys that Azure sets. It
 * sets no connection string: these hold access keys, and the app has an identity instead.
 */
const fixed: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'PG_POOL_MAX',
  'PG_USER_CONNECTIONS',
  'MAX_INSTANCES',
  'AI_SERVICE_URL',
  'AI_SERVICE_KEY',
  'ELIGIBILITY_SERVICE_URL',
  'ELIGIBILITY_SERVICE_KEY',
  'STORAGE_ACCOUNT_URL',
  'STORAGE_CONNECTION_STRING',
  'STORAGE_CONTAINER',
  'CORS_ORIGINS',
  'SELF_REGISTRATION_ROLES',
  'ALLOW_PHYSICIAN_SELF_REGISTRATION',
  'PORTAL_URL',
  'BACKOFFICE_URL',
  'VAPID_SUBJECT',
  'VAPID_PRIVATE_KEY',
  'FCM_SERVICE_ACCOUNT',
  'WEBPUBSUB_ENDPOINT',
  'WEBPUBSUB_CONNECTION_STRING',
  'MAIL_URL',
  'MAIL_FROM',
  'EMERGENCY_NUMBER',
  'CRISIS_LINE',
  'SSE_MAX_CONNECTIONS',
  'TRUSTED_PROXY_HOPS',
  'FRONT_DOOR_ID',
  'LOG_LEVEL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'PASSWORD_PEPPER',
  'FIELD_ENCRYPTION_KEY',
  'FIELD_ENCRYPTION_KEY_PREVIOUS',
  'AZURE_CLIENT_ID',
  'APPLICATIONINSIGHTS_CONNECTION_STRING',
  'AZURE_FUNCTIONS_ENVIRONMENT',
]);

/** The keys that DERMAGATE_SETTINGS may set. */
export const settableKeys: readonly string[] = Object.keys(Environment.shape).filter(
  (key) => !fixed.has(key),
);

/** Secrets that infra/deploy.sh takes from the environment. */
const givenSecrets = [
  'AI_SERVICE_KEY',
  'ELIGIBILITY_SERVICE_KEY',
  'MAIL_URL',
  'FCM_SERVICE_ACCOUNT',
  'VAPID_PRIVATE_KEY',
  'PASSWORD_PEPPER',
  'FIELD_ENCRYPTION_KEY',
] as const;

/** Settings of infra/deploy.sh that the template passes to the app as they are, by its keys. */
export const passedOn: Readonly<Record<string, string>> = {
  AI_SERVICE_URL: 'DERMAGATE_AI_SERVICE_URL',
  ELIGIBILITY_SERVICE_URL: 'DERMAGATE_ELIGIBILITY_SERVICE_URL',
  PORTAL_URL: 'DERMAGATE_PORTAL_URL',
  BACKOFFICE_URL: 'DERMAGATE_BACKOFFICE_URL',
  CORS_ORIGINS: 'DERMAGATE_CORS_ORIGINS',
  MAIL_FROM: 'DERMAGATE_MAIL_FROM',
  VAPID_SUBJECT: 'DERMAGATE_VAPID_SUBJECT',
  EMERGENCY_NUMBER: 'DERMAGATE_EMERGENCY_NUMBER',
  CRISIS_LINE: 'DERMAGATE_CRISIS_LINE',
  FRONT_DOOR_ID: 'DERMAGATE_FRONT_DOOR_ID',
};

type Given = Readonly<Record<string, string | undefined>>;

/** @throws an error that names every wrong key, as the app does at its start. */
export function requireUsable(settings: Given): void {
  readConfig(settings);
}

/** @returns one line for each problem, without the secret. */
export function checkSecrets(given: Given): string[] {
  const secrets = givenSecrets.flatMap((key) => (given[key] ? [[key, given[key]] as const] : []));
  return problemsOf({
    ...anInstallation(true),
    ELIGIBILITY_SERVICE_URL: 'https://members.example.org',
    VAPID_SUBJECT: 'mailto:push@example.org',
    ...Object.fromEntries(secrets),
  });
}

/** @returns one line for each problem, under the names that infra/deploy.sh has for the settings. */
export function checkPassedOn(given: Given): string[] {
  const set = Object.entries(passedOn).flatMap(([key, name]) =>
    given[name] ? [[key, given[name]] as const] : [],
  );
  const environment = {
    ...anInstallation(true),
    ...Object.fromEntries(set),
    // As the template counts proxies.
    TRUSTED_PROXY_HOPS: given['DERMAGATE_FRONT_DOOR_ID'] ? '2' : '1',
  };
  return problemsOf(environment).map((problem) => problem.replace(/^\w+/, (key) => passedOn[key] ?? key));
}

/** @returns one line for each problem. */
export function checkSettings(json: string, sendsMail: boolean): string[] {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    return ['DERMAGATE_SETTINGS is not JSON.'];
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return ['DERMAGATE_SETTINGS must be an object: {"REQUIRE_VERIFIED_EMAIL": "true"}'];
  }
  const entries = Object.entries(given);
  const refused = entries.flatMap(([key, value]) => {
    if (fixed.has(key)) return [`${key} cannot be set here: the deployment sets it.`];
    if (!settableKeys.includes(key)) return [`${key} is no setting of the app.`];
    return typeof value === 'string' ? [] : [`${key} must be a text: "${key}": "…"`];
  });
  if (refused.length > 0) return refused;
  return problemsOf({
    ...anInstallation(sendsMail),
    ...(Object.fromEntries(entries) as Record<string, string>),
  });
}

function problemsOf(environment: Given): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ key, message }) => `${key} ${message}`);
  }
}

/** What every deployment sets, so that the rules between keys apply; the values themselves do not matter. */
function anInstallation(sendsMail: boolean): Record<string, string> {
  const secret = () => randomBytes(32).toString('base64');
  return {
    DATABASE_URL: 'postgresql://app@database.example.org:5432/dermagate?sslmode=verify-full',
    AI_SERVICE_URL: 'https://ai.example.org',
    STORAGE_ACCOUNT_URL: 'https://images.blob.core.windows.net',
    PORTAL_URL: 'https://portal.example.org',
    SECRET_KEY: secret(),
    PASSWORD_PEPPER: secret(),
    FIELD_ENCRYPTION_KEY: secret(),
    ...(sendsMail && { MAIL_URL: 'smtps://mail.example.org', MAIL_FROM: 'no-reply@example.org' }),
  };
}

if (import.meta.main) {
  try {
    readArguments('usage: npm run check-settings     (DERMAGATE_… and secrets in the environment)', {});
    const { DERMAGATE_SETTINGS: json = '{}', DERMAGATE_MAIL_FROM: sender = '' } = process.env;
    const problems = [
      ...checkPassedOn(process.env),
      ...checkSettings(json, sender !== ''),
      ...checkSecrets(process.env),
    ];
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(explainError(error));
    process.exitCode = 1;
  }
}
