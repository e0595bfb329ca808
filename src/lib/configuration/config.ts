import type { z } from 'zod';
import { type KeyProblem, productionRules, type Readable, rulesBetweenKeys } from './rules.ts';
import { Environment } from './environment.ts';

export { contradictions } from './rules.ts';

/** Compared exactly: any other spelling means production. */
const DEVELOPMENT = 'Development';

export type Config = z.output<typeof Environment> & { production: boolean };

/** Thrown by {@link readConfig}: the message names every wrong key, one per line, and no value. */
export class ConfigError extends Error {
  readonly problems: readonly KeyProblem[];

  constructor(problems: readonly KeyProblem[]) {
    const lines = problems.map(({ key, message }) => `  ${key} ${message}`);
    super(`The configuration is not usable:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * The configuration from environment variables. An empty value counts as not set, as in the Azure portal.
 * @throws {ConfigError} naming every missing or wrong key.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(set);
  const wrong = unresolvedReferences(set);
  const references = new Set(wrong.map(({ key }) => key));
  if (!parsed.success) {
    wrong.push(...parsed.error.issues.map(keyProblem).filter(({ key }) => !references.has(key)));
  }
  // Rules between keys run even when single keys are wrong, on the valid keys.
  const readable = parsed.success ? parsed.data : readableKeys(set);
  const production = readable.AZURE_FUNCTIONS_ENVIRONMENT !== DEVELOPMENT;
  wrong.push(...rulesBetweenKeys(readable));
  if (production) wrong.push(...productionRules(readable), ...uncheckedCertificates(environment));
  if (!parsed.success || wrong.length > 0) throw new ConfigError(oneForEachKey(wrong));
  return { ...parsed.data, production };
}

function readableKeys(set: Record<string, string | undefined>): Readable {
  const entries = Object.entries(Environment.shape).map(([key, schema]) => {
    const parsed = schema.safeParse(set[key]);
    return [key, parsed.success ? parsed.data : undefined];
  });
  return Object.fromEntries(entries) as Readable;
}

function keyProblem(issue: z.core.$ZodIssue): KeyProblem {
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return { key: String(issue.path[0]), message: missing ? 'is required' : sentence(issue.message) };
}

/** Azure passes a reference that it cannot resolve on as its literal text, which an attacker could guess. */
function unresolvedReferences(set: Readonly<Record<string, string | undefined>>): KeyProblem[] {
  return Object.entries(set)
    .filter(
      ([key, value]) =>
        key in Environment.shape && /^\s*@microsoft\.(?:keyvault|appconfiguration)\(/i.test(value ?? ''),
    )
    .map(([key]) => ({ key, message: 'is a Key Vault reference that could not be resolved' }));
}

/** Node's switch would accept any certificate: of the AI service, storage, the database and the mail server. */
function uncheckedCertificates(environment: Readonly<Record<string, string | undefined>>): KeyProblem[] {
  const key = 'NODE_TLS_REJECT_UNAUTHORIZED';
  return environment[key] === '0' ? [{ key, message: 'must not be 0 in production' }] : [];
}

/** The first problem of each key: an invalid value precedes a contradiction with other keys. */
function oneForEachKey(problems: readonly KeyProblem[]): KeyProblem[] {
  return problems.filter(({ key }, i) => problems.findIndex((other) => other.key === key) === i);
}

function sentence(message: string): string {
  return /^(must|each must|is) /.test(message) ? message : `is not valid: ${message}`;
}
