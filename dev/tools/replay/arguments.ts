import { parseArgs } from 'node:util';
import { demoUsers } from '../../../src/cli/seed.ts';

export const USAGE = `usage: npm run replay -- --scin DIR | --pad DIR [options]     (see dev/tools/replay/README.md)
  --scin DIR         folder with scin_cases.csv and scin_labels.csv
  --pad DIR          folder with metadata.csv of PAD-UFES-20
  --url URL          the gateway, http://localhost:7071 by default
  --email, --password  whom to log in as, the demo patient by default
  --concurrency N    cases at a time, 8 by default
  --limit N          only the first N rows`;

export type Arguments = {
  /** The folder of the data set. */
  folder: string;
  dataSet: 'scin' | 'pad';
  url: string;
  email: string;
  password: string;
  concurrency: number;
  limit: number;
};

/** The arguments are invalid; the message names the reason. */
export class UsageError extends Error {}

/** @returns undefined for `--help`. @throws {UsageError} */
export function readArguments(given: readonly string[]): Arguments | undefined {
  const values = parse(given);
  if (values.help === true) return undefined;
  const { scin, pad, url = 'http://localhost:7071' } = values;
  if ((scin === undefined) === (pad === undefined)) throw new UsageError('Give either --scin or --pad.');
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new UsageError(`--url ${url} is not an http address.`);
  const folder = scin ?? pad ?? '';
  const [demo] = demoUsers.filter(({ role }) => role === 'patient');
  return {
    folder,
    dataSet: scin === undefined ? 'pad' : 'scin',
    url,
    email: values.email ?? demo?.email ?? '',
    password: values.password ?? demo?.password ?? '',
    concurrency: positive('--concurrency', values.concurrency ?? '8'),
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : positive('--limit', values.limit),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const texts = {
    scin: text,
    pad: text,
    url: text,
    email: text,
    password: text,
    concurrency: text,
    limit: text,
  };
  try {
    return parseArgs({ args: [...args], options: { ...texts, help: { type: 'boolean' } } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function positive(option: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`${option} ${text} is not a positive whole number.`);
  return Number(text);
}
