import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoUsers } from '../../../src/cli/seed.ts';
import { Language } from '../../../src/contract/language.ts';

export const USAGE = `usage: npm run vignettes -- [FILE] [options]     (see dev/tools/vignettes/README.md)
  FILE                vignettes, one JSON object a line; test/vignettes/known.jsonl by default
  --gateway URL       a running gateway; without it one is started on throw-away services
  --email, --password whom to log in as, the demo patient by default
  --in-process        no gateway: calls the domain and the reference AI service directly
  --language LANG     of the requests, en by default
  --concurrency N     vignettes at a time, 4 by default
  --id ID,ID          only these vignettes
  --json              the result as JSON`;

export interface Arguments {
  file: string;
  /** Undefined: a gateway in this process. */
  gateway: string | undefined;
  isInProcess: boolean;
  email: string;
  password: string;
  language: Language;
  concurrency: number;
  asJson: boolean;
  /** Undefined: all. */
  ids: readonly string[] | undefined;
}

/** The arguments are invalid; the message names the reason. */
export class UsageError extends Error {}

/** @returns undefined for `--help`. @throws {UsageError} */
export function readArguments(given: readonly string[]): Arguments | undefined {
  const { values, positionals } = parse(given);
  if (values.help === true) return undefined;
  const { gateway, concurrency = '4' } = values;
  if (positionals.length > 1) throw new UsageError('Give at most one file.');
  if (gateway !== undefined && values['in-process']) {
    throw new UsageError('Give --gateway or --in-process, not both.');
  }
  if (gateway !== undefined && (!/^https?:/.test(gateway) || !URL.canParse(gateway))) {
    throw new UsageError(`--gateway ${gateway} is not an http address.`);
  }
  const language = Language.safeParse(values.language ?? 'en');
  if (!language.success)
    throw new UsageError(`--language ${values.language} is not ${Language.options.join(', ')}.`);
  if (!/^[1-9]\d?$/.test(concurrency)) throw new UsageError(`--concurrency ${concurrency} is not 1 to 99.`);
  const [demo] = demoUsers.filter(({ role }) => role === 'patient');
  return {
    file: positionals[0] ?? join(import.meta.dirname, '..', '..', '..', 'test', 'vignettes', 'known.jsonl'),
    gateway,
    isInProcess: values['in-process'] === true,
    email: values.email ?? demo?.email ?? '',
    password: values.password ?? demo?.password ?? '',
    language: language.data,
    concurrency: Number(concurrency),
    ids: values.id?.split(','),
    asJson: values.json === true,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        gateway: text,
        email: text,
        password: text,
        language: text,
        concurrency: text,
        id: text,
        'in-process': flag,
        json: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
